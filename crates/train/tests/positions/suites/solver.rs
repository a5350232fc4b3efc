//! Positions with and without wins by continuous fours, and by threes and
//! fours.

use crate::sources::{Games, crowded, line};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_engine::threats::{
    ForcedWin, Solver, SolverLimits, ThreatStatus, WinKind, threat_status,
};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{Fours, by_fours, four_points, wins_within};
use quincunx_testing::referee::Referee;
use rayon::prelude::*;

pub(crate) const HEADER: &str = "
Forced wins of the side to move.
Columns, separated by tabs: the position (SIZE RULE MOVES, -- is a pass); the
plies of the shortest win by continuous fours, the five included, or none;
where there is none, whether there is a win by continuous threes and fours.
Source: weak games of the engine against itself, and random boards.
Checked: the engine's solver and an exhaustive search over a plain array of
stones (crates/testing) agree on every length and every none of the first kind.
A win by threes and fours is a proof of the solver that was followed against
every legal reply on such an array (crates/testing). That there is none is the
solver's word; a brute force finds no win within five plies.
";

/// Positions wanted of each kind, of games and again of random boards: wins by
/// fours of up to 7, 13, 21 and more plies, wins by threes, and none.
const WANTED: [usize; 6] = [4, 8, 6, 2, 10, 6];
const KINDS: [usize; 3] = [7, 13, 21];
const BY_THREES: usize = 4;
const NOTHING: usize = 5;

/// How many positions are looked at, at most.
const TRIED: usize = 2_000;

/// Nodes for wins by fours: of the solver, and of the brute force.
const FOURS: u64 = 200_000;
const BRUTE: u64 = 20_000;

/// Nodes for wins by threes.
const THREES: u64 = 50_000;

pub(crate) fn lines() -> Vec<String> {
    let of_rule = |rule: &Rule| {
        let seed = 10 + *rule as u64;
        let mut rng = fastrand::Rng::with_seed(seed);
        let games = Games {
            rule: *rule,
            size: BoardSize::default(),
            nodes: 60,
            seed,
        };
        // One position a game, or they would be much alike.
        let ends = games.positions().filter_map(move |game| {
            let last = rng.usize(1..=6);
            game.into_iter().rev().nth(last)
        });
        let mut rng = fastrand::Rng::with_seed(seed);
        let boards = std::iter::repeat_with(move || crowded(&mut rng, *rule, BoardSize::default()));
        [collect(ends), collect(boards)].concat()
    };
    let lines: Vec<Vec<String>> = Rule::ALL.par_iter().map(of_rule).collect();
    lines.concat()
}

/// The first positions of each kind, so many as are wanted.
fn collect(positions: impl Iterator<Item = Position>) -> Vec<String> {
    let mut wanted = WANTED;
    let mut solver = Solver::new(64 << 20);
    let mut lines = Vec::new();
    for (number, position) in positions.take(TRIED).enumerate() {
        if wanted == [0; 6] {
            break;
        }
        if let Some((kind, labels)) = label(&mut solver, &position, &wanted) {
            wanted[kind] -= 1;
            eprintln!("{number} {wanted:?} {}", position.rule());
            lines.push(format!("{}\t{labels}", line(&position)));
        }
    }
    lines.sort();
    lines
}

fn solve(solver: &mut Solver, position: &Position, kind: WinKind, nodes: u64) -> ForcedWin {
    let limits = SolverLimits {
        nodes,
        stop: &mut || false,
    };
    solver.solve(position, kind, limits).win
}

/// The kind of a position and what stands in its line, if one of its kind is
/// still wanted.
///
/// # Panics
/// If the solver and the checkers disagree.
fn label(solver: &mut Solver, position: &Position, wanted: &[usize; 6]) -> Option<(usize, String)> {
    let status = threat_status(&mut position.clone());
    if matches!(status, ThreatStatus::Win(1 | 3) | ThreatStatus::Loss(_)) {
        return None;
    }
    let mut board = Board::read(&line(position))?;
    match solve(solver, position, WinKind::Vcf, FOURS) {
        ForcedWin::Proven(proof) => {
            let plies = proof.plies();
            let kind = KINDS.iter().filter(|&&most| plies > most).count();
            if wanted[kind] == 0 {
                return None;
            }
            agree(&mut board, Fours::Win(plies))?;
            Some((kind, format!("{plies}\t-")))
        }
        // The trivial ones tell nothing.
        ForcedWin::None if four_points(&mut board).len() < 2 => None,
        ForcedWin::None => {
            let wins = by_threes(solver, position, &mut board, wanted)?;
            agree(&mut board, Fours::None)?;
            Some(if wins {
                (BY_THREES, "none\twin".into())
            } else {
                (NOTHING, "none\tnone".into())
            })
        }
        ForcedWin::Unknown => None,
    }
}

/// Whether the brute force, if it comes to an end, says the same.
fn agree(board: &mut Board, expected: Fours) -> Option<()> {
    let found = by_fours(board, BRUTE);
    assert!(found == expected || found == Fours::Open, "{board:?}");
    (found == expected).then_some(())
}

/// Whether there is a win by threes and fours, if that can be told and one such
/// position is still wanted.
fn by_threes(
    solver: &mut Solver,
    position: &Position,
    board: &mut Board,
    wanted: &[usize; 6],
) -> Option<bool> {
    if wanted[BY_THREES] == 0 && wanted[NOTHING] == 0 {
        return None;
    }
    match solve(solver, position, WinKind::Vct, THREES) {
        ForcedWin::Proven(proof) if wanted[BY_THREES] > 0 => {
            assert_eq!(Referee::default().check(board, &proof), Ok(()));
            Some(true)
        }
        ForcedWin::None if wanted[NOTHING] > 0 => {
            assert!(!wins_within(board, 5), "{board:?}");
            Some(false)
        }
        _ => None,
    }
}
