//! What goes out to a file comes back from it.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx_database::{Database, Entry, FileFormat, ValueBound};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::ops::ControlFlow;

fn position(moves: &str) -> Position {
    Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).unwrap()
}

fn entry() -> impl Strategy<Value = Entry> {
    let label = proptest::option::of(proptest::sample::select(vec!['w', 'l']));
    let texts = ("[A-KM-V]{0,3}", "[a-zé\\n]{0,8}");
    (label, 1..90i32, any::<bool>(), texts).prop_map(|(label, plies, known, (mark, text))| {
        // A value that a library holds too: a win that is counted.
        let value = match label.filter(|_| known) {
            Some('w') => plies - 30_000,
            Some(_) => 30_000 - plies,
            None => 0,
        };
        let bound = if value == 0 {
            ValueBound::None
        } else {
            ValueBound::Exact
        };
        Entry {
            label,
            value,
            bound,
            mark,
            text,
            ..Entry::default()
        }
    })
}

/// Different points of a corner, so that positions follow from each other.
fn game() -> impl Strategy<Value = String> {
    let points = Just((0..12).collect::<Vec<usize>>()).prop_shuffle();
    (points, 1..8usize).prop_map(|(points, length)| {
        let point = |&at: &usize| Point::new(at % 4, at / 4).to_string();
        points[..length].iter().map(point).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Random databases come back from libraries and from text.
    #[test]
    fn what_is_exported_comes_back(
        known in proptest::collection::vec((game(), entry()), 1..30),
        library in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("one")).unwrap();
        for (moves, entry) in &known {
            let say = |known: &mut Entry| known.clone_from(entry);
            database.change(&position(moves), say).unwrap();
        }
        let format = if library {
            FileFormat::Library(Rule::Freestyle, BoardSize::default(), None)
        } else {
            FileFormat::Text(None)
        };
        let file = folder.path().join("file");
        let written = database.export(format, &file).unwrap();
        prop_assert_eq!(written.positions, database.len().unwrap());
        let other = Database::open(&folder.path().join("other")).unwrap();
        let read = other.import(format, &file, &mut |_| ControlFlow::Continue(())).unwrap();
        prop_assert!(read.positions >= written.positions);
        prop_assert_eq!(other.len().unwrap(), read.positions);
        for (moves, _) in &known {
            let of = |database: &Database| database.get(&position(moves)).unwrap();
            prop_assert_eq!(of(&other).unwrap_or_default(), of(&database).unwrap_or_default());
        }
    }
}

/// A label or a mark without a comment was once lost.
#[test]
fn what_is_known_of_the_empty_board_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| Database::open(&folder.path().join(name)).unwrap();
    let format = FileFormat::Library(Rule::Freestyle, BoardSize::default(), None);
    let file = folder.path().join("file");
    for (name, label, mark) in [("label", Some('w'), ""), ("mark", None, "A")] {
        let entry = Entry {
            label,
            mark: mark.to_owned(),
            ..Entry::default()
        };
        let known = |known: &mut Entry| known.clone_from(&entry);
        let database = open("one");
        database.change(&position(""), known).unwrap();
        database.export(format, &file).unwrap();
        let other = open(name);
        let read = other.import(format, &file, &mut |_| ControlFlow::Continue(()));
        assert_eq!(read.unwrap().positions, 1, "{name}");
        assert_eq!(other.get(&position("")).unwrap(), Some(entry), "{name}");
    }
}

/// A line break once came behind a comment wherever a file names its position again.
#[test]
fn a_comment_stays_where_its_position_comes_again_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("one")).unwrap();
    let file = folder.path().join("file");
    let lines = "15 freestyle h8i9g10 {\"text\":\"a\"}\n15 freestyle g10i9h8\n";
    std::fs::write(&file, lines).unwrap();
    let format = FileFormat::Text(None);
    let read = database.import(format, &file, &mut |_| ControlFlow::Continue(()));
    assert_eq!(read.unwrap().positions, 2);
    let known = database.get(&position("h8i9g10")).unwrap().unwrap();
    assert_eq!(known.text, "a");
}

/// A text with carriage returns alone was once one comment, and one with a mark was refused.
#[test]
fn lines_may_end_in_every_way() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    for end in ["\n", "\r\n", "\r", "\n\r"] {
        let lines = ["\u{feff}# two", "15 freestyle h8", "15 freestyle h8i9", ""];
        std::fs::write(&file, lines.join(end)).unwrap();
        let database = Database::open(&folder.path().join("one")).unwrap();
        let format = FileFormat::Text(None);
        let read = database.import(format, &file, &mut |_| ControlFlow::Continue(()));
        assert_eq!(read.unwrap().positions, 2, "{end:?}");
    }
}

/// A person's comment was once replaced without a word.
#[test]
fn what_an_import_replaces_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("one")).unwrap();
    for (moves, text) in [("h8", "mine"), ("h8i9", "both")] {
        let say = |entry: &mut Entry| entry.text = text.to_owned();
        database.change(&position(moves), say).unwrap();
    }
    let file = folder.path().join("file");
    let line = |moves: &str, text: &str| format!("15 freestyle {moves} {{\"text\":\"{text}\"}}\n");
    let lines = [line("h8", "x"), line("h8i9", "both"), line("a1", "new")];
    std::fs::write(&file, lines.concat()).unwrap();
    for replaced in [1, 0] {
        let format = FileFormat::Text(None);
        let read = database.import(format, &file, &mut |_| ControlFlow::Continue(()));
        assert_eq!(read.unwrap().replaced, replaced);
    }
}
