//! Imports into databases: how far they are, and what is left when they are interrupted.

use super::usage::listens;
use super::{database, in_terminal, prints, program, run, text, write};
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A file of positions of three stones: about 50,000 for each of the points of the third.
fn many_positions(at: &Path, points: usize) {
    let mut lines = String::new();
    for number in 0..225 * 225 * points {
        let (first, second, third) = (number % 225, number / 225 % 225, 113 + number / 225 / 225);
        let point = |index: usize| {
            format!(
                "{}{}",
                char::from(b'a' + (index % 15) as u8),
                1 + index / 15
            )
        };
        if first != second && first != third && second != third {
            let _ = writeln!(
                lines,
                "15 freestyle {}{}{} {{\"value\":{number}}}",
                point(first),
                point(second),
                point(third)
            );
        }
    }
    write(at, "many.txt", &lines);
}

fn start(at: &Path, line: &str) -> Child {
    let mut command = program(at, line);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(sent.success());
}

/// The names of the files in a folder.
fn names(at: &Path) -> Vec<String> {
    let entries = fs::read_dir(at).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Waits until an import has a draft or an open database, and has begun to work.
fn wait_until_it_works(child: &mut Child, at: &Path, before: usize) {
    while names(at).len() == before {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none());
}

#[test]
fn an_import_that_is_interrupted_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    many_positions(at, 3);
    for name in ["-INT", "-TERM"] {
        let mut child = start(at, "database import new.db many.txt");
        wait_until_it_works(&mut child, at, 1);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("interrupted: nothing has changed"), "{said}");
        assert_eq!(names(at), ["many.txt"]);
    }
    // A process that is killed can't clean up, but the next import does.
    let mut child = start(at, "database import new.db many.txt");
    wait_until_it_works(&mut child, at, 1);
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert!(!at.join("new.db").exists());
    assert_eq!(names(at).len(), 2);
    write(at, "one.txt", "15 renju h8i9 {\"text\":\"one\"}\n");
    let output = run(at, "database import new.db one.txt");
    assert_eq!(text(&output.stdout), "read 1 positions, 0 left out\n");
    assert_eq!(names(at), ["many.txt", "new.db", "one.txt"]);
}

#[test]
fn an_import_that_is_interrupted_changes_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    many_positions(at, 3);
    database(at);
    let known = || run(at, "database export t.db -").stdout;
    let before = known();
    for name in ["-INT", "-TERM", "-KILL"] {
        let mut child = start(at, "database import t.db many.txt");
        while !listens(child.id()) {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, name);
        let status = child.wait().unwrap();
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert!(!status.success(), "{name}");
        assert!(said.contains("interrupted: ") || name == "-KILL", "{said}");
        assert_eq!(text(&known()), text(&before), "{name}");
    }
}

#[test]
fn an_import_shows_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Progress is shown every 200 ms, so that a step of a short import may never be seen.
    many_positions(at, 3);
    let Some(written) = in_terminal(at, "database import new.db many.txt") else {
        return;
    };
    let positions = fs::read_to_string(at.join("many.txt"))
        .unwrap()
        .lines()
        .count();
    assert!(
        written.contains(&format!(" of {positions}\u{1b}")),
        "{written:?}"
    );
    let end = format!("read {positions} positions, 0 left out");
    assert!(written.contains(&end), "{written:?}");
}

/// Comments once were other characters without a word.
#[test]
fn a_library_in_latin_1_is_remarked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut library = b"\xFFRenLib\xFF\x03\x04".to_vec();
    library.resize(20, 0xFF);
    // The empty board, and a move with a comment.
    library.extend(b"\x00\x00\x78\x48\xE4\xE0\x00\x00");
    fs::write(at.join("a.lib"), library).unwrap();
    for (name, options, comment, is_told) in [
        ("one.db", "", "\u{e4}\u{e0}", true),
        ("two.db", "--encoding windows-1251", "\u{434}\u{430}", false),
    ] {
        let output = run(at, &format!("database import {name} a.lib {options}"));
        let error = text(&output.stderr);
        assert!(output.status.success(), "{error}");
        assert_eq!(error.contains("read as Latin-1"), is_told, "{error}");
        let known = prints(at, &format!("database query {name} '15 freestyle h8'"));
        assert!(known.contains(comment), "{known}");
    }
}
