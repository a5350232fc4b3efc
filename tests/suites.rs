//! The solver against positions of our own, whose file says how they were made
//! and checked.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod oracle;
mod referee;

use oracle::Board;
use oracle::force::{Fours, by_fours};
use quincunx::position::Position;
use quincunx::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use referee::Referee;

/// The fields of the lines of a file.
fn lines(file: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

fn solve(solver: &mut Solver, position: &Position, kind: WinKind, nodes: u64) -> ForcedWin {
    let limits = SolverLimits {
        nodes,
        stop: &mut || false,
    };
    solver.solve(position, kind, limits).win
}

/// Checks what stands in the file of the solver. A brute force with so many
/// nodes looks again at the lengths.
fn forced_wins_are_found(brute: u64) {
    let mut solver = Solver::new(16 << 20);
    let mut counts = [0; 4];
    for fields in lines(include_str!("suites/solver.txt")) {
        let position = Position::from_line(fields[0]).unwrap();
        let mut board = Board::read(fields[0]).unwrap();
        let expected = match fields[1].parse() {
            Ok(plies) => Fours::Win(plies),
            Err(_) => Fours::None,
        };
        let found = match solve(&mut solver, &position, WinKind::Vcf, 200_000) {
            ForcedWin::Proven(proof) => Fours::Win(proof.plies()),
            ForcedWin::None => Fours::None,
            ForcedWin::Unknown => Fours::Open,
        };
        assert_eq!(found, expected, "{fields:?}");
        let again = by_fours(&mut board, brute);
        assert!(again == expected || again == Fours::Open, "{fields:?}");
        counts[0] += 1;
        counts[1] += usize::from(again == expected);
        if found == Fours::None {
            let wins = has_win_by_threes(&mut solver, &position, &mut board);
            assert_eq!(wins, fields[2] == "win", "{fields:?}");
            counts[2 + usize::from(wins)] += 1;
        }
    }
    let [all, again, nothing, threes] = counts;
    println!("{all} positions, {again} by brute force; {threes} by threes, {nothing} nothing");
    assert!(all > 250 && again * 2 > all && nothing > 50 && threes > 80);
}

/// Whether there is a win by threes and fours; if so, it stands every reply.
fn has_win_by_threes(solver: &mut Solver, position: &Position, board: &mut Board) -> bool {
    match solve(solver, position, WinKind::Vct, 50_000) {
        ForcedWin::Proven(proof) => {
            assert_eq!(Referee::default().check(board, &proof), Ok(()));
            true
        }
        ForcedWin::None => false,
        ForcedWin::Unknown => panic!("not settled: {position:?}"),
    }
}

#[test]
fn forced_wins_are_those_of_the_labels() {
    forced_wins_are_found(300);
}

/// All lengths by brute force: `cargo test --release --test suites -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn forced_wins_stand_brute_force() {
    forced_wins_are_found(20_000);
}
