//! What was played: files are made, asked and refused.

use super::{fails, prints, program, read, run, text, write};
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Stdio};

/// Two games that meet, and one that goes elsewhere.
const GAMES: &str = "(;GM[4]SZ[15]RU[renju]RE[B+1];B[hh];W[ig];B[jj])\n\
    (;GM[4]SZ[15]RU[renju]RE[W+1];B[hh];W[gi];B[ff])\n\
    (;GM[4]SZ[15]RU[renju]RE[0];B[hh];W[hg])\n";

#[test]
fn games_of_files_and_folders_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("games/more")).unwrap();
    write(at, "games/one.sgf", GAMES);
    write(at, "games/more/two.txt", "15 renju h8i9g10\n");
    write(at, "games/broken.psq", "no game\n");
    write(at, "games/notes.md", "no game\n");
    let output = run(at, "explore build games --out played");
    assert_eq!(text(&output.stdout), "4 games, 3 positions, 5 moves\n");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("broken.psq: line 1: "), "{error}");
    assert!(
        error.ends_with("quincunx: files not read: 1; the others are done\n"),
        "{error}"
    );
    fs::remove_file(at.join("games/broken.psq")).unwrap();
    let asked = |position: &str| -> Value {
        let line = format!("explore played \"{position}\" --rule renju --json");
        serde_json::from_str(&prints(at, &line)).unwrap()
    };
    let told = asked("h8");
    assert_eq!(told["games"], 4);
    let indirect = json!({
        "points": ["g7", "i7", "g9", "i9"],
        "games": 3, "black": 1, "white": 1, "draws": 0, "unknown": 1,
    });
    let direct = json!({
        "points": ["h7", "g8", "i8", "h9"],
        "games": 1, "black": 0, "white": 0, "draws": 1, "unknown": 0,
    });
    assert_eq!(told["moves"], json!([indirect, direct]));
    // Every form of the position, in any order of its stones, by text and by file.
    for position in ["15 renju h8g7", "h8i7", "games/more/two.txt"] {
        let told = asked(position);
        let expected = if position.ends_with("txt") { 0 } else { 3 };
        assert_eq!(told["games"], expected, "{position}");
    }
    let few = prints(at, "explore build games --out few --plies 2 --least 2");
    assert!(few.starts_with("4 games, 2 positions, 2 moves"), "{few}");
    let text = prints(at, "explore few \"15 renju h8\"");
    assert!(text.contains("50 %  g7 i7 g9 i9\n"), "{text}");
    assert!(!text.contains("h9\n"), "{text}");
    let text = prints(at, "explore few \"15 renju h8i9\"");
    assert!(
        text.ends_with("black to move: no move is known\n"),
        "{text}"
    );
}

/// What was guessed about a game once went unsaid where many were read.
#[test]
fn warnings_about_games_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = "(;GM[4]SZ[15]RU[weird];B[hh];W[hi];W[jj])";
    write(at, "one.sgf", game);
    write(at, "three.sgf", &game.repeat(3));
    for (name, start) in [("one.sgf", ""), ("three.sgf", "game 1, and 2 more: ")] {
        let output = run(at, &format!("explore build {name} --out {name}.qx"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let rule = format!("{name}: {start}the rule 'weird' is not known");
        assert!(output.status.success() && told.contains(&rule), "{told}");
        assert!(told.contains("out of turn: the other passes"), "{told}");
        assert_eq!(told.lines().count(), 2, "{told}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "games.sgf", GAMES);
    write(at, "notes.txt", "my notes\n");
    prints(at, "explore build games.sgf --out played");
    let made = fs::read(at.join("played")).unwrap();
    let mut damaged = made.clone();
    damaged[4100] ^= 1;
    fs::write(at.join("damaged"), damaged).unwrap();
    for (line, problem) in [
        (
            "explore build games.sgf --out played",
            "played exists; --force",
        ),
        ("explore build games.sgf --out .", ". is a folder"),
        ("explore build games.sgf --out . --force", ". is a folder"),
        (
            "explore build nosuch.sgf --out new",
            "can't read nosuch.sgf",
        ),
        ("explore build notes.txt --out new", "can't read notes.txt"),
        ("explore build --out new", "<GAMES>"),
        ("explore", "<FILE>"),
        ("explore notes.txt h8", "no file of quincunx explore"),
        ("explore nosuch h8", "can't read nosuch"),
        (
            "explore played h8",
            "has no games of freestyle on a board of 15, only renju on 15 (3 games)",
        ),
        ("explore played \"15 renju h88\"", "h88"),
        (
            "explore damaged \"15 renju\"",
            "the file is damaged: build it anew",
        ),
    ] {
        let error = fails(at, line);
        assert!(error.contains(problem), "{line}: {error}");
    }
    assert_eq!(fs::read(at.join("played")).unwrap(), made);
    assert_eq!(read(at, "notes.txt"), "my notes\n");
    assert!(!at.join("new").exists());
    prints(at, "explore build games.sgf --out played --force");
    assert_eq!(fs::read(at.join("played")).unwrap(), made);
}

/// A build that is interrupted or killed leaves no file, and what stood there before stays.
#[cfg(unix)]
#[test]
fn an_interrupted_build_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "games.sgf", GAMES);
    prints(at, "explore build games.sgf --out played");
    let made = fs::read(at.join("played")).unwrap();
    // Games without end: the build waits for the next one.
    let status = Command::new("mkfifo").arg(at.join("more.sgf")).status();
    assert!(status.unwrap().success());
    for (signal, code, out) in [
        ("-INT", Some(130), "played"),
        ("-KILL", None, "played"),
        ("-TERM", Some(130), "new"),
    ] {
        let line = format!("explore build games.sgf more.sgf --force --out {out}");
        let child = program(at, &line)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // To open a pipe waits for the other side, which has read the first games then.
        let pipe = fs::File::options().write(true).open(at.join("more.sgf"));
        let id = child.id().to_string();
        let kill = Command::new("kill").args([signal, &id]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(pipe);
        assert_eq!(output.status.code(), code, "{signal}");
        assert_eq!(fs::read(at.join("played")).unwrap(), made, "{signal}");
    }
    prints(at, "explore build games.sgf --out played --force");
    assert_eq!(fs::read(at.join("played")).unwrap(), made);
    let entries = fs::read_dir(at)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["games.sgf", "more.sgf", "played"]);
}
