//! The tables of messages in docs/messages.md are made from their schema. If they are out of date
//! they are written anew by
//!
//! `QUINCUNX_WRITE=1 cargo test --test architecture messages`

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The text of a description, without links that only rustdoc understands, and with messages named
/// as they are sent.
fn plain(description: &Value) -> String {
    let text = description.as_str().unwrap_or_default().replace('\n', " ");
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain += part.split_once(')').map_or("", |(_, rest)| rest));
    let plain = plain
        .replace("[`", "`")
        .replace("`]", "`")
        .replace('|', "\\|");
    let quoted = plain.split('`').enumerate().map(|(number, part)| {
        match part.split_once("::").filter(|_| number % 2 == 1) {
            Some((_, variant)) => snake_case(variant),
            None => part.to_owned(),
        }
    });
    quoted.collect::<Vec<_>>().join("`")
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// The table of an enum of messages.
fn table(schema: &Value, name: &str) -> String {
    let definitions = &schema["$defs"];
    let mut table = "| message | fields | meaning |\n|---|---|---|\n".to_owned();
    for message in definitions[name]["oneOf"].as_array().unwrap() {
        // The fields of a struct are those of the message.
        let reference = message["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next());
        let parts = [Some(message), reference.map(|name| &definitions[name])];
        let mut fields = Vec::new();
        for part in parts.into_iter().flatten() {
            let required = part["required"].as_array();
            let properties = part["properties"].as_object().into_iter().flatten();
            for (field, property) in properties.filter(|(field, _)| *field != "type") {
                let is_required =
                    required.is_some_and(|names| names.iter().any(|one| one == field));
                let optional = if is_required { "" } else { " (optional)" };
                let meaning = plain(&property["description"]);
                let meaning = meaning.trim_end_matches('.');
                fields.push(format!("`{field}`{optional}: {meaning}"));
            }
        }
        let kind = message["properties"]["type"]["const"].as_str().unwrap();
        let meaning = plain(&message["description"]);
        let _ = writeln!(table, "| `{kind}` | {} | {meaning} |", fields.join("; "));
    }
    table
}

#[test]
fn the_tables_of_messages_are_made_from_their_schema() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let schema = fs::read_to_string(docs.join("messages.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let path = docs.join("messages.md");
    let mut page = fs::read_to_string(&path).unwrap();
    let mut sections = page.split("<!-- ");
    let mut made = sections.next().unwrap().to_owned();
    for section in sections {
        let (name, text) = section.split_once(" -->\n").unwrap();
        let table = if name == "end" {
            text.to_owned()
        } else {
            table(&schema, name)
        };
        let _ = write!(made, "<!-- {name} -->\n{table}");
    }
    if std::env::var_os("QUINCUNX_WRITE").is_some() {
        fs::write(&path, &made).unwrap();
        page = made.clone();
    }
    assert!(
        page == made,
        "docs/messages.md is out of date: messages.rs says how to write it"
    );
}
