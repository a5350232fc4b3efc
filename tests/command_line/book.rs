//! Books: made by search, shown, played from, and refused.

use super::{fails, prints, program, read, run, text, write};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A book of few positions, which takes a moment.
const BUILD: &str = "book build --size 9 --nodes 300 --lines 3 --margin 30";

fn build(folder: &Path, positions: usize, more: &str) -> String {
    prints(folder, &format!("{BUILD} --positions {positions} {more}"))
}

/// What the program says to a manager, who leaves at once: a search has no time to answer.
fn says(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = program(folder, &arguments.join(" "))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut manager = child.stdin.take().unwrap();
    manager.write_all(input.as_bytes()).unwrap();
    drop(manager);
    text(&child.wait_with_output().unwrap().stdout)
}

fn is_move(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_digit())
}

#[test]
fn a_build_that_is_killed_goes_on_to_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let said = build(
        at,
        60,
        "--searches whole.jsonl --out whole.qxbook --threads 2",
    );
    assert!(said.starts_with("60 positions, "), "{said}");
    assert!(
        said.trim_end()
            .ends_with(" for the side to move at the start"),
        "{said}"
    );
    let line = format!("{BUILD} --positions 60 --searches parts.jsonl --out parts.qxbook");
    let lines = || fs::read_to_string(at.join("parts.jsonl")).map_or(0, |it| it.lines().count());
    for count in [5, 25, 40] {
        let mut child = program(at, &line)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while lines() < count && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().unwrap();
        assert!(lines() < 61, "it was not killed in time");
    }
    // A search is cut off in the middle.
    let parts = read(at, "parts.jsonl");
    write(at, "parts.jsonl", &parts[..parts.len() - 7]);
    prints(at, &line);
    let book = fs::read(at.join("whole.qxbook")).unwrap();
    assert_eq!(fs::read(at.join("parts.qxbook")).unwrap(), book);
    let sorted = |name: &str| {
        let text = read(at, name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("parts.jsonl"), sorted("whole.jsonl"));
    // A changed search is found.
    let whole = read(at, "whole.jsonl");
    let line = format!("{BUILD} --positions 60 --searches changed.jsonl --out changed.qxbook");
    let first = whole.lines().nth(1).unwrap();
    let (search, _) = first.rsplit_once(",\"").unwrap();
    let changed = search.replacen("[[\"", "[[\"a", 1).replace("aa", "a");
    assert_ne!(search, changed);
    write(at, "changed.jsonl", &whole.replacen(search, &changed, 1));
    let error = fails(at, &line);
    assert!(
        error.contains("changed.jsonl: line 2 is damaged"),
        "{error}"
    );
    // A larger book has the searches of the smaller one; a smaller one needs no search.
    build(at, 70, "--searches whole.jsonl --out more.qxbook");
    assert_eq!(read(at, "whole.jsonl").lines().count(), 71);
    build(at, 60, "--searches whole.jsonl --out again.qxbook");
    assert_eq!(fs::read(at.join("again.qxbook")).unwrap(), book);
}

#[test]
fn the_moves_of_a_book_are_played_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, 20, "--searches searches.jsonl --out a.qxbook");
    let shown = prints(at, "book show a.qxbook \"\" --size 9");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "freestyle, board 9, black to move");
    assert!(lines.len() > 1, "{shown}");
    let points: Vec<&str> = lines[1..]
        .iter()
        .flat_map(|line| line.split_whitespace().skip(3))
        .collect();
    let begin = "START 9\nINFO timeout_turn 600000\nBEGIN\nEND\n";
    let none = says(at, &[], begin);
    // Without a book the first move is in the middle, for sure.
    assert!(none.ends_with("4,4\n") && !none.contains("book"), "{none}");
    for seed in 0..10 {
        let said = says(
            at,
            &["--book", "a.qxbook"],
            &format!("INFO seed {seed}\n{begin}"),
        );
        let lines: Vec<&str> = said.lines().collect();
        let [.., message, played] = lines[..] else {
            panic!("{said}");
        };
        let point = message.strip_prefix("MESSAGE ").unwrap();
        let point = point.strip_suffix(" is from the book").unwrap();
        assert!(points.contains(&point), "{point} of {points:?}");
        assert!(is_move(played), "{said}");
        assert_eq!(
            says(
                at,
                &["--book", "a.qxbook"],
                &format!("INFO seed {seed}\n{begin}")
            ),
            said
        );
    }
    // The reply to a move that the book knows, by TURN and by BOARD, and one that it doesn't.
    let known = "START 9\nINFO book a.qxbook\nINFO timeout_turn 600000\n";
    for (request, is_known) in [
        ("TURN 4,4\n", true),
        ("BOARD\n4,4,2\nDONE\n", true),
        ("TURN 0,0\n", false),
    ] {
        let said = says(at, &[], &format!("{known}{request}END\n"));
        assert!(said.contains("MESSAGE the book a.qxbook has "), "{said}");
        assert_eq!(said.contains("is from the book"), is_known, "{said}");
        assert_eq!(said.lines().any(is_move), is_known, "{said}");
    }
    // After STOP the manager gets its answer.
    let searched = format!("{known}TURN 0,0\nSTOP\nRESTART\nEND\n");
    let said = says(at, &[], &searched);
    assert!(
        said.lines().any(is_move) && !said.contains("is from the book"),
        "{said}"
    );
}

