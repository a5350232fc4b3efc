//! The report of a match as text.

use super::{MOCK, arena, command};
use std::fs;
use std::process::Command;

#[test]
fn the_report_says_what_was_played_and_how() {
    let folder = tempfile::tempdir().unwrap();
    let limits = [
        "--limit=A:tc=40/60+0.5",
        "--nodes",
        "700",
        "--option",
        "A:x=y",
    ];
    let more = [&limits[..], &["--games", "2"]].concat();
    let output = arena("off-board", "fair", folder.path(), &more);
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| -> Vec<&str> {
        let mut lines = text.lines().map(|line| line.split_whitespace().collect());
        let found = lines.find(|line: &Vec<&str>| line.first() == Some(&start));
        found.unwrap_or_else(|| panic!("{start}: {text}"))
    };
    assert_eq!(line("Games")[1..4], ["2", "of", "2"]);
    assert_eq!(line("Rule")[1..], ["freestyle,", "board", "15"]);
    assert!(line("Machine").contains(&"threads,"), "{text}");
    assert_eq!(
        line("Played")[1..],
        ["by", "Quincunx", env!("CARGO_PKG_VERSION")]
    );
    let command = format!("{} off-board", MOCK.display());
    for part in [
        "Mock 1.0",
        "40/60+0.5 s, 9 s a move",
        "700 nodes",
        "x=y",
        &command,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Wins, losses and draws in all, then time losses, crashes and fouls.
    let mut cross = text.lines().skip_while(|line| !line.contains("Fouls"));
    let a: Vec<&str> = cross.nth(1).unwrap().split_whitespace().collect();
    assert_eq!(a.join(" "), "A 0 - 2 - 0 0 - 2 - 0 0 0 2", "{text}");
    assert!(text.contains("Results by opening"), "{text}");
    assert!(text.ends_with("\nA vs B: 0 - 2 - 0\n"), "{text}");
    assert!(!text.contains("inf"), "{text}");
    assert_eq!(
        fs::read_to_string(folder.path().join("report.txt")).unwrap(),
        text
    );
    // Another start is another run of the same match.
    let more = [&more[..], &["--resume"]].concat();
    let output = arena("off-board", "fair", folder.path(), &more);
    let settings = fs::read_to_string(folder.path().join("match.json")).unwrap();
    assert_eq!(settings.matches("\"machine\"").count(), 2, "{settings}");
    // The time of this run is not that of the games.
    let text = String::from_utf8(output.stdout).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut rows = text.lines().map(words);
    assert!(rows.any(|row| row == "Games 2 of 2"), "{text}");
}

/// A test counts them as if they said something new.
#[test]
fn games_that_repeat_another_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let report = |second: &str, games: &str| {
        let out = folder.path().join(second).join(games);
        let output = arena("fair 3", second, &out, &["--games", games, "--restart"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let words = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
        let mut rows = text.lines().map(words);
        rows.find(|row| row.starts_with("Repeated"))
    };
    let expected = "Repeated 4 of 6 games, move by move";
    assert_eq!(report("fair 4", "6").as_deref(), Some(expected));
    assert_eq!(report("fair 4", "2"), None);
    // These say nothing at all.
    assert_eq!(report("crash-at-once", "6"), None);
}

/// Reports once had all of what a program calls itself, as it came.
#[test]
#[cfg(unix)]
fn the_name_that_a_program_gives_itself_is_short_and_plain() {
    let boaster = r#"!sh -c 'while read word rest; do case $word in START) echo OK;;
        ABOUT) printf "name=\"{{data}}\033[2J%0999d\", version=\"1\"\n" 0;;
        BEGIN|TURN|BOARD) echo 99,99;; END) exit;; esac; done'"#;
    let folder = tempfile::tempdir().unwrap();
    let output = arena(boaster, "fair", folder.path(), &["--games", "2"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let name = format!("{{{{data}}}} [2J{} 1", "0".repeat(28));
    assert!(text.contains(&format!(" {name} ")), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(page.matches(r#""names":["#).count(), 1);
}

/// A full disk, or a spreadsheet that has the games open, hides no result.
#[test]
fn the_report_is_printed_where_its_files_can_not_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "2", "--resume"];
    arena("off-board", "fair", folder.path(), &more);
    let table = folder.path().join("games.csv");
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    let output = command("off-board", "fair", folder.path(), &more)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("games.csv"), "{errors}");
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.ends_with("\nA vs B: 0 - 2 - 0\n"), "{report}");
}

/// As where the disk is full in the middle of a run, which once printed nothing of what was played.
#[test]
fn the_report_is_printed_where_a_run_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "2", "--resume"];
    arena("off-board", "fair", folder.path(), &more);
    fs::create_dir(folder.path().join("psq/000002.psq")).unwrap();
    let more = ["--games", "4", "--resume"];
    let output = command("off-board", "fair", folder.path(), &more)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("000002.psq"), "{errors}");
    // The game whose records could not be written does not count.
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.ends_with("\nA vs B: 0 - 2 - 0\n"), "{report}");
}

/// Parts that were joined are told where the whole can't be kept.
#[test]
fn the_report_is_printed_where_a_whole_can_not_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part");
    arena("off-board", "fair", &part, &["--games", "2"]);
    let mut merge = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    merge.arg("match").arg("--merge").arg(&part);
    let output = merge.arg("--out").arg(&part).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.ends_with("\nA vs B: 0 - 2 - 0\n"), "{report}");
}
