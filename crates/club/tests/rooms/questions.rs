//! The page about the database of a club: its queries are run, and its tables are those of a file.

use crate::messages::{create_with_engine, unrated};
use crate::tournament::{Evening, visitor};
use quincunx_club::rooms::{AdminCommand, ClockRule, RoomSetup};
use quincunx_engine::rules::Rule;
use quincunx_pairing::System;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

const PAGE: &str = include_str!("../../../../docs/club-database.md");

/// The blocks of SQL of the page.
fn blocks() -> Vec<&'static str> {
    let blocks = PAGE.split("```sql\n").skip(1);
    blocks.map(|it| it.split("```").next().unwrap()).collect()
}

/// The first row of a query as text, and the number of rows.
fn first_row(connection: &Connection, query: &str) -> (String, usize) {
    let mut statement = connection.prepare(query).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut lines = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cells = (0..columns).map(|column| match row.get(column).unwrap() {
            Value::Null => String::new(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Blob(_) => unreachable!(),
        });
        lines.push(cells.collect::<Vec<String>>().join("|"));
    }
    (lines.first().cloned().unwrap_or_default(), lines.len())
}

#[test]
fn an_organiser_gets_answers_while_the_club_runs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, System::RoundRobin { double: false });
    for _ in 0..3 {
        for table in evening.tables() {
            evening.play(&table);
        }
        evening.wait(60);
    }
    let rename = AdminCommand::Rename {
        name: "Dora".to_owned(),
        to: "Dorothea".to_owned(),
    };
    let now = evening.now;
    evening.club.club.administer(now, &rename).unwrap();
    evening.club.settle();
    let correspondence = RoomSetup {
        rule: Rule::Renju,
        clock: ClockRule::Correspondence { days: 3 },
        ..unrated()
    };
    let create = create_with_engine(correspondence, 50);
    evening.club.receive(now, visitor(0), &create);
    let reader = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let expected = [
        ("Anna|3", 4),
        ("Anna|3|3", 4),
        ("freestyle|6|33.3", 1),
        ("free|6|66.7", 1),
        ("1|2023-11-14 22:13:21|freestyle|Dora|1", 3),
        ("1|0|0", 1),
        ("2023-11-14|6|4", 1),
        ("resignation|6|2", 1),
        ("1|Anna|Dora|1", 6),
        ("Anna|renju|2023-11-17 22:16:26|", 1),
        (
            r#"2023-11-14 22:16:26|rename|{"type":"rename","name":"Dora","to":"Dorothea"}"#,
            1,
        ),
    ];
    let blocks = blocks();
    let (tables, questions) = blocks.split_last().unwrap();
    assert_eq!(questions.len(), expected.len());
    let answers = questions.iter().map(|query| first_row(&reader, query));
    let answers: Vec<(String, usize)> = answers.collect();
    let expected = expected.map(|(row, rows)| (row.to_owned(), rows));
    assert_eq!(answers, expected);
    let steps = [
        include_str!("../../src/rooms/store/schema.sql"),
        include_str!("../../src/rooms/store/correspondence.sql"),
        include_str!("../../src/rooms/store/dialogue.sql"),
        include_str!("../../src/rooms/store/person.sql"),
    ];
    assert_eq!(*tables, steps.join("\n"));
}