#[test]
fn what_is_no_book_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, 20, "--searches searches.jsonl --out a.qxbook");
    let made = fs::read(at.join("a.qxbook")).unwrap();
    let mut damaged = made.clone();
    damaged[20] ^= 1;
    fs::write(at.join("damaged"), damaged).unwrap();
    write(at, "notes.txt", "my notes\n");
    for (name, problem) in [
        ("damaged", "the file is damaged"),
        ("notes.txt", "no opening book is in this file"),
        ("none", ""),
        (".", "no plain file"),
    ] {
        // The book that was open is played from.
        let input = format!("START 9\nINFO book {name}\nBEGIN\nEND\n");
        let said = says(at, &["--book", "a.qxbook"], &input);
        let error = format!("ERROR can't use the book {name}: ");
        assert!(said.contains(&error) && said.contains(problem), "{said}");
        assert!(said.contains(" is from the book\n"), "{said}");
        let output = run(at, &format!("--book {name}"));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(problem), "{output:?}");
        assert!(output.stdout.is_empty());
    }
    for (line, problem) in [
        ("--book a.qxbook bench", "--book is for the protocol"),
        (
            "book show notes.txt h8",
            "can't read notes.txt: no opening book",
        ),
        (
            "book build --searches searches.jsonl --out a.qxbook",
            "a.qxbook exists; --force",
        ),
        (
            "book build --searches notes.txt --out b.qxbook",
            "can't resume notes.txt",
        ),
        (
            "book build --searches searches.jsonl --out b.qxbook --size 9 --nodes 301",
            "it is of another run: lines 3, not 4; nodes 300, not 301",
        ),
        (
            "book build notes.txt --searches b.jsonl --out b.qxbook",
            "can't read notes.txt",
        ),
        (
            "book build --played notes.txt --searches b.jsonl --out b.qxbook",
            "can't read notes.txt",
        ),
        (
            "book build --searches b.jsonl --out b.qxbook --lines 0",
            "--lines",
        ),
        ("book build --out b.qxbook", "--searches"),
        ("book", "build"),
    ] {
        let error = fails(at, line);
        assert!(error.contains(problem), "{line}: {error}");
    }
    assert_eq!(fs::read(at.join("a.qxbook")).unwrap(), made);
    assert_eq!(read(at, "notes.txt"), "my notes\n");
    assert!(!at.join("b.qxbook").exists());
}

/// Books begin where openings end, and go where people went.
#[test]
fn openings_and_games_decide_where_a_book_begins() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "openings.txt", "9 freestyle e5a1\n9 freestyle e5i9e6\n");
    write(at, "renju.txt", "9 renju e5\n");
    write(at, "pass.txt", "9 freestyle e5--e6\n");
    let files = "--searches openings.jsonl --out openings.qxbook";
    build(at, 2, &format!("openings.txt {files}"));
    for (moves, is_known) in [("e5a1", true), ("e4a1e5", true), ("e5", false)] {
        let shown = prints(
            at,
            &format!("book show openings.qxbook \"9 freestyle {moves}\""),
        );
        assert_eq!(
            !shown.contains("no move is known"),
            is_known,
            "{moves}: {shown}"
        );
    }
    for (file, problem) in [
        ("renju.txt", "renju on 9, not freestyle on 9"),
        ("pass.txt", "have to move in turn"),
    ] {
        let line = format!("{BUILD} {file} --searches other.jsonl --out other.qxbook");
        let error = fails(at, &line);
        assert!(error.contains(problem), "{error}");
    }
    let games = "9 freestyle e5e6f7\n9 freestyle e5e6f7a1\n9 freestyle e5a1\n";
    write(at, "games.txt", games);
    prints(at, "explore build games.txt --out played --size 9");
    let files = "--searches played.jsonl --out played.qxbook";
    build(at, 4, &format!("--played played --least 2 {files}"));
    let lines = read(at, "played.jsonl");
    let mut searched: Vec<&str> = lines
        .lines()
        .skip(1)
        .filter_map(|it| it.split('"').nth(1))
        .collect();
    searched.sort_unstable();
    let lengths: Vec<usize> = searched.iter().map(|moves| moves.len() / 2).collect();
    assert_eq!(lengths, [0, 1, 2, 3], "{searched:?}");
}
