//! Tests of strength: when they end a run, and when there is nothing to test.

use super::{arena, command, games_of};
#[cfg(unix)]
use std::fs;
use std::process::Command;

#[test]
fn a_test_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--games", "4000", "--sprt", "0,400"];
    let output = arena("taken", "fair", folder.path(), &arguments);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("elo0 accepted"), "{report}");
    assert!(games_of(folder.path()).len() < 100);
}

/// A wrong command does not decide a test.
#[test]
fn a_test_ends_where_a_program_fails_before_its_first_move() {
    for (first, second, complaint) in [
        (
            "crash-at-start",
            "fair",
            "A failed before its first legal move, so there is nothing to test: crash",
        ),
        (
            "fair",
            "refuse",
            "B failed before its first legal move, so there is nothing to test: refused",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let more = ["--games", "4000", "--sprt", "0,400"];
        let output = command(first, second, folder.path(), &more)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
        assert_eq!(games_of(folder.path()).len(), 0, "{errors}");
        // Nothing was played, so that the right command takes the same folder.
        arena("fair 3", "fair 4", folder.path(), &["--games", "2"]);
        assert_eq!(games_of(folder.path()).len(), 2);
    }
}

/// A move off the board was once called none.
#[test]
#[cfg(unix)]
fn a_test_ends_where_the_first_move_is_illegal() {
    let folder = tempfile::tempdir().unwrap();
    let off_board = "!sh -c 'while read word rest; do case $word in START) echo OK;; \
                     BEGIN|TURN|BOARD) echo 99,99;; END) exit;; esac; done'";
    let more = ["--games", "4000", "--sprt", "0,400"];
    let output = command(off_board, "fair", folder.path(), &more)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let complaint = "A failed before its first legal move, so there is nothing to test: \
                     illegal: 99,99 is off the board";
    assert!(errors.contains(complaint), "{errors}");
}

/// The moves of the runs before say nothing of the command of this one.
#[test]
#[cfg(unix)]
fn a_test_that_goes_on_ends_where_a_program_fails_before_its_first_move() {
    let folder = tempfile::tempdir().unwrap();
    let (network, script) = (folder.path().join("net"), folder.path().join("start.sh"));
    let text = format!(
        "[ -e {} ] || {{ echo no network >&2; exit 1; }}\nexec {} fair 3\n",
        network.display(),
        super::MOCK.display(),
    );
    fs::write(&script, text).unwrap();
    fs::write(&network, "").unwrap();
    let out = folder.path().join("run");
    let first = format!("!sh {}", script.display());
    arena(&first, "fair", &out, &["--games", "4", "--sprt=0,5"]);
    fs::remove_file(&network).unwrap();
    let more = ["--games", "4000", "--sprt=0,5", "--resume"];
    let output = command(&first, "fair", &out, &more).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let complaint = "A failed before its first legal move, so there is nothing to test: \
                     crash: exit status: 1; no network";
    assert!(errors.contains(complaint), "{errors}");
    assert_eq!(games_of(&out).len(), 4, "{errors}");
}

/// Joined parts exit as a match does, so that a script can ask.
#[test]
fn a_test_of_joined_parts_exits_as_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let [won, lost, failed] = ["won", "lost", "failed"].map(|name| folder.path().join(name));
    arena("fair", "taken", &won, &["--games", "20"]);
    arena("taken", "fair", &lost, &["--games", "20"]);
    // A node whose programs are not where the others have them.
    arena("refuse", "fair", &failed, &["--games", "20"]);
    for (run, more, code) in [
        (&won, &["--sprt=0,400", "--sprt-exit"][..], 0),
        (&lost, &["--sprt=0,400", "--sprt-exit"], 3),
        (&won, &["--sprt=0,1", "--sprt-exit"], 4),
        (&lost, &["--sprt=0,400"], 0),
        (&failed, &["--sprt=0,400", "--sprt-exit"], 1),
        (&failed, &[], 0),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(["match", "--merge"]).arg(run).args(more);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{more:?}: {output:?}");
    }
}
