//! Makes the files of `crates/engine/tests/suites`: positions of the engine's own games and
//! of random boards, labelled by the engine and by checkers that share no code
//! with it. `cargo run --release --example suites -- forbidden`, `solver` or
//! `tactics` prints a file; the same build prints the same file again.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../../../engine/tests/oracle/mod.rs"]
mod oracle;
#[path = "../../../engine/tests/referee/mod.rs"]
mod referee;

#[path = "../../../engine/tests/puzzle/mod.rs"]
mod puzzle;

mod forbidden;
mod solver;
mod sources;
mod tactics;

use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (header, lines) = match name.as_str() {
        "forbidden" => (forbidden::HEADER, forbidden::lines()),
        "solver" => (solver::HEADER, solver::lines()),
        "tactics" => (tactics::HEADER, tactics::lines()),
        _ => {
            eprintln!("expected forbidden, solver or tactics");
            return ExitCode::FAILURE;
        }
    };
    for line in header.trim().lines() {
        println!("# {line}");
    }
    println!("# Made by: cargo run --release --example suites -- {name}");
    for line in lines {
        println!("{line}");
    }
    ExitCode::SUCCESS
}
