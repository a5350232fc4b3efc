//! Times that are scaled by the speed of the machine.

use super::{engine, games_of};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A match of two, in which A searches as many nodes a second as its name says.
fn scaled(first: &str, out: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command
        .args(["match", "--no-openings", "--draw-after", "6", "--load", "0"])
        .args(["--engine", &engine("A", first)])
        .args(["--engine", &engine("B", "fair")])
        .args(["--out".as_ref(), out.as_os_str()])
        .args(more);
    command.output().unwrap()
}

/// The output of a match that was played, and its `match.json`.
fn played(first: &str, out: &Path, more: &[&str]) -> (String, String, serde_json::Value) {
    let output = scaled(first, out, more);
    let [report, notes] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{notes}");
    let settings = fs::read_to_string(out.join("match.json")).unwrap();
    (report, notes, serde_json::from_str(&settings).unwrap())
}

const TIMES: [&str; 6] = ["--turn", "300ms", "--tc", "4+0.5", "--scale-to", "100000"];

#[test]
fn times_have_as_many_nodes_as_where_they_are_meant_for() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "2", "--concurrency", "2", "--transcripts"];
    let more = [&TIMES[..], &more, &["--limit", "B:turn=100ms"]].concat();
    let (report, notes, settings) = played("nodes=50000", folder.path(), &more);
    let speed = settings["runs"][0]["speed"].as_f64().unwrap();
    // It says what it did until then; the line takes its time.
    assert!((25_000.0..50_500.0).contains(&speed), "{speed}");
    let factor = 100_000.0 / speed;
    let words = format!("{speed:.0} nodes a second, not 100000: times multiplied by {factor:.3}");
    assert_eq!(notes.lines().next(), Some(&*format!("speed of A: {words}")));
    let row = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
    let speed_row = format!("Speed {words}");
    assert!(
        report.lines().any(|line| row(line) == speed_row),
        "{report}"
    );
    // The settings have the times as they are meant, the engines hear what they have.
    assert_eq!(settings["scale_to"], 100_000);
    assert_eq!(settings["engines"][0]["turn_ms"], 300);
    let said = fs::read_to_string(folder.path().join("transcripts/000000.txt")).unwrap();
    for (key, time) in [
        ("A > INFO timeout_turn", 300.0),
        ("B > INFO timeout_turn", 100.0),
        ("A > INFO timeout_match", 4000.0),
        ("B > INFO time_increment", 500.0),
    ] {
        let told = format!("{key} {:.0}\n", time * factor);
        assert!(said.contains(&told), "{told}: {said}");
    }
}

/// One run has one time control, and its parts have each their own.
#[test]
fn runs_keep_their_speed_and_parts_have_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let play =
        |name: &str, more: &[&str]| played("nodes=50000", &at(name), &[&TIMES, more].concat());
    let (_, _, first) = play("one", &["--games", "4", "--shard=1/2"]);
    let more = ["--games", "8", "--shard=1/2", "--resume"];
    let (_, notes, resumed) = play("one", &more);
    let speed = |settings: &serde_json::Value, run: usize| settings["runs"][run]["speed"].as_f64();
    assert!(
        notes.starts_with("speed of A when the run began: "),
        "{notes}"
    );
    assert_eq!(speed(&resumed, 1), speed(&first, 0));
    assert_eq!(games_of(&at("one")).len(), 4);
    // No two measurements are the same.
    let (_, _, other) = play("two", &["--games", "8", "--shard=2/2"]);
    assert_ne!(speed(&other, 0), speed(&first, 0));
    let merge = |parts: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(["match", "--merge"]).args(parts);
        command.current_dir(folder.path()).output().unwrap()
    };
    let merged = merge(&["one", "two"]);
    let report = String::from_utf8(merged.stdout).unwrap();
    assert!(
        report.contains("8 of 8") && report.contains("nodes a second"),
        "{report}"
    );
    // Times that are not scaled are another match.
    let plain = [&TIMES[..4], &["--games", "8", "--shard=2/2"]].concat();
    played("nodes=50000", &at("plain"), &plain);
    let errors = String::from_utf8(merge(&["one", "plain"]).stderr).unwrap();
    assert!(errors.contains("scale_to none, not 100000"), "{errors}");
}

#[test]
fn speeds_that_are_none_end_the_match_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    for (first, more, code, complaint) in [
        ("fair", &TIMES[..], 1, "the speed of A can't be measured"),
        (
            "nodes=50",
            &TIMES,
            1,
            "nodes a second here, so that times would be multiplied by 2",
        ),
        (
            "crash-at-once",
            &TIMES,
            1,
            "A failed while its speed was measured: crash: ",
        ),
        (
            "nodes=50000",
            &["--nodes", "50", "--scale-to", "9"],
            2,
            "--scale-to scales times, and there are none",
        ),
        (
            "nodes=50000",
            &["--turn", "9", "--scale-to", "0"],
            2,
            "--scale-to",
        ),
    ] {
        let output = scaled(first, &out, more);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{first}: {errors}");
        assert!(errors.contains(complaint), "{first}: {errors}");
        assert!(!out.exists(), "{first}");
    }
}
