//! The conformance check tells good manners from bad ones.

use super::MOCK;
use std::process::Command;

fn check(behaviour: &str) -> (bool, String) {
    check_rules(behaviour, &["freestyle"])
}

fn check_rules(behaviour: &str, rules: &[&str]) -> (bool, String) {
    let engine = format!("{} {behaviour}", MOCK.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["check", &engine, "--start-ms", "900"]);
    for rule in rules {
        command.args(["--rule", rule]);
    }
    let output = command.output().unwrap();
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

#[test]
fn a_rule_that_is_refused_is_no_failure() {
    let (_, text) = check_rules("one-rule", &["freestyle", "caro"]);
    assert!(has(&text, "passed", "legal moves as black, freestyle"));
    for name in ["legal moves as black", "the last free point", "a five is"] {
        let unknown = text.lines().find(|line| {
            line.contains(name) && line.contains(", caro ") && line.starts_with("not supported")
        });
        assert!(unknown.is_some(), "{name}: {text}");
    }
}
