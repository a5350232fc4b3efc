//! The search and the solver on single positions.

use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::search::{Limits, Line, Searcher, TranspositionTable, Until};
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The table of the search, in bytes.
const TABLE_BYTES: usize = 32 << 20;
/// The memory of the solver, in bytes.
const SOLVER_BYTES: usize = 64 << 20;
/// If every move of a position is to be refuted, this many times the nodes of a single proof are
/// shared out among them.
const ALL_MOVES: u64 = 16;

/// The limits of a review. With the same limits a review is always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewLimits {
    /// The nodes of the search of a position.
    pub nodes: u64,
    /// The nodes of the solver for a proof.
    pub proof_nodes: u64,
}

impl Default for ReviewLimits {
    fn default() -> ReviewLimits {
        ReviewLimits {
            nodes: 50_000,
            proof_nodes: 50_000,
        }
    }
}

/// The answer to the question whether a position has a move after which the opponent has no forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// After this move the solver shows that there is none, and the search sees none.
    By(Point),
    /// The solver proves a win of the opponent after every move.
    None,
    /// Neither could be shown within the limits.
    Unknown,
}

/// Searches and solves positions of one game. After a stop signal it returns from each at once,
/// and its results mean nothing.
pub(super) struct Judge<'a> {
    searcher: Searcher,
    solver: Solver,
    limits: ReviewLimits,
    stop: &'a dyn Fn() -> bool,
    /// The nodes of all searches and proofs so far.
    nodes: u64,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        weights: &Arc<WeightSet>,
        limits: ReviewLimits,
        stop: &'a dyn Fn() -> bool,
    ) -> Judge<'a> {
        let table = Arc::new(TranspositionTable::new(TABLE_BYTES));
        Judge {
            searcher: Searcher::new(table, Arc::clone(weights)),
            solver: Solver::new(SOLVER_BYTES),
            limits,
            stop,
            nodes: 0,
        }
    }

    /// The nodes of all searches and proofs so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best move and its score.
    pub(super) fn search(&mut self, position: &Position) -> Line {
        let limits = Limits {
            nodes: self.limits.nodes,
            ..Limits::default()
        };
        let mut until = Until(self.stop);
        let result = self.searcher.search(position, &limits, &mut until);
        self.nodes += result.nodes;
        result
    }

    /// The outcome of the solver: a forced win of the side to move, or none.
    pub(super) fn win(&mut self, position: &Position) -> ForcedWin {
        let limits = SolverLimits {
            nodes: self.limits.proof_nodes,
            stop: &mut || (self.stop)(),
        };
        let solution = self.solver.solve(position, WinKind::Any, limits);
        self.nodes += solution.nodes;
        solution.win
    }

    /// Looks for a move other than `except` after which the opponent has no forced win.
    /// `first` is tried first.
    pub(super) fn escape(
        &mut self,
        position: &Position,
        first: Option<Point>,
        except: Option<Point>,
    ) -> Escape {
        let first = first.filter(|&point| except != Some(point));
        if let Some(point) = first
            && self.holds(position, point)
        {
            return Escape::By(point);
        }
        let limits = SolverLimits {
            nodes: self.limits.proof_nodes.saturating_mul(ALL_MOVES),
            stop: &mut || (self.stop)(),
        };
        let defence = self.solver.defend(position, WinKind::Any, limits);
        self.nodes += defence.nodes;
        let other = |point: &&Point| except != Some(**point);
        for &point in defence.holds.iter().filter(other) {
            if first != Some(point) && self.search_holds(position, point) {
                return Escape::By(point);
            }
        }
        let mut open = defence.holds.iter().chain(&defence.unknown);
        match open.find(other) {
            Some(_) => Escape::Unknown,
            None => Escape::None,
        }
    }

    /// Returns true if the opponent has no forced win after a move.
    fn holds(&mut self, position: &Position, point: Point) -> bool {
        let mut after = position.clone();
        after.play(point);
        let over = after.won() || after.empty_points() == 0;
        over || self.win(&after) == ForcedWin::None && self.search_holds(position, point)
    }

    /// Returns true if the search sees no certain win of the opponent after a move.
    fn search_holds(&mut self, position: &Position, point: Point) -> bool {
        let mut after = position.clone();
        after.play(point);
        let over = after.won() || after.empty_points() == 0;
        over || !self.search(&after).score.is_win()
    }
}
