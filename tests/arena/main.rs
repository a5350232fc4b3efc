//! The arena through the real program: engines that do everything wrong, runs
//! that are stopped, cut and joined.

#![allow(clippy::unwrap_used)]

mod check;
mod clocks;
mod endings;
mod faults;
mod formats;
mod openings;
mod parts;
mod ratings;
mod records;
mod report;
mod speed;
mod sprt;

use quincunx_arena::record::MatchGame;
use quincunx_arena::store::read_games;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The mock engine, built on the way: cargo builds examples only where all targets are tested.
static MOCK: LazyLock<PathBuf> = LazyLock::new(|| {
    let built = quincunx_testing::built();
    let mut cargo = Command::new(env!("CARGO"));
    // In the folder of the workspace, so that its dependencies have the features that they have.
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args(["build", "--quiet", "--example", "mock"]);
    if built.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success());
    let name = format!("mock{}", std::env::consts::EXE_SUFFIX);
    built.join("examples").join(name)
});

/// A mock's behaviour, or a command of its own after a `!`.
fn engine(name: &str, behaviour: &str) -> String {
    match behaviour.strip_prefix('!') {
        Some(command) => format!("{name}={command}"),
        None => format!("{name}={} {behaviour}", MOCK.display()),
    }
}

/// A match of two, ready to start.
fn command(first: &str, second: &str, out: &Path, more: &[&str]) -> Command {
    let more = [&["--turn", "9000"], more].concat();
    without_clock(first, second, out, &more)
}

/// A match of two whose limits `more` has, ready to start.
fn without_clock(first: &str, second: &str, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command
        .arg("match")
        .args(["--engine", &engine("A", first)])
        .args(["--engine", &engine("B", second)])
        .args(["--out".as_ref(), out.as_os_str()])
        .args(["--concurrency", "2", "--load", "0"])
        .args(more);
    if !more.contains(&"--openings") {
        command.arg("--no-openings");
    }
    command
}

fn arena(first: &str, second: &str, out: &Path, more: &[&str]) -> Output {
    let output = command(first, second, out, more).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output
}

fn games_of(folder: &Path) -> Vec<MatchGame> {
    read_games(&folder.join("games.jsonl")).unwrap()
}
