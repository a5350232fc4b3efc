//! The search's own mate scores, refereed: where it says who wins and in how
//! many plies, every reply is tried.

use crate::sources::{Games, ends_of_games, line, random_boards};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_engine::threats::{ForcedWin, Proof, Solver, SolverLimits, WinKind};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{loses_within, wins_within};
use quincunx_testing::referee::Referee;
use quincunx_testing::searcher::FreshSearcher;

/// What the referee says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruling {
    /// The game is over within the plies that were claimed.
    Holds,
    /// The winner is right; the referee's own way takes longer.
    Longer,
    /// Not settled within the limit.
    Open,
    /// The claim is wrong.
    Wrong,
}

struct Court {
    solver: Solver,
    nodes: u64,
}

impl Court {
    /// Rules on the claim that the side to move wins within so many plies.
    /// Brute force settles short ones for which there is no proof.
    fn win(&mut self, position: &Position, plies: usize) -> Ruling {
        match self.proof(position) {
            Some(proof) if proof.plies() <= plies => Ruling::Holds,
            _ if plies <= 5 && wins_within(&mut Board::of(position), plies) => Ruling::Holds,
            _ if plies <= 5 => Ruling::Wrong,
            Some(_) => Ruling::Longer,
            None => Ruling::Open,
        }
    }

    /// Rules on the claim that the side to move loses within so many plies:
    /// after every move of its own it must.
    fn loss(&mut self, position: &Position, plies: usize) -> Ruling {
        let mut board = Board::of(position);
        if plies <= 4 {
            let holds = loses_within(&mut board, plies);
            return if holds { Ruling::Holds } else { Ruling::Wrong };
        }
        if self.proof(position).is_some() {
            return Ruling::Wrong;
        }
        let mut ruling = Ruling::Holds;
        let mut after = position.clone();
        for at in board.empty() {
            if !board.is_legal(at) || board.after(at, |board| wins_within(board, 3)) {
                continue;
            }
            after.play(quincunx_testing::oracle::point(at));
            let won = after.won();
            let one = self.win(&after, plies - 1);
            after.undo();
            match one {
                _ if won => return Ruling::Wrong,
                Ruling::Wrong | Ruling::Open => return one,
                Ruling::Longer => ruling = Ruling::Longer,
                Ruling::Holds => {}
            }
        }
        ruling
    }

    /// A win of the side to move that holds against every reply.
    fn proof(&mut self, position: &Position) -> Option<Proof> {
        let limits = SolverLimits {
            nodes: self.nodes,
            stop: &mut || false,
        };
        let solution = self.solver.solve(position, WinKind::Any, limits);
        let ForcedWin::Proven(proof) = solution.win else {
            return None;
        };
        let checked = Referee::default().check(&mut Board::of(position), &proof);
        assert_eq!(checked, Ok(()), "{position:?}");
        Some(proof)
    }
}

/// Searches every position and has all claims ruled on. Returns how many there
/// were of each ruling, wins first, then losses.
fn ruled(positions: impl Iterator<Item = Position>, nodes: u64, limit: u64) -> [[usize; 3]; 2] {
    let mut searcher = FreshSearcher::default();
    let mut court = Court {
        solver: Solver::new(16 << 20),
        nodes: limit,
    };
    let mut counts = [[0; 3]; 2];
    for position in positions {
        let score = searcher.search(&position, nodes).score;
        let Some(plies) = score.plies() else {
            continue;
        };
        let ruling = if score.is_win() {
            court.win(&position, plies)
        } else {
            court.loss(&position, plies)
        };
        assert_ne!(ruling, Ruling::Wrong, "{score} in {position:?}");
        counts[usize::from(score.is_loss())][ruling as usize] += 1;
        if ruling == Ruling::Open {
            println!("{score} in {position:?}");
        }
    }
    counts
}

fn report(name: &str, counts: [[usize; 3]; 2]) {
    let [wins, losses] = counts;
    println!("{name}, claims that hold, take longer, stay open: wins {wins:?}, losses {losses:?}");
    let all: usize = counts.iter().flatten().sum();
    let [longer, open] = [1, 2].map(|ruling| wins[ruling] + losses[ruling]);
    assert!(open * 50 < all, "{open} of {all} stay open");
    assert!(longer * 5 < all, "{longer} of {all} take longer");
    assert!(losses[0] > 20 && wins[0] > 20);
}

#[test]
fn mates_on_random_boards_are_mates() {
    report("boards", ruled(random_boards(1, 800, 6..=15), 300, 20_000));
}

#[test]
fn mates_in_own_games_are_mates() {
    report("games", ruled(ends_of_games(1, 30, 12), 300, 20_000));
}

/// More of the same: `cargo test --release --test positions -- --ignored mates`.
#[test]
#[ignore = "takes minutes"]
fn mates_at_volume() {
    report(
        "boards",
        ruled(random_boards(2, 10_000, 6..=15), 2_000, 200_000),
    );
    report("games", ruled(ends_of_games(2, 400, 12), 2_000, 200_000));
}

/// How often a search overlooks a win by threats that the solver finds with a tenth of its nodes.
/// Where there is one legal answer to a four, the search ends at once and overlooks nothing.
/// `cargo test --release -p quincunx-train --test positions -- --ignored --nocapture overlooked`.
#[test]
#[ignore = "takes minutes"]
fn wins_that_are_overlooked() {
    const NODES: u64 = 100_000;
    let mut searcher = FreshSearcher::default();
    for rule in Rule::ALL {
        let games = Games {
            rule,
            size: BoardSize::default(),
            nodes: 400,
            seed: 3,
        };
        let mut court = Court {
            solver: Solver::new(16 << 20),
            nodes: NODES / 10,
        };
        let (mut wins, mut overlooked, mut played_otherwise) = (0, 0, 0);
        for game in games.positions().take(300) {
            // Of each game the first position with a win of nine plies or more.
            let win = game
                .iter()
                .filter(|position| !position.won())
                .find_map(|position| {
                    let proof = court.proof(position).filter(|proof| proof.plies() >= 9)?;
                    Some((position, proof))
                });
            let Some((position, proof)) = win else {
                continue;
            };
            let result = searcher.search(position, NODES);
            wins += 1;
            if result.nodes >= NODES && !result.score.is_win() {
                overlooked += 1;
                let plays_it = result.best() == proof.line().first().copied();
                played_otherwise += usize::from(!plays_it);
                println!(
                    "{}: {} plies, {}",
                    line(position),
                    proof.plies(),
                    result.score
                );
            }
        }
        println!(
            "{rule}: of {wins} wins {overlooked} are overlooked; in {played_otherwise} of these \
             another move is played"
        );
        assert!(
            wins > 100 && overlooked * 20 < wins,
            "{overlooked} of {wins}"
        );
    }
}
