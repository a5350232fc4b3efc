//! The position database: what is told of it, and that it outlives whatever
//! happens to the process.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_database::{Database, Entry, SweepAction, ValueBound};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_testing::process::Process;
use std::collections::BTreeMap;
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
    engine.send("yxedittvddatabase 6 -1 -99999999999 99999999999\n7,7\n8,8\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 -2147483648 2147483647 3");
    engine.send("yxedittvddatabase 6 -1 -250 12\n7,7\n8,8\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 -250 12 3");
    engine.send("yxedittextdatabase \"they say \\\"no\\\"\"7,7\n8,8\ndone\n");
    engine.send("yxeditlabeldatabase 6,6 A\n7,7\n8,8\ndone\n");
    // Mirrored, and asked for in the other order of white's stones.
    engine.send("yxquerydatabaseallt\n7,7\ndone\n");
    engine.expect("MESSAGE DATABASE REFRESH");
    for corner in ["6 8", "8 8", "6 6", "8 6"] {
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
    engine.send("INFO database_readonly 0\nyxdeletedatabaseall w\n7,7\ndone\n");
    engine.expect("MESSAGE removed 2 positions");
    engine.send("yxdeletedatabaseall 7,7 done\nyxsavedatabase\n");
    engine.expect("MESSAGE removed 0 positions");
    engine.expect("MESSAGE DATABASE SAVE DONE");
    engine.send("yxquerydatabaseone 7,7 7,7 done\n");
    engine.expect("ERROR 7,7 is taken");
    engine.send("END\n");
    assert_eq!(engine.exit_within(Duration::from_secs(5)), Some(0));
    assert_eq!(Database::open(&path).unwrap().len().unwrap(), 0);
}

/// Letters that are not ASCII and ends of lines were told as question marks, and the rest of a
/// long comment not at all. Blank lines were lost.
#[test]
fn comments_and_marks_are_sent_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = with_database(&folder.path().join("positions.db"));
    let long = "x".repeat(1500);
    engine.send(&format!(
        "yxedittextdatabase \"début\r\n\r\n\u{624b}{long}\"7,7 done\n"
    ));
    engine.send("yxeditlabeldatabase 7,7 \u{25b3}\ndone\nyxquerydatabaseallt done\n");
    engine.expect("MESSAGE DATABASE REFRESH");
    engine.expect("MESSAGE DATABASE 7 7 -1 0 0 0 1 \u{25b3}");
    engine.send("yxquerydatabasetext 7,7 done\n");
    engine.expect("MESSAGE DATABASE TEXT \"début");
    engine.expect("");
    engine.expect(&format!("\u{624b}{long}\""));
}

#[test]
fn without_a_database_there_is_no_reply() {
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

/// A file that is damaged or of another kind, or the database itself, is refused, and the
/// database that is open stays.
#[test]
fn the_open_database_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let other = folder.path().join("other.db");
    drop(Database::open(&other).unwrap());
    let mut damaged = std::fs::read(&other).unwrap();
    damaged.truncate(10_000);
    std::fs::write(&other, &damaged).unwrap();
    let mut engine = with_database(&path);
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0");
    engine.send(&format!("yxsetdatabase\n{}\n", other.display()));
    engine.expect("ERROR the database: <TEXT>");
    // Something for a table of hashes to hold.
    engine.send("INFO timeout_turn 1500\nBOARD\n7,7,1\n8,8,2\nDONE\n");
    engine.expect("<MOVE>");
    let link = folder.path().join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, &link).unwrap();
    #[cfg(not(unix))]
    std::fs::copy(&other, &link).unwrap();
    for target in [&path, &link, &other] {
        engine.send(&format!("yxhashdump\n{}\n", target.display()));
        engine.expect("ERROR a file of another kind has this name");
    }
    let hash = folder.path().join("hash");
    for _ in 0..2 {
        engine.send(&format!("yxhashdump\n{}\n", hash.display()));
        engine.expect("MESSAGE <NUMBER> positions were saved");
    }
    engine.send("yxquerydatabaseone 7,7 done\n");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0");
    engine.send("END\n");
    assert_eq!(engine.exit_within(Duration::from_secs(5)), Some(0));
    assert_eq!(std::fs::read(&other).unwrap(), damaged);
    assert_eq!(Database::open(&path).unwrap().len().unwrap(), 1);
}

