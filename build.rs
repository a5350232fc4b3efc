//! Tells the program which commit it is built from, and its bench.

#![allow(clippy::print_stdout)]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Builds for tests need not be made anew after every commit.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let build = if is_release { description() } else { None };
    println!(
        "cargo::rustc-env=QUINCUNX_BUILD={}",
        build.unwrap_or_default()
    );
}

/// ` (COMMIT, bench N)`, where this is a repository of its own.
fn description() -> Option<String> {
    let head = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={head}");
    // A copy of the sources inside another repository is none of its commits.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let here = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    if std::fs::canonicalize(top).ok()? != std::fs::canonicalize(here).ok()? {
        return None;
    }
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let log = git(&["log", "-n", "200", "--format=%B"])?;
    let bench = log.split("Bench: ").nth(1).map(|rest| {
        let digits = rest.chars().take_while(char::is_ascii_digit);
        format!(", bench {}", digits.collect::<String>())
    });
    Some(format!(" ({commit}{})", bench.unwrap_or_default()))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
