//! The page's types of all messages, generated from the same types as the schema: `received.d.ts`
//! has what the page receives, `sent.d.ts` what it sends.

use quincunx_board::gravity::{GravityMessage, GravityReply};
use quincunx_board::training::{TrainingMessage, TrainingReply};
use quincunx_board::{ClientMessage, ServerMessage};
use quincunx_club::rooms::{ClubMessage, GamePage, GameView, VisitorMessage};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use std::path::Path;

const HEADER: &str = "// Generated from the messages of the program. To write it anew:\n\
    // QUINCUNX_WRITE=1 cargo test -p quincunx-club --test schema\n";

/// The definitions of what the page receives.
pub(crate) fn received() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut received = settings.into_generator();
    received.subschema_for::<ServerMessage>();
    received.subschema_for::<GravityReply>();
    received.subschema_for::<TrainingReply>();
    received.subschema_for::<ClubMessage>();
    received.subschema_for::<GamePage>();
    received.subschema_for::<GameView>();
    received.take_definitions(true)
}

/// The definitions of what the page sends.
pub(crate) fn sent() -> Map<String, Value> {
    let mut sent = SchemaSettings::draft2020_12().into_generator();
    sent.subschema_for::<ClientMessage>();
    sent.subschema_for::<GravityMessage>();
    sent.subschema_for::<TrainingMessage>();
    sent.subschema_for::<VisitorMessage>();
    sent.take_definitions(true)
}

#[test]
fn the_types_of_the_page_are_those_of_the_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/page");
    for (name, text) in [
        ("received.d.ts", declarations(&received(), true)),
        ("sent.d.ts", declarations(&sent(), false)),
    ] {
        let path = folder.join(name);
        if std::env::var_os("QUINCUNX_WRITE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == text,
            "{name} is out of date: its head says how to write it"
        );
    }
}

/// The declarations of these types. What is left out of a received object is never null there.
fn declarations(definitions: &Map<String, Value>, are_received: bool) -> String {
    let mut text = HEADER.to_owned();
    for (name, schema) in definitions {
        let declared = typescript(schema, are_received);
        text += &format!("\nexport type {name} = {declared};\n");
    }
    text
}

/// A schema as a type of TypeScript.
fn typescript(schema: &Value, are_received: bool) -> String {
    let Some(schema) = schema.as_object() else {
        return "unknown".to_owned();
    };
    let of = |schema: &Value| typescript(schema, are_received);
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let union = |parts: Vec<String>| parts.join(" | ");
    let mut parts = Vec::new();
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        parts.extend(path.rsplit('/').next().map(str::to_owned));
    }
    for key in ["oneOf", "anyOf"] {
        parts.extend(list(key).map(|schemas| union(schemas.iter().map(of).collect())));
    }
    parts.extend(list("allOf").into_iter().flatten().map(of));
    if let Some(value) = schema.get("const") {
        parts.push(value.to_string());
    } else if let Some(values) = list("enum") {
        parts.push(union(values.iter().map(Value::to_string).collect()));
    } else if let Some(kinds) = list("type") {
        let kinds = kinds.iter().filter_map(Value::as_str);
        parts.push(union(
            kinds
                .map(|kind| of_kind(kind, schema, are_received))
                .collect(),
        ));
    } else if let Some(kind) = schema.get("type").and_then(Value::as_str) {
        parts.push(of_kind(kind, schema, are_received));
    }
    let is_one = parts.len() == 1;
    parts.retain(|part| is_one || part != "{}");
    let bracketed = parts
        .iter()
        .map(|part| match part.contains(" | ") && !is_one {
            true => format!("({part})"),
            false => part.clone(),
        });
    match parts.is_empty() {
        true => "unknown".to_owned(),
        false => bracketed.collect::<Vec<_>>().join(" & "),
    }
}

fn of_kind(kind: &str, schema: &Map<String, Value>, are_received: bool) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => array(schema, are_received),
        "object" => object(schema, are_received),
        other => other.to_owned(),
    }
}

fn array(schema: &Map<String, Value>, are_received: bool) -> String {
    let of = |schema: &Value| typescript(schema, are_received);
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        return format!("[{}]", items.iter().map(of).collect::<Vec<_>>().join(", "));
    }
    let item = schema.get("items").map_or("unknown".to_owned(), of);
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; least as usize].join(", "))
        }
        _ if item.contains(' ') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn object(schema: &Map<String, Value>, are_received: bool) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return match schema.get("additionalProperties") {
            Some(values) if values.is_object() => {
                format!("Record<string, {}>", typescript(values, are_received))
            }
            _ => "{}".to_owned(),
        };
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
    let fields = properties.iter().map(|(name, schema)| {
        let declared = typescript(schema, are_received);
        match is_required(name) {
            true => format!("{name}: {declared}"),
            false if are_received => format!("{name}?: {}", declared.replace(" | null", "")),
            false => format!("{name}?: {declared}"),
        }
    });
    let fields: Vec<String> = fields.collect();
    let line = format!("{{ {} }}", fields.join(", "));
    match line.len() > 100 {
        true => format!("{{\n  {};\n}}", fields.join(";\n  ")),
        false => line,
    }
}
