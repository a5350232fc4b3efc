//! The files of `crates/engine/tests/suites`: positions of the engine's own games and of random
//! boards, labelled by the engine and by checkers that share no code with it. The ignored tests
//! here make them again; the same build always makes the same files.

mod forbidden;
mod solver;
mod tactics;

/// Writes a file below the target folder, from where it is copied by hand.
fn write(name: &str, header: &str, lines: &[String]) {
    let header: Vec<String> = (header.trim().lines())
        .map(|line| format!("# {line}"))
        .collect();
    let command = "cargo test --release -p quincunx-train --test positions -- --ignored";
    let made = format!("# Made by: {command} suites::{name}");
    let text = [&header, &[made][..], lines].concat().join("\n") + "\n";
    let path = format!("{}/{name}.txt", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).unwrap();
    println!("{path}");
}

#[test]
#[ignore = "makes a file of positions, which takes minutes"]
fn forbidden() {
    write("forbidden", forbidden::HEADER, &forbidden::lines());
}

#[test]
#[ignore = "makes a file of positions, which takes minutes"]
fn solver() {
    write("solver", solver::HEADER, &solver::lines());
}

#[test]
#[ignore = "makes a file of positions, which takes minutes"]
fn tactics() {
    write("tactics", tactics::HEADER, &tactics::lines());
}