/// What was acknowledged is there after kill -9, wherever that strikes:
/// `KILLS=50 cargo test --test database killed` strikes so often.
#[test]
fn a_killed_process_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let kills = std::env::var("KILLS").map_or(6, |text| text.parse().unwrap());
    let size = BoardSize::default();
    let mut written = BTreeMap::new();
    for kill in 0..kills {
        let mut engine = with_database(&path);
        for number in 0..5 + kill * 3 % 20 {
            let (x, y) = (number % 15, kill % 14);
            // The value tells which edit of this position was the last.
            engine.send(&format!(
                "yxedittvddatabase 2 -1 {kill} 0\n0,14\n{x},{y}\ndone\n"
            ));
            engine.expect("MESSAGE DATABASE ONE <TEXT>");
            // The same position, mirrored on the diagonal through the corner.
            let point = (x, y).min((14 - y, 14 - x));
            written.insert(point, kill as i32);
        }
        // More is under way when it dies.
        for number in 0..20 {
            engine.send(&format!(
                "yxedittvddatabase 2 -1 {number} 0\n7,7\n7,{}\ndone\n",
                kill % 7
            ));
        }
        std::thread::sleep(Duration::from_millis(kill as u64 % 10));
        drop(engine);
        let database = Database::open(&path).unwrap();
        for (&(x, y), &value) in &written {
            let mut after = position("a15");
            after.play(size.point(x, y).unwrap());
            let found = database.get(&after).unwrap().map(|entry| entry.value);
            assert_eq!(found, Some(value), "{x},{y} after kill {kill}");
        }
    }
    assert!(!written.is_empty());
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
    let remove = |_: &Entry| SweepAction::Remove;
    assert_eq!(database.remove_below(&position("h8"), remove).unwrap(), 2);
    database.change(&position("h8"), nothing).unwrap();
    assert!(database.is_empty().unwrap());
}

/// What is kept, removed with what follows, or kept while that is looked at.
#[test]
fn sweeps_stop_at_their_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let moves = ["h8", "h8a1", "h8a1b1", "h8a1b1c1", "h8o8", "h8o8n1"];
    let labels = [None, None, Some('w'), None, Some('l'), Some('W')];
    let values = [0, 0, 0, 0, 29_993, -29_990];
    for (sweep, removed) in [
        ("", 5),
        ("w", 0),
        ("wrecursive", 3),
        ("l", 2),
        ("wl", 2),
        ("wlrecursive", 4),
        ("nonwl", 3),
        ("wld", 2),
        ("nonwldrecursive", 3),
        ("wlnostep", 0),
        ("wlnosteprecursive", 2),
        ("wlinstep 7", 2),
        ("wlinstep 6", 0),
        ("wlinsteprecursive 10", 2),
    ] {
        let database = Database::open(&path).unwrap();
        for (moves, (label, value)) in moves.iter().zip(labels.into_iter().zip(values)) {
            let entry = Entry {
                label,
                value,
                mark: "known".to_owned(),
                ..Entry::default()
            };
            let say = |known: &mut Entry| *known = entry;
            database.change(&position(moves), say).unwrap();
        }
        drop(database);
        let mut engine = with_database(&path);
        engine.send(&format!("yxdeletedatabaseall {sweep}\n7,7\ndone\n"));
        engine.expect(&format!("MESSAGE removed {removed} positions"));
        engine.send("END\n");
        engine.exit_within(Duration::from_secs(5));
    }
}

