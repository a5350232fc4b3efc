//! The commands of the README, run as they are printed, from top to bottom.

use super::{database, prints, text, write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that wait for a person, or that take minutes and more, at least without
/// optimisations. Tests of their own have them with smaller numbers.
const LONGER: &[&str] = &[
    "cargo",
    "quincunx board",
    "quincunx play",
    "quincunx review",
    "quincunx bench",
    "quincunx openings",
    "quincunx match",
    "quincunx check",
    "quincunx gravity",
    "quincunx book",
    "quincunx selfplay",
    "quincunx fit",
    "quincunx spsa",
    "quincunx --parameters",
    "quincunx --book",
];

/// The lines of the README's blocks of commands.
fn commands() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks = page.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    let text: String = blocks.map(|block| block.replace("\\\n", " ")).collect();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_readme_runs_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // What a reader has: a game and a library.
    write(at, "game.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi])");
    database(at);
    prints(
        at,
        "database export t.db openings.lib --format lib --rule renju",
    );
    let program = Path::new(env!("CARGO_BIN_EXE_quincunx"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut done = Vec::new();
    for line in commands() {
        if LONGER.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(at)
            .env("PATH", &path)
            .env("XDG_CONFIG_HOME", at)
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        done.push(line);
    }
    assert!(done.len() >= 9, "{done:?}");
    for made in ["game.svg", "book.db", "book.txt"] {
        assert!(at.join(made).exists(), "{made}");
    }
}
