//! The conformance check tells good manners from bad ones.

use super::MOCK;
use std::process::Command;

fn check(behaviour: &str) -> (bool, String) {
    let engine = format!("{} {behaviour}", MOCK.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let output = command
        .args(["check", &engine, "--rule", "freestyle", "--start-ms", "900"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text)
}

fn has(text: &str, verdict: &str, name: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with(verdict) && line.contains(name))
}

#[test]
fn an_engine_that_plays_at_random_keeps_most_rules() {
    let (clean, text) = check("fair");
    for name in [
        "ABOUT before START",
        "START, lines that end in CR LF",
        "commands in several writes",
        "legal moves as white, freestyle",
        "end of file while idle",
        "a turn of 50 ms is kept",
    ] {
        assert!(has(&text, "passed", name), "{name}: {text}");
    }
    // It sees no fives and knows few commands.
    assert!(!clean);
    assert!(
        has(&text, "FAILED", "a five is completed, freestyle"),
        "{text}"
    );
    assert!(text.contains("> BOARD"), "{text}");
}

#[test]
fn a_program_that_leaves_fails_everything() {
    let (clean, text) = check("crash-at-once");
    assert!(!clean);
    assert!(has(&text, "FAILED", "START, lines that end in CR LF"));
    assert!(!has(&text, "passed", "legal moves"), "{text}");
}
