//! The program's commands as people and scripts type them: what they print, what
//! they leave on the disk, how they end.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "analysis")]
mod analysis;
#[cfg(feature = "analysis")]
mod book;
mod config;
#[cfg(all(
    unix,
    feature = "analysis",
    feature = "arena",
    feature = "database",
    feature = "train"
))]
mod documents;
#[cfg(feature = "analysis")]
mod explore;
#[cfg(feature = "board")]
mod export;
#[cfg(feature = "database")]
mod exports;
mod files;
mod games;
#[cfg(all(target_os = "linux", feature = "database"))]
mod imports;
mod usage;
mod version;
mod words;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program in a folder, with nothing to read and no configuration of the user who runs the
/// tests.
fn program(folder: &Path, line: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    program
        .args(shlex::split(line).unwrap())
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .env("XDG_CONFIG_HOME", folder)
        .env("APPDATA", folder)
        .env("HOME", folder)
        .stdin(Stdio::null());
    program
}

/// Runs the program in a folder, with nothing to read.
fn run(folder: &Path, line: &str) -> Output {
    program(folder, line).output().unwrap()
}

/// Runs the program under a limit of the shell.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, limit: &str, line: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_quincunx");
    Command::new("sh")
        .args(["-c", &format!("{limit}; exec '{program}' {line}")])
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What a command writes in a terminal of its own. None where no program makes one.
#[cfg(target_os = "linux")]
fn in_terminal(folder: &Path, line: &str) -> Option<String> {
    let command = format!("'{}' {line}", env!("CARGO_BIN_EXE_quincunx"));
    // This is `script` of util-linux.
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder)
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        let skipped = b"SKIPPED: there is no program called script\n";
        std::io::Write::write_all(&mut std::io::stderr(), skipped).unwrap();
        return None;
    };
    Some(text(&output.stdout))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command prints that succeeds.
#[track_caller]
fn prints(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    text(&output.stdout)
}

/// What a command complains of that fails.
#[track_caller]
fn fails(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(!output.status.success(), "{line}: {output:?}");
    text(&output.stderr)
}

fn write(folder: &Path, name: &str, contents: &str) {
    fs::write(folder.join(name), contents).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A database of one position.
fn database(folder: &Path) {
    write(folder, "one.txt", "15 renju h8i9 {\"text\":\"one\"}\n");
    prints(folder, "database import t.db one.txt");
}
