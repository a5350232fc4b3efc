//! Runs one request: one or more searches that share its time and node limits.

use super::reporter::Reporter;
use super::request::{BestMove, Event};
use super::task::SearchTask;
use crate::eval::Hybrid;
use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::score::Score;
use crate::search::{Limits, Line, Report, Searcher};

/// The searches of one task.
pub(super) struct Runner<'a, 'r> {
    pub(super) task: &'a SearchTask,
    pub(super) reporter: &'a mut Reporter<'r>,
    searcher: &'a mut Searcher,
    /// The nodes of the silent searches so far.
    pub(super) nodes: u64,
    /// The latest end of silent searches, in milliseconds.
    deadline: u64,
    over: bool,
}

impl<'a, 'r> Runner<'a, 'r> {
    /// A runner that has searched nothing yet. All of its searches make one answer, so
    /// what they learn ages only here.
    pub(super) fn new(
        task: &'a SearchTask,
        searcher: &'a mut Searcher,
        reporter: &'a mut Reporter<'r>,
    ) -> Runner<'a, 'r> {
        searcher.age();
        Runner {
            task,
            reporter,
            searcher,
            nodes: 0,
            deadline: u64::MAX,
            over: false,
        }
    }

    /// The best move of one search that uses all the time, or this many nodes.
    pub(super) fn best_move(&mut self, nodes: u64) -> Option<BestMove> {
        let limits = Limits {
            nodes: self.nodes_left().min(nodes),
            ..self.task.limits
        };
        let result = self
            .searcher
            .search_on(&self.task.position, &limits, self.reporter);
        let best = self.best_of(result)?;
        // A five takes no iteration, and is a line like any other.
        if let Some(info) = best.info.as_ref().filter(|info| info.score.is_decided())
            && !self.reporter.has_line()
        {
            self.reporter.report(info);
        }
        Some(best)
    }

    /// A silent search of `position`. If it is stopped, the runner [is
    /// over](Runner::is_over).
    pub(super) fn search(&mut self, position: &Position, limits: Limits) -> Line {
        self.search_settled(position, limits).0
    }

    /// A silent search of `position`, and the value by its last complete
    /// iteration.
    pub(super) fn search_settled(
        &mut self,
        position: &Position,
        mut limits: Limits,
    ) -> (Line, Option<Score>) {
        limits.nodes = limits.nodes.min(self.nodes_left());
        let mut silent = Silent {
            reporter: self.reporter,
            task: self.task,
            deadline: self.deadline,
            before: self.nodes,
            stopped: false,
            settled: None,
        };
        let result = self.searcher.search_on(position, &limits, &mut silent);
        let settled = silent.settled;
        self.over |= silent.stopped;
        self.nodes += result.nodes;
        (result, settled)
    }

    /// Returns whether the time or the nodes are used up.
    pub(super) fn is_over(&self) -> bool {
        self.over || self.nodes_left() == 0
    }

    /// Limits the following searches to `deadline`, in milliseconds.
    pub(super) fn work_until(&mut self, deadline: u64) {
        self.deadline = deadline;
        self.over = false;
    }

    fn nodes_left(&self) -> u64 {
        self.task.limits.nodes.saturating_sub(self.nodes)
    }

    /// The move that a search found.
    pub(super) fn best_of(&self, result: Line) -> Option<BestMove> {
        Some(BestMove {
            point: result.best()?,
            info: Some(self.line(result, 0, 1)),
            from_book: false,
        })
    }

    /// The result of a search, as the line of this rank among `lines`.
    pub(super) fn line(&self, result: Line, rank: usize, lines: usize) -> Line {
        Line {
            rank,
            lines,
            nodes: self.nodes.max(result.nodes),
            elapsed: self.task.elapsed(),
            ..result
        }
    }

    /// An evaluator for `position`.
    pub(super) fn evaluator(&self, position: &Position) -> Hybrid {
        Hybrid::new(&self.task.weights.of(position.rule()), position)
    }

    /// Reports that the search of a move begins.
    pub(super) fn begin_move(&mut self, point: Point) {
        self.reporter.emit(Event::Searching(point));
    }

    /// Reports what the search of a move found.
    pub(super) fn end_move(&mut self, point: Point, score: Score) {
        self.reporter.emit(Event::Searched(point, score));
    }

    /// The legal moves near the stones; all legal moves where there is none.
    pub(super) fn moves(&self, position: &mut Position) -> Vec<Point> {
        let (near, board) = (position.empty_near_stones(), *position.board());
        let mut legal = |among: PointSet| {
            let among = among.difference(&self.task.limits.excluded);
            let points = among.iter().filter(|&point| position.is_legal(point));
            points.collect::<Vec<Point>>()
        };
        let moves = legal(near);
        if moves.is_empty() {
            legal(board)
        } else {
            moves
        }
    }
}

/// Lets the reporter stop a search, and reports nothing.
struct Silent<'a, 'r> {
    reporter: &'a mut Reporter<'r>,
    task: &'a SearchTask,
    deadline: u64,
    /// The nodes of the searches before this one.
    before: u64,
    stopped: bool,
    settled: Option<Score>,
}

impl Report for Silent<'_, '_> {
    fn progress(&mut self, line: &Line) {
        self.settled = Some(line.score);
    }

    fn stop(&mut self, nodes: u64) -> bool {
        let is_late = self.reporter.is_over() || self.task.elapsed_ms() >= self.deadline;
        self.stopped |= is_late && self.reporter.has_answer(self.before + nodes);
        self.stopped
    }
}
