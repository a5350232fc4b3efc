//! Positions with one right move: the only one that wins, or the only one that
//! does not lose.

use crate::sources::{Games, line};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, PointSet, Rule};
use quincunx_engine::search::Line;
use quincunx_engine::threats::{
    ForcedWin, Proof, Solver, SolverLimits, ThreatStatus, WinKind, answers, threat_status,
};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{loses_within, wins_within};
use quincunx_testing::referee::Referee;
use quincunx_testing::searcher::FreshSearcher;
use rayon::prelude::*;

pub(crate) const HEADER: &str = "
Tactics: positions with one right move.
Columns, separated by tabs: the position (SIZE RULE MOVES); win or save; the
move; how many nodes the search of the day needed for it.
win: the move wins, and it is the only one that wins by threes and fours.
save: the move is the only one that does not lose to threes and fours.
Source: weak games of the engine against itself, one position of each kind at
most from a game. What takes the search under a hundred nodes is left out.
Checked: every win is a proof of the solver that was followed against every
legal reply on a plain array of stones (crates/testing): that of the winning
move, and after every move but the saving one that of the opponent. After every
move but the winning one the opponent wins in that way too, or has a reply
after which the solver shows that no win by threes and fours is left. After the
saving move the solver shows the same of the opponent. These disproofs are the
solver's own. A brute force over plain arrays finds no other win there within
five plies, and the search none within 100000 nodes.
";

/// The boards and rules, each with the seed of its games.
const FIELDS: [(Rule, usize, u64); 6] = [
    (Rule::Freestyle, 15, 1),
    (Rule::Freestyle, 20, 2),
    (Rule::Standard, 15, 3),
    (Rule::Renju, 15, 4),
    (Rule::Caro, 15, 5),
    (Rule::CaroOverline, 15, 6),
];

/// Puzzles of each kind that need a hundred nodes and more, a thousand and
/// more, ten thousand and more.
const WANTED: [usize; 3] = [16, 12, 8];
const EASIEST: u64 = 100;
const HARDEST: u64 = 300_000;

/// How many games are looked through, at most.
const GAMES: usize = 700;

/// The last positions of a game: where it was decided.
const ENDS: usize = 16;

/// Nodes of a move of the games.
const WEAK: u32 = 100;

/// Nodes of the search that looks for another solution.
const SECOND_LOOK: u64 = 100_000;

/// Nodes of the solver for a win, and for showing that there is none.
const PROOF: u64 = 4_000;
const DISPROOF: u64 = 30_000;