/// What is written to a file is what comes back from it.
#[test]
fn a_gui_moves_positions_to_files_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let database = Database::open(&path).unwrap();
    let say = |moves: &str, label, text: &str| {
        let say = |entry: &mut Entry| {
            entry.label = label;
            entry.mark = "A".to_owned();
            entry.text = text.to_owned();
            entry.value = -29_990;
            entry.bound = ValueBound::Exact;
        };
        database.change(&position(moves), say).unwrap();
    };
    say("h8h9i8", Some('w'), "two\nlines");
    // Nothing is known of what leads here.
    say("a1o15b3c2c14", Some('w'), "");
    let written = database.children(&position("h8h9")).unwrap();
    drop(database);
    for (export, import, file) in [
        ("YXDBTOLIB", "YXLIBTODB", "out.lib"),
        ("YXDBTOTXT", "YXTXTTODB", "out.txt"),
        ("yxdbtotxtall", "yxtxttodb", "all.txt"),
    ] {
        let file = folder.path().join(file);
        let mut engine = with_database(&path);
        engine.send(&format!("{export}\n{}\n", file.display()));
        engine.expect(&format!(
            "MESSAGE wrote 2 positions, 0 left out: {}",
            file.display()
        ));
        let empty = folder.path().join(format!("{import}.db"));
        engine.send(&format!("yxsetdatabase\n{}\n", empty.display()));
        engine.expect("MESSAGE DATABASE LOAD DONE");
        engine.send(&format!("{import}\n{}\n", file.display()));
        engine.expect("MESSAGE read <NUMBER> positions, 0 left out: <TEXT>");
        let nowhere = folder.path().join("no such folder").join("file");
        engine.send(&format!("{export}\n{}\n", nowhere.display()));
        engine.expect("ERROR <TEXT>");
        // A file that makes no sense changes nothing.
        std::fs::write(&file, "no such thing").unwrap();
        engine.send(&format!("{import}\n{}\n", file.display()));
        engine.expect("ERROR <TEXT>");
        engine.send("INFO database_readonly 1\n");
        engine.send(&format!("{import}\n{}\n", file.display()));
        engine.expect("ERROR the database is read only");
        engine.send("END\n");
        engine.exit_within(Duration::from_secs(5));
        let database = Database::open(&empty).unwrap();
        let read = database.children(&position("h8h9")).unwrap();
        assert_eq!(read, written, "{export}");
        assert!(database.get(&position("a1o15b3c2c14")).unwrap().is_some());
    }
}

#[test]
fn a_refused_command_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let mut engine = with_database(&path);
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0");
    // The database itself, and what is no file.
    let itself = path.display();
    for command in ["YXDBTOTXT", "YXDBTOLIB", "YXDBSPLIT", "YXDBMERGE"] {
        engine.send(&format!("{command}\n{itself}\n"));
        engine.expect("ERROR <TEXT>");
    }
    for command in ["YXTXTTODB", "YXLIBTODB", "YXDBTOTXT"] {
        engine.send(&format!("{command}\n{}\n", folder.path().display()));
        engine.expect("ERROR <TEXT>");
        if cfg!(unix) {
            engine.send(&format!("{command}\n/dev/zero\n"));
            engine.expect("ERROR /dev/zero: there is no plain file with this name");
        }
    }
    // Another one that can't be opened, and the same once more.
    let nowhere = folder.path().join("no such folder").join("file");
    engine.send(&format!("YXSETDATABASE\n{}\n", nowhere.display()));
    engine.expect("ERROR <TEXT>");
    engine.send(&format!("YXSETDATABASE\n{itself}\n"));
    engine.expect("MESSAGE DATABASE LOAD DONE");
    // What takes long while a move is due.
    engine.send("INFO timeout_turn 600000\nTURN 7,7\n");
    for command in ["YXDBFIX\n", "YXDBCHECK\n", "YXDELETEDATABASEALL DONE\n"] {
        engine.send(command);
        engine.expect("MESSAGE ERROR that takes too long while a move is due");
    }
    for command in ["YXDBTOTXTALL", "YXDBMERGE", "YXSETDATABASE"] {
        engine.send(&format!(
            "{command}\n{}\n",
            folder.path().join("other").display()
        ));
        engine.expect("MESSAGE ERROR that takes too long while a move is due");
    }
    // Questions don't.
    engine.send("yxquerydatabaseone\n7,7\ndone\n");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0");
    engine.send("STOP\n");
    engine.expect("<MOVE>");
    engine.send("END\n");
    engine.exit_within(Duration::from_secs(5));
    let database = Database::open(&path).unwrap();
    assert_eq!(database.len().unwrap(), 1);
    assert!(!folder.path().join("other").exists());
}

