//! How many tactical puzzles the search solves with few nodes: a search that
//! overlooks more than it did fails here. The header of the file says how the
//! puzzles were made and checked.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::position::Position;
use quincunx_testing::searcher::FreshSearcher;

/// Nodes for each puzzle, few and all.
const NODES: [u64; 2] = [1_000, 10_000];

/// Solves the puzzles of a board and rule, and expects at least so many of them
/// solved with few nodes and with all. A floor is a few below the number when the
/// file was made: chance moves some puzzles from one side of a limit to the other.
fn expect_solved(field: &str, floors: [usize; 2]) {
    let file = include_str!("suites/tactics.txt");
    let mut searcher = FreshSearcher::default();
    let (mut solved, mut all) = ([0; 2], 0);
    for line in file.lines().filter(|line| line.starts_with(field)) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_line(fields[0]).unwrap();
        let right = fields[2].parse().unwrap();
        let found = searcher.nodes_to_solution(&position, right, NODES[1]);
        for (count, nodes) in solved.iter_mut().zip(NODES) {
            *count += usize::from(found.is_some_and(|found| found <= nodes));
        }
        all += 1;
    }
    println!("{field}: {solved:?} of {all} solved in {NODES:?} nodes");
    let fell = solved
        .iter()
        .zip(floors)
        .any(|(&solved, floor)| solved < floor);
    assert!(!fell, "{field}: {solved:?} of {all}, expected {floors:?}");
}

#[test]
fn freestyle_15() {
    expect_solved("15 freestyle ", [28, 46]);
}

#[test]
fn freestyle_20() {
    expect_solved("20 freestyle ", [28, 47]);
}

#[test]
fn standard() {
    expect_solved("15 standard ", [28, 43]);
}

#[test]
fn renju() {
    expect_solved("15 renju ", [28, 50]);
}

#[test]
fn caro() {
    expect_solved("15 caro ", [16, 19]);
}

#[test]
fn caro_overline() {
    expect_solved("15 caro-overline ", [16, 21]);
}