pub(crate) fn lines() -> Vec<String> {
    let puzzles = FIELDS.par_iter().map(collect);
    puzzles.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn collect(&(rule, side, seed): &(Rule, usize, u64)) -> Vec<String> {
    let size = BoardSize::square(side).expect("a size");
    let games = Games {
        rule,
        size,
        nodes: WEAK,
        seed,
    };
    let mut maker = Maker {
        solver: Solver::new(64 << 20),
        searcher: FreshSearcher::default(),
        wanted: [WANTED; 2],
    };
    let mut lines = Vec::new();
    for (number, game) in games.positions().take(GAMES).enumerate() {
        if maker.wanted == [[0; 3]; 2] {
            break;
        }
        let mut seen = [false; 2];
        for position in game.iter().rev().take(ENDS) {
            if let Some((task, puzzle)) = maker.puzzle(position, seen) {
                seen[task as usize] = true;
                eprintln!("{number} {:?} {puzzle}", maker.wanted);
                lines.push(puzzle);
            }
        }
    }
    lines.sort();
    lines
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Win,
    Save,
}

struct Maker {
    solver: Solver,
    searcher: FreshSearcher,
    /// How many puzzles of each task and hardness are still wanted.
    wanted: [[usize; 3]; 2],
}

impl Maker {
    /// The position with its task and solution, if it is a puzzle.
    fn puzzle(&mut self, position: &Position, seen: [bool; 2]) -> Option<(Task, String)> {
        let status = threat_status(&mut position.clone());
        if !matches!(status, ThreatStatus::Quiet | ThreatStatus::MustDefend) {
            return None;
        }
        let own = match self.solve(position, PROOF) {
            ForcedWin::Proven(proof) => Some(proof.point()),
            _ => None,
        };
        let task = own.map_or(Task::Save, |_| Task::Win);
        if seen[task as usize] || self.wanted[task as usize] == [0; 3] {
            return None;
        }
        let right = match own {
            Some(point) => self.winner(position, point)?,
            None => self.saviour(position)?,
        };
        let nodes = self.searcher.nodes_to_solution(position, right, HARDEST)?;
        let hardness = nodes.max(1).ilog10().checked_sub(EASIEST.ilog10())?.min(2) as usize;
        if self.wanted[task as usize][hardness] == 0 || !self.is_confirmed(position, task, right) {
            return None;
        }
        self.wanted[task as usize][hardness] -= 1;
        let word = ["win", "save"][task as usize];
        Some((
            task,
            format!("{}\t{word}\t{right}\t{nodes}", line(position)),
        ))
    }

    fn solve(&mut self, position: &Position, nodes: u64) -> ForcedWin {
        let limits = SolverLimits {
            nodes,
            stop: &mut || false,
        };
        self.solver.solve(position, WinKind::Any, limits).win
    }

    /// A win of the side to move that has been followed against every reply.
    ///
    /// # Panics
    /// If a reply refutes it.
    fn proof(&mut self, position: &Position, nodes: u64) -> Option<Proof> {
        let ForcedWin::Proven(proof) = self.solve(position, nodes) else {
            return None;
        };
        let checked = Referee::default().check(&mut Board::of(position), &proof);
        assert_eq!(checked, Ok(()), "{position:?}");
        Some(proof)
    }

    fn search_others(&mut self, position: &Position, point: Point, nodes: u64) -> Line {
        let excluded = [point].into_iter().collect();
        self.searcher
            .search_without(position, excluded, nodes, &mut ())
    }

    /// The move, which wins, if the search sees no other at a glance.
    fn winner(&mut self, position: &Position, point: Point) -> Option<Point> {
        const GLANCE: u64 = 5_000;
        let others = self.search_others(position, point, GLANCE);
        (!others.score.is_win()).then_some(point)
    }

    /// The only move after which the opponent has no win, as far as the moves
    /// tell that the search likes best.
    fn saviour(&mut self, position: &Position) -> Option<Point> {
        const LOOK: u64 = 3_000;
        let mut passed = position.clone();
        passed.pass();
        let ForcedWin::Proven(_) = self.solve(&passed, PROOF) else {
            return None;
        };
        let mut tried = PointSet::EMPTY;
        let mut saviour = None;
        loop {
            let next = self.searcher.search_without(position, tried, LOOK, &mut ());
            match next.best() {
                Some(point) if !next.score.is_loss() => {
                    tried.insert(point);
                    match self.solve(&after(position, point), DISPROOF) {
                        ForcedWin::Proven(_) => {}
                        ForcedWin::None if saviour.is_none() => saviour = Some(point),
                        _ => return None,
                    }
                }
                _ => return saviour,
            }
        }
    }

    /// Whether the right move is the only one as far as can be shown.
    fn is_confirmed(&mut self, position: &Position, task: Task, right: Point) -> bool {
        let mut others = legal_moves(position);
        others.retain(|&point| point != right);
        // What refutes a puzzle is most often near.
        others.sort_by_key(|point| point.distance(right));
        let saved = after(position, right);
        match task {
            Task::Save => {
                !wins_within(&mut Board::of(&saved), 5)
                    && (others.iter())
                        .all(|&point| self.proof(&after(position, point), DISPROOF).is_some())
                    && !self.searcher.search(&saved, SECOND_LOOK).score.is_win()
            }
            Task::Win => {
                self.proof(position, DISPROOF).is_some()
                    && (others.iter()).all(|&point| self.wins_nothing(position, point, right))
                    && !(self.search_others(position, right, SECOND_LOOK).score).is_win()
            }
        }
    }

    /// Whether a move other than the winning one leaves the opponent a win, or
    /// a reply after which there is none any more.
    fn wins_nothing(&mut self, position: &Position, point: Point, winner: Point) -> bool {
        let position = after(position, point);
        if loses_within(&mut Board::of(&position), 4) {
            return false;
        }
        if self.proof(&position, PROOF).is_some() {
            return true;
        }
        let replies = self.replies(&position, winner);
        replies.into_iter().any(|reply| {
            let position = after(&position, reply);
            self.solve(&position, DISPROOF) == ForcedWin::None
        })
    }

    /// The replies that promise most.
    fn replies(&mut self, position: &Position, winner: Point) -> Vec<Point> {
        const GLANCE: u64 = 2_000;
        let mut replies: Vec<Point> = answers(position).iter().collect();
        replies.truncate(8);
        replies.insert(0, winner);
        replies.extend(self.searcher.search(position, GLANCE).best());
        replies.retain(|&point| position.clone().is_legal(point));
        replies
    }
}

fn legal_moves(position: &Position) -> Vec<Point> {
    let mut position = position.clone();
    let points = position.size().iter().collect::<Vec<_>>().into_iter();
    points.filter(|&point| position.is_legal(point)).collect()
}

fn after(position: &Position, point: Point) -> Position {
    let mut position = position.clone();
    position.play(point);
    position
}