/// A GUI was once not told of what the command line tells.
#[test]
fn a_gui_hears_what_a_library_can_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let database = Database::open(&path).unwrap();
    let say = |entry: &mut Entry| entry.depth = 7;
    database.change(&position("h8"), say).unwrap();
    drop(database);
    let library = folder.path().join("out.lib");
    let library = library.display();
    let mut engine = with_database(&path);
    engine.send(&format!("YXDBTOLIB\n{library}\n"));
    engine.expect(&format!(
        "MESSAGE wrote 1 positions, 0 left out, 1 without their values, depths or labels: {library}"
    ));
    engine.send("END\n");
    engine.exit_within(Duration::from_secs(5));
}

/// Positions go to files and back from the command line, too.
#[test]
fn a_user_moves_positions_to_files_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quincunx"));
        let output = command.arg("database").args(arguments).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    };
    let (book, text, library) = (at("book.db"), at("book.txt"), at("book.lib"));
    let line = r#"15 renju h8i9 {"label":"w","value":-29995,"depth":0,"bound":"exact"}"#;
    std::fs::write(&text, format!("# a comment\n\n{line}\n")).unwrap();
    let (done, said) = run(&["import", &book, &text]);
    assert!(done && said == "read 1 positions, 0 left out\n", "{said}");
    let renju = ["--format", "lib", "--rule", "renju"];
    let (done, said) = run(&[&["export", &book, &library], &renju[..]].concat());
    assert!(done && said == "wrote 1 positions, 0 left out\n", "{said}");
    let other = at("other.db");
    let (done, said) = run(&[&["import", &other, &library], &renju[..]].concat());
    assert!(done && said == "read 2 positions, 0 left out\n", "{said}");
    let (done, said) = run(&["query", &other, "15 renju h8"]);
    assert!(done && said.lines().count() == 5, "{said}");
    assert!(said.contains(r#"i9 {"label":"w","value":-29995"#), "{said}");
    // To ask once took the permission to write, and wrote.
    let before = std::fs::read(&other).unwrap();
    let mut permissions = std::fs::metadata(&other).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&other, permissions.clone()).unwrap();
    let (done, again) = run(&["query", &other, "15 renju h8"]);
    assert!(done && again == said, "{again}");
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o644);
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    std::fs::set_permissions(&other, permissions).unwrap();
    assert_eq!(std::fs::read(&other).unwrap(), before);
    for (wrong, reason) in [
        (&b"15 renju h8h8 {}"[..], "line 1: move 2: h8 is taken"),
        (
            b"\n15 renju h8 {\"value\":true}",
            "line 2: after the position",
        ),
        (b"15 renju h8\n\xff", "line 2: no text in UTF-8"),
    ] {
        std::fs::write(&text, wrong).unwrap();
        let (done, said) = run(&["import", &other, &text]);
        assert!(!done && said.contains(reason), "{said}");
    }
}

