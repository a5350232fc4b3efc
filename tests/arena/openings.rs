//! The openings that a match makes: how they are judged, and that a run keeps them.

use super::{MOCK, games_of};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A match of two mocks with openings of its own. Returns whether it succeeded, and its messages.
fn run(folder: &Path, more: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let mock = MOCK.display();
    let engines = [
        format!("--engine=A={mock} fair"),
        format!("--engine=B={mock} fair 5"),
    ];
    command
        .arg("match")
        .args(engines)
        .args(["--out".as_ref(), folder.as_os_str()])
        .args(["--size", "9", "--turn", "9s"])
        .args(more);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), errors)
}

/// The value of a setting in `match.json`, and none where it is missing.
fn setting(folder: &Path, name: &str) -> serde_json::Value {
    let text = fs::read(folder.join("match.json")).unwrap();
    serde_json::from_slice::<serde_json::Value>(&text).unwrap()[name].clone()
}

#[test]
fn a_longer_run_keeps_the_openings_it_made() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let quick = ["--opening-nodes", "700"];
    let (done, notes) = run(at, &[&quick[..], &["--games", "2"]].concat());
    assert!(
        done && notes.contains("1 balanced openings made"),
        "{notes}"
    );
    let test = || ["opening_nodes", "opening_window"].map(|name| setting(at, name));
    assert_eq!(test(), [700, 100]);
    let report = fs::read_to_string(at.join("report.txt")).unwrap();
    assert!(
        report.contains("level within 100 after 700 nodes"),
        "{report}"
    );
    // The run has its own test, whatever the default is.
    let (done, notes) = run(at, &["--games", "6", "--resume"]);
    assert!(done && !notes.contains("openings made"), "{notes}");
    assert_eq!(test(), [700, 100]);
    let games = games_of(at);
    let starts: HashSet<&str> = games.iter().map(|game| game.opening.as_str()).collect();
    assert_eq!((games.len(), starts.len()), (6, 3), "turned: {starts:?}");
    let other = ["--games", "8", "--resume", "--opening-nodes", "800"];
    let (done, notes) = run(at, &other);
    assert!(
        !done && notes.contains("opening_nodes 700, not 800"),
        "{notes}"
    );
    assert_eq!(games_of(at).len(), 6);
}

/// `match.json` of an earlier version does not say how the openings were judged.
#[test]
fn a_run_of_an_earlier_version_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let quick = ["--games", "2", "--opening-nodes", "700"];
    assert!(run(at, &quick).0);
    let path = at.join("match.json");
    let text = fs::read(&path).unwrap();
    let mut settings: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let members = settings.as_object_mut().unwrap();
    assert!(members.remove("opening_nodes").is_some());
    assert!(members.remove("opening_window").is_some());
    fs::write(&path, settings.to_string()).unwrap();
    let (done, notes) = run(at, &["--games", "4", "--resume"]);
    assert!(done && !notes.contains("openings made"), "{notes}");
    assert!(setting(at, "opening_nodes").is_null());
    assert_eq!(games_of(at).len(), 4);
}

#[test]
fn openings_that_are_not_made_are_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    for other in [&["--no-openings"][..], &["--opening-rule", "swap2"]] {
        let line = [other, &["--opening-window", "9"]].concat();
        let (done, notes) = run(&folder.path().join("match"), &line);
        assert!(
            !done && notes.contains("openings that the match makes"),
            "{notes}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
