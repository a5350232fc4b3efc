//! The pages of the log are made from its data, one row a match or a fit. A page that is out of
//! date is written anew by
//!
//! `QUINCUNX_WRITE=1 cargo test --test architecture log`

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A column of a page: its heading, and its text, with the columns of the data in braces.
type Column = (&'static str, &'static str);

/// The data, the title of the page, and its columns. The first column of the data groups the rows.
const PAGES: &[(&str, &str, &[Column])] = &[
    (
        "matches",
        "Matches",
        &[
            ("change", "{change}"),
            ("rule", "{rule} {board}"),
            ("control", "{control}"),
            ("result", "{wins} - {losses} - {draws}"),
            ("Elo", "{elo} +- {interval}"),
            ("pairs", "{pairs}"),
            ("verdict", "{verdict}"),
            ("date", "{date}"),
        ],
    ),
    (
        "losses",
        "Losses",
        &[
            ("evaluation", "{what}"),
            ("rule", "{rule}"),
            ("samples", "{samples}"),
            ("targets", "{targets}"),
            ("results", "{results}"),
            ("note", "{note}"),
        ],
    ),
];

/// The fields of a line of CSV. A field with commas is in quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// The rows of a file of the log, each as its fields by column.
fn rows(data: &str) -> Vec<HashMap<&str, String>> {
    let (head, data) = data.split_once('\n').unwrap();
    let columns: Vec<&str> = head.split(',').collect();
    let row = |line: &str| {
        let fields = fields(line);
        assert_eq!(fields.len(), columns.len(), "{line}");
        columns.iter().copied().zip(fields).collect()
    };
    data.lines().map(row).collect()
}

/// A page with a table for each subject.
fn page(name: &str, title: &str, columns: &[Column], rows: &[HashMap<&str, String>]) -> String {
    let mut page =
        format!("# {title}\n\nMade from [{name}.csv]({name}.csv), which has more columns.\n");
    let mut subject = "";
    for row in rows {
        if row["subject"] != subject {
            subject = &row["subject"];
            let _ = write!(page, "\n## {subject}\n\n|");
            columns.iter().for_each(|(heading, _)| {
                let _ = write!(page, " {heading} |");
            });
            let _ = write!(page, "\n|{}\n", "---|".repeat(columns.len()));
        }
        page.push('|');
        for (_, text) in columns {
            let fill = |text: String, (column, field): (&&str, &String)| {
                text.replace(&format!("{{{column}}}"), field)
            };
            let cell = row.iter().fold((*text).to_owned(), fill);
            // The interval of few games is not known.
            let _ = write!(page, " {} |", cell.trim_end_matches(" +- "));
        }
        page.push('\n');
    }
    page
}

#[test]
fn the_pages_of_the_log_are_made_from_its_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/log");
    for &(name, title, columns) in PAGES {
        let data = fs::read_to_string(folder.join(name).with_extension("csv")).unwrap();
        let made = page(name, title, columns, &rows(&data));
        let path = folder.join(name).with_extension("md");
        if std::env::var_os("QUINCUNX_WRITE").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == made,
            "{name}.md is out of date: log.rs says how to write it"
        );
    }
}

/// Every match has a day, a rule, a control, a result, and an interval if it has an Elo.
#[test]
fn every_match_of_the_log_is_complete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/log/matches.csv");
    let data = fs::read_to_string(path).unwrap();
    for row in rows(&data) {
        for column in ["subject", "change", "rule", "board", "control", "date"] {
            assert!(!row[column].is_empty(), "{column}: {row:?}");
        }
        for column in ["wins", "losses", "draws"] {
            assert!(row[column].parse::<u32>().is_ok(), "{column}: {row:?}");
        }
        assert!(
            !row["elo"].is_empty() || row["interval"].is_empty(),
            "{row:?}"
        );
    }
}