/// The database as an opening book.
#[test]
fn the_engine_plays_what_the_database_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let mut engine = with_database(&path);
    engine.send("INFO max_node 100\nyxedittvddatabase 1 119 0 0\n7,7\n0,0\ndone\n");
    engine.expect("MESSAGE DATABASE ONE <TEXT>");
    let corners = [(0, 0), (14, 0), (0, 14), (14, 14)];
    let sides = [(2, 7), (12, 7), (7, 2), (7, 12)];
    let mut answer = |before: &str| {
        engine.send(&format!("{before}RESTART\n"));
        engine.expect("OK");
        engine.send("TURN 7,7\n");
        engine.next_move()
    };
    assert!(!corners.contains(&answer("")));
    assert!(corners.contains(&answer("INFO usedatabase 1\n")));
    // Not where it is told to play elsewhere.
    let block = "YXBLOCK 0,0 14,0 0,14 14,14 DONE\n";
    assert!(!corners.contains(&answer(block)));
    // The best move goes before one that is won.
    let best = "YXBLOCKRESET\nYXSETBESTMOVEDATABASE 7,7 2,7 DONE\n";
    assert!(sides.contains(&answer(best)));
    let none = "YXCLEARBESTMOVEDATABASE 7,7 2,7 DONE\n";
    assert!(corners.contains(&answer(none)));
}

/// What follows from the board goes to a file of its own, and whole files are
/// taken in.
#[test]
fn a_gui_splits_and_merges() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let database = Database::open(&file("all.db")).unwrap();
    for (moves, label) in [
        ("h8h9", 'w'),
        ("h8h9i8", 'l'),
        ("h8h9i8i9", 'w'),
        ("h8i9", 'd'),
    ] {
        let say = |entry: &mut Entry| entry.label = Some(label);
        database.change(&position(moves), say).unwrap();
    }
    drop(database);
    let mut engine = with_database(&file("all.db"));
    let mut ask = |command: &str, name: &str, reply: &str| {
        engine.send(&format!("{command}\n{}\n", file(name).display()));
        engine.expect(reply);
    };
    ask(
        "YXBOARD 7,7,1 7,8,2 DONE yxdbsplit",
        "part.db",
        "MESSAGE wrote 3 <TEXT>",
    );
    ask("YXDBSPLIT", "all.db", "ERROR <TEXT>");
    ask("YXDBMERGE", "all.db", "ERROR <TEXT>");
    ask("YXDBMERGE", "nowhere.db", "ERROR <TEXT>");
    assert!(!file("nowhere.db").exists());
    std::fs::write(
        file("text"),
        "no database, but longer than its header".repeat(99),
    )
    .unwrap();
    ask("YXDBMERGE", "text", "ERROR <TEXT>");
    ask("YXDBMERGE", "", "ERROR <TEXT>");
    ask("yxsetdatabase", "new.db", "MESSAGE DATABASE LOAD DONE");
    ask(
        "INFO database_readonly 1\nYXDBMERGE",
        "part.db",
        "ERROR the database is read only",
    );
    ask(
        "INFO database_readonly 0\nyxdbmerge",
        "part.db",
        "MESSAGE read 3 positions, <TEXT>",
    );
    engine.send("YXDBCHECK\nyxdbfix\nINFO database_readonly 1\nYXDBFIX\nYXDBCHECK\n");
    engine.expect("MESSAGE 3 positions, 0 that make no sense");
    engine.expect("MESSAGE 3 positions, 0 removed");
    engine.expect("ERROR the database is read only");
    engine.expect("MESSAGE 3 positions, 0 that make no sense");
    engine.send("END\n");
    engine.exit_within(Duration::from_secs(5));
    let label = |name: &str, moves: &str| {
        let known = Database::open(&file(name)).unwrap().get(&position(moves));
        known.unwrap().and_then(|entry| entry.label)
    };
    assert_eq!(label("new.db", "h8h9i8"), Some('l'));
    assert_eq!(label("new.db", "h8i9"), None);
    assert_eq!(label("all.db", "h8i9"), Some('d'));
}
