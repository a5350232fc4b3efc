//! The position database: what is told of it, and that it outlives whatever
//! happens to the process.

#![allow(clippy::unwrap_used)]

mod process;

use process::Process;
use quincunx::database::{Database, Entry};
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Rule};
use std::path::Path;
use std::time::Duration;

fn with_database(path: &Path) -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO rule 0\nyxsetdatabase\n");
    engine.expect("OK");
    engine.send(&format!("{}\n", path.display()));
    engine.expect("MESSAGE DATABASE LOAD START <TEXT>");
    engine.expect("MESSAGE DATABASE LOAD DONE");
    engine
}

fn position(moves: &str) -> Position {
    Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).unwrap()
}

#[test]
fn a_gui_edits_and_asks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let mut engine = with_database(&path);
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\n8,8\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0");
    engine.send("yxedittvddatabase 6 -1 -250 12\n7,7\n8,8\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 -250 12 3");
    engine.send("yxedittextdatabase \"they say \\\"no\\\"\"7,7\n8,8\ndone\n");
    engine.send("yxeditlabeldatabase 6,6 A\n7,7\n8,8\ndone\n");
    // Mirrored, and asked for in the other order of white's stones.
    engine.send("yxquerydatabaseallt\n7,7\ndone\n");
    engine.expect("MESSAGE DATABASE REFRESH");
    for corner in ["6 6", "8 6", "6 8", "8 8"] {
        engine.expect(&format!("MESSAGE DATABASE {corner} 119 -250 12 3 1"));
    }
    engine.expect("MESSAGE DATABASE DONE");
    engine.expect("MESSAGE DATABASE TEXT \"\"");
    engine.send("yxquerydatabasetext 7,7 6,8 done\n");
    engine.expect("MESSAGE DATABASE TEXT \"they say \\\"no\\\"\"");
    engine.send("yxquerydatabaseall 7,7 6,6 done\n");
    engine.expect("MESSAGE DATABASE REFRESH");
    engine.expect("MESSAGE DATABASE 8 8 -1 0 0 0 0 A");
    engine.expect("MESSAGE DATABASE DONE");
    engine.send("INFO database_readonly 1\nyxdeletedatabaseone 7,7 8,8 done\n");
    engine.expect("ERROR the database is read only");
    engine.send("INFO database_readonly 0\nyxdeletedatabaseall nonwl\n7,7\n8,8\ndone\n");
    engine.expect("MESSAGE 1 positions were removed");
    engine.send("yxdeletedatabaseall 7,7 8,8 done\nyxsavedatabase\n");
    engine.expect("MESSAGE 1 positions were removed");
    engine.expect("MESSAGE DATABASE SAVE DONE");
    engine.send("yxquerydatabaseone 7,7 7,7 done\n");
    engine.expect("ERROR 7,7 is taken");
    engine.send("END\n");
    assert_eq!(engine.exit_within(Duration::from_secs(5)), Some(0));
    assert_eq!(Database::open(&path).unwrap().len().unwrap(), 0);
}

#[test]
fn without_a_database_nothing_is_said() {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nyxquerydatabaseallt 7,7 done\nyxsavedatabase\n");
    engine.send("yxedittextdatabase \"a\"7,7\ndone\nABOUT\n");
    engine.expect("OK");
    engine.expect("name=<TEXT>");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no database");
    std::fs::write(&path, "something else, longer than any header".repeat(100)).unwrap();
    engine.send(&format!("yxsetdatabase\n{}\n", path.display()));
    engine.expect("ERROR the database: <TEXT>");
}

/// What was acknowledged is there after kill -9, wherever that strikes.
#[test]
fn a_killed_process_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let mut written = 0;
    for round in 0..6 {
        let mut engine = with_database(&path);
        let known = 5 + round * 3;
        for number in 0..known {
            let (x, y) = (number % 15, round);
            engine.send(&format!(
                "yxedittvddatabase 2 -1 {number} 0\n0,14\n{x},{y}\ndone\n"
            ));
            engine.expect("MESSAGE DATABASE ONE <TEXT>");
            written += 1;
        }
        // More is under way when it dies.
        for number in 0..20 {
            engine.send(&format!(
                "yxedittvddatabase 2 -1 {number} 0\n14,14\n7,{round}\ndone\n"
            ));
        }
        drop(engine);
        let database = Database::open(&path).unwrap();
        for number in 0..known {
            let mut after = position("a15");
            let point = BoardSize::default().point(number % 15, round).unwrap();
            after.play(point);
            assert!(database.get(&after).unwrap().is_some(), "{round} {number}");
        }
    }
    assert!(written > 60);
}

#[test]
fn entries_that_say_nothing_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("positions.db")).unwrap();
    let won = |entry: &mut Entry| entry.label = Some('w');
    for moves in ["h8", "h8h9", "h8h9i8", "a1"] {
        database.change(&position(moves), won).unwrap();
    }
    assert_eq!(database.len().unwrap(), 4);
    let nothing = |entry: &mut Entry| *entry = Entry::default();
    database.change(&position("a15"), nothing).unwrap();
    assert_eq!(database.len().unwrap(), 3);
    assert_eq!(database.remove_all(&position("h8"), |_| true).unwrap(), 3);
    assert!(database.is_empty().unwrap());
}
