//! The engine in little memory: it says that there is not enough, or it moves. It never
//! aborts.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// What the engine says to a position of a rule within this many KiB of address space: a
/// move, or an error.
fn answer(rule: u8, kib: u32) -> String {
    let limited = "ulimit -v $0 && exec \"$1\"";
    let program = env!("CARGO_BIN_EXE_quincunx");
    let mut engine = Command::new("sh")
        .args(["-c", limited, &kib.to_string(), program])
        .env_remove("RUST_LOG")
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let output = BufReader::new(engine.stdout.take().unwrap());
    // A program that has given up reads nothing.
    let _ = write!(
        input,
        "START 15\nINFO rule {rule}\nINFO timeout_turn 200\nBOARD\n7,7,1\n8,8,2\nDONE\n"
    );
    let is_answer = |line: &String| line.starts_with("ERROR") || line.parse_point().is_some();
    let answer = output.lines().map_while(Result::ok).find(is_answer);
    let _ = writeln!(input, "END");
    drop(input);
    let ended = engine.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    let answer = answer.unwrap_or_else(|| panic!("{rule}, {kib} KiB: {complaint}"));
    let code = i32::from(answer.starts_with("ERROR"));
    assert_eq!(
        ended.status.code(),
        Some(code),
        "{rule}, {kib} KiB: {complaint}"
    );
    answer
}

trait ParsePoint {
    fn parse_point(&self) -> Option<(u8, u8)>;
}

impl ParsePoint for str {
    fn parse_point(&self) -> Option<(u8, u8)> {
        let (x, y) = self.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    }
}

#[test]
fn little_memory_is_an_error_or_makes_a_move() {
    for rule in [0, 1, 4, 8] {
        let answers = (48_000..=120_000)
            .step_by(12_000)
            .map(|kib| answer(rule, kib));
        let answers: Vec<String> = answers.collect();
        assert!(answers[0].contains("memory"), "{answers:?}");
        assert!(
            answers.last().unwrap().parse_point().is_some(),
            "{answers:?}"
        );
    }
}
