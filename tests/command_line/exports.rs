//! Exports of databases: where they go, and what they leave alone.

use super::{database, fails, prints, program, read, run, text, write};
use std::fs;
use std::process::Stdio;

#[test]
fn an_export_goes_where_it_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    prints(at, "database export t.db copy.txt");
    let expected = read(at, "copy.txt");
    assert!(expected.starts_with("15 renju h8"), "{expected}");
    let expected = expected.as_str();
    // The dash is standard output, and makes no file.
    assert_eq!(prints(at, "database export t.db -"), expected);
    assert!(!at.join("-").exists());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("copy.txt", at.join("link")).unwrap();
        write(at, "copy.txt", "old");
        prints(at, "database export t.db link --force");
        assert!(at.join("link").is_symlink());
        assert_eq!(read(at, "copy.txt"), expected);
        let printed = prints(at, "database export t.db /dev/stdout");
        assert!(printed.starts_with(expected), "{printed}");
    }
}

#[test]
fn an_export_overwrites_nothing_by_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let whole = fs::read(at.join("t.db")).unwrap();
    for (target, options) in [
        ("t.db", ""),
        ("./t.db", "--force"),
        ("t.db", "--force --format lib --rule renju"),
        ("t.db", "--format db"),
    ] {
        let line = format!("database export t.db {target} {options}");
        let output = run(at, &line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains("is the database itself"), "{line}: {error}");
    }
    let known = prints(at, "database query t.db '15 renju h8i9'");
    assert!(known.contains("one"), "{known}");
    assert_eq!(fs::read(at.join("t.db")).unwrap().len(), whole.len());

    write(at, "mine.txt", "mine");
    let error = fails(at, "database export t.db mine.txt");
    assert!(error.contains("mine.txt exists; --force"), "{error}");
    assert_eq!(read(at, "mine.txt"), "mine");
    prints(at, "database export t.db mine.txt --force");
    assert!(read(at, "mine.txt").starts_with("15 renju h8"));
    // Another database is added to.
    for _ in 0..2 {
        prints(at, "database export t.db other.db --format db");
    }
}

/// What a killed export had written once stayed for good, and one that failed left an empty
/// database.
#[test]
fn an_export_leaves_nothing_but_what_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    for (target, options) in [("copy.txt", ""), ("copy.db", "--format db")] {
        let draft = format!(".{target}.aB3dE6.draft");
        write(at, &draft, "half");
        prints(at, &format!("database export t.db {target} {options}"));
        assert!(!at.join(draft).exists() && at.join(target).exists());
    }
    let error = fails(at, "database export t.db none/copy.db --format db");
    assert!(error.contains("can't write none/copy.db: "), "{error}");
    assert!(!at.join("none").exists());
}

/// A text of one rule was asked for, and had all.
#[test]
fn options_of_libraries_are_refused_for_other_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    for line in [
        "database export t.db new.txt --rule renju",
        "database export t.db - --size 15",
        "database export t.db new.db --format db --rule renju",
        "database import t.db one.txt --encoding GBK",
        "database import new.db one.txt --rule renju",
    ] {
        let output = run(at, line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        let expected = "are for RenLib libraries";
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
    prints(at, "database export t.db new.lib --format lib --rule renju");
}

/// A library by its name was text, which no import read, and one of a database of renju was empty.
#[test]
fn an_export_is_read_back_whatever_its_name_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let whole = prints(at, "database export t.db -");
    for (name, options, back) in [
        ("a.lib", "", "--rule renju"),
        ("a.LIB", "--rule renju", "--rule renju"),
        ("b.lib", "--format text", ""),
        ("c.db", "", ""),
        ("d.db", "--format text", ""),
        ("e", "--format lib", "--rule renju"),
        ("f.txt", "", ""),
    ] {
        let told = prints(at, &format!("database export t.db {name} {options}"));
        assert_eq!(told, "wrote 1 positions, 0 left out\n", "{name}");
        fs::remove_file(at.join("back.db")).unwrap_or_default();
        prints(at, &format!("database import back.db {name} {back}"));
        let back = prints(at, "database export back.db -");
        // A library has the moves that lead to a position, too.
        assert!(back.contains(&whole), "{name}: {back}");
    }
    assert!(read(at, "b.lib").starts_with("15 renju"));
    write(
        at,
        "more.txt",
        "15 caro h8i9 {\"text\":\"two\"}\n13 caro g7\n",
    );
    prints(at, "database import t.db more.txt");
    for (options, code, expected) in [
        (
            "",
            2,
            "renju on 15 (1 position), caro on 13 (1 position), caro on 15 (1 position)",
        ),
        (
            "--rule caro",
            2,
            "those of caro on 13 (1 position), caro on 15",
        ),
        (
            "--rule standard",
            1,
            "no positions of this rule and board, only renju on 15",
        ),
        (
            "--rule renju --size 13",
            1,
            "no positions of this rule and board",
        ),
    ] {
        let output = run(at, &format!("database export t.db new.lib {options}"));
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{options}: {error}");
        assert!(error.contains(expected), "{options}: {error}");
        assert!(!at.join("new.lib").exists());
    }
    for options in ["--rule renju", "--rule caro --size 13"] {
        let told = prints(
            at,
            &format!("database export t.db new.lib --force {options}"),
        );
        assert_eq!(told, "wrote 1 positions, 2 left out\n", "{options}");
    }
}

/// A reader that has gone away once made a failure of an export.
#[test]
fn an_export_may_lose_its_reader() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let mut command = program(at, "database export t.db -");
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_with_a_name_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let pipe = at.join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    prints(at, "database export t.db pipe");
    assert!(reader.join().unwrap().starts_with("15 renju h8"));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
