//! An engine process under test.

use crate::{PATIENCE, built, program};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The binary, its input, and the lines it says.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts the binary: the one just built, or the one that the variable
    /// QUINCUNX names.
    pub fn start(arguments: &[&str]) -> Process {
        let mut child = Command::new(program())
            .args(arguments)
            .env_remove("RUST_LOG")
            // No configuration of the user who runs the tests.
            .env("XDG_CONFIG_HOME", built().join("no-configuration"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Writes `text` as it is.
    pub fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line of any kind but that which names the rule.
    pub fn line(&mut self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("a line in time");
            if !names_rule(&line) {
                return line;
            }
        }
    }

    /// Waits for a line like `expected`, where `<MOVE>` stands for any move,
    /// `<NUMBER>` for a number and `<TEXT>` at the end for any rest. Messages
    /// that are not expected are passed over; anything else fails.
    pub fn expect(&mut self, expected: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no line like '{expected}'"));
            if matches(expected, &line) {
                return;
            }
            assert!(
                line.starts_with("MESSAGE ") || line.starts_with("INFO "),
                "'{line}' instead of '{expected}'"
            );
        }
    }

    /// All lines before the next move.
    pub fn until_move(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if as_move(&line).is_some() {
                return lines;
            }
            lines.push(line);
        }
    }

    /// The next move.
    pub fn next_move(&mut self) -> (usize, usize) {
        loop {
            let line = self.line();
            match as_move(&line) {
                Some(at) => return at,
                None => assert!(line.starts_with("MESSAGE "), "'{line}' instead of a move"),
            }
        }
    }

    /// Fails if any line comes within `time`, but one that names the rule.
    pub fn quiet_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(line) =
            (self.lines).recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            assert!(names_rule(&line), "said {line:?}");
        }
    }

    /// Every line until the engine has left, but those that name the rule.
    pub fn rest(&mut self) -> Vec<String> {
        self.lines.iter().filter(|line| !names_rule(line)).collect()
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The exit code, if the engine leaves in time.
    pub fn exit_within(&mut self, time: Duration) -> Option<i32> {
        let before = Instant::now();
        while before.elapsed() < time {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// All it said on standard error; call it when the engine has left.
    pub fn standard_error(&mut self) -> String {
        let mut text = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    /// The most memory it ever used, in bytes, where the system tells.
    pub fn peak_memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib * 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns true if one of five measured times is below the limit. A busy machine delays single
/// runs, a slow program all of them.
pub fn is_soon(limit: Duration, time: impl Fn() -> Duration) -> bool {
    (0..5).any(|_| time() < limit)
}

/// The coordinates, if the line is a move and nothing else.
fn as_move(line: &str) -> Option<(usize, usize)> {
    let (x, y) = line.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

fn matches(expected: &str, line: &str) -> bool {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    for (at, pattern) in expected.iter().enumerate() {
        let word = words.get(at).copied().unwrap_or("");
        if let Some(start) = pattern.strip_suffix("<TEXT>") {
            return word.starts_with(start);
        }
        let number = *pattern == "<NUMBER>" && word.parse::<i64>().is_ok();
        let point = *pattern == "<MOVE>" && as_move(word).is_some();
        if *pattern != word && !number && !point {
            return false;
        }
    }
    expected.len() == words.len()
}

/// Returns true if a line names the rule, as after START.
fn names_rule(line: &str) -> bool {
    line.starts_with("MESSAGE rule ")
}
