//! Solves a position: a win by continuous fours or by threes and fours, with
//! every reply that matters.
//!
//! ```sh
//! cargo run --release --example solve -- "15 freestyle h8a1i8c15k5o15k6o1"
//! ```

#![allow(missing_docs, clippy::print_stdout)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Proof, Solver, SolverLimits, WinKind};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let position = std::env::args().nth(1);
    let position = position.unwrap_or("15 freestyle h8a1i8c15k5o15k6o1".to_owned());
    let position = Position::from_line(&position)?;
    let limits = SolverLimits {
        nodes: 1_000_000,
        stop: &mut || false,
    };
    let solution = Solver::new(16 << 20).solve(&position, WinKind::Any, limits);
    match solution.win {
        ForcedWin::Proven(proof) => {
            println!("{} wins in {} plies", position.side(), proof.plies());
            print(&proof, 0);
        }
        ForcedWin::None => println!("{} has no forced win", position.side()),
        ForcedWin::Unknown => println!("not settled in {} nodes", solution.nodes),
    }
    Ok(())
}

/// Prints a proof as a tree: the winner's move, and below it every reply.
fn print(proof: &Proof, depth: usize) {
    let indent = "  ".repeat(depth);
    println!("{indent}{}", proof.point());
    for reply in proof.replies() {
        println!("{indent}  {} is met by", reply.point);
        print(&reply.refutation, depth + 2);
    }
    if !proof.otherwise().is_empty() {
        let line: Vec<String> = proof.otherwise().iter().map(Point::to_string).collect();
        println!("{indent}  anything else loses to {}", line.join(" "));
    }
}
