//! A task on the worker's desk: one searcher, one clock, and as many searches
//! as the task takes, which share the nodes and the time.

use super::driver::Driver;
use super::task::{Answer, Choice, Task};
use super::worker::Job;
use super::{Event, Thought};
use crate::eval::Score;
use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::search::{Limits, Outcome, Progress, Report, Searcher};

/// Work on one job.
pub(super) struct Study<'a, 'd> {
    pub(super) job: &'a Job,
    pub(super) driver: &'a mut Driver<'d>,
    searcher: &'a mut Searcher,
    nodes: u64,
    /// No search of this part of the work goes on past it, in milliseconds.
    deadline: u64,
    over: bool,
}

impl<'a, 'd> Study<'a, 'd> {
    pub(super) fn new(
        job: &'a Job,
        searcher: &'a mut Searcher,
        driver: &'a mut Driver<'d>,
    ) -> Study<'a, 'd> {
        Study {
            job,
            driver,
            searcher,
            nodes: 0,
            deadline: u64::MAX,
            over: false,
        }
    }

    /// The answer, where one was found.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        match self.job.task {
            Task::Move | Task::Lines(0 | 1) => match self.job.level {
                Some(level) => self.move_at(level),
                None => self.best_move(u64::MAX),
            }
            .map(Answer::Move),
            Task::Lines(count) => self.lines(count).map(Answer::Move),
            Task::Defences => self.defences().map(Answer::Move),
            Task::Balance { pair, bias } => self.balance(pair, bias).map(Answer::Stones),
            Task::Opening => self.opening(),
        }
    }

    /// The best move by one search that uses all the time, or so many nodes.
    pub(super) fn best_move(&mut self, nodes: u64) -> Option<Choice> {
        let limits = Limits {
            nodes: self.nodes_left().min(nodes),
            ..self.job.limits
        };
        let outcome = self
            .searcher
            .search(&self.job.position, &limits, self.driver);
        self.choice(outcome)
    }

    /// A search of `position` that tells nobody. Where it was cut short the
    /// study [is over](Study::is_over).
    pub(super) fn search(&mut self, position: &Position, limits: Limits) -> Outcome {
        self.search_settled(position, limits).0
    }

    /// The same, with the value that its last complete iteration found.
    pub(super) fn search_settled(
        &mut self,
        position: &Position,
        mut limits: Limits,
    ) -> (Outcome, Option<Score>) {
        limits.nodes = limits.nodes.min(self.nodes_left());
        let mut silent = Silent {
            driver: self.driver,
            deadline: self.deadline,
            stopped: false,
            settled: None,
        };
        let outcome = self.searcher.search(position, &limits, &mut silent);
        let settled = silent.settled;
        self.over |= silent.stopped;
        self.nodes += outcome.nodes;
        (outcome, settled)
    }

    /// Whether time or nodes are spent.
    pub(super) fn is_over(&self) -> bool {
        self.over || self.nodes_left() == 0
    }

    /// From here on work only until `deadline`, in milliseconds.
    pub(super) fn work_until(&mut self, deadline: u64) {
        self.deadline = deadline;
        self.over = false;
    }

    fn nodes_left(&self) -> u64 {
        self.job.limits.nodes.saturating_sub(self.nodes)
    }

    /// The choice that an outcome comes to.
    pub(super) fn choice(&self, outcome: Outcome) -> Option<Choice> {
        let point = outcome.best?;
        let thought = Some(self.thought(outcome, 0, 1));
        Some(Choice { point, thought })
    }

    /// An outcome as the line of this rank among `lines`.
    pub(super) fn thought(&self, outcome: Outcome, rank: usize, lines: usize) -> Thought {
        Thought {
            rank,
            lines,
            depth: outcome.depth,
            selective: outcome.selective,
            score: outcome.score,
            nodes: self.nodes.max(outcome.nodes),
            elapsed: self.driver.elapsed(),
            line: outcome.line,
        }
    }

    /// Tells that a move is looked at.
    pub(super) fn begin_move(&self, point: Point) {
        self.driver.emit(|request| Event::Trying(request, point));
    }

    /// Tells how a move turned out.
    pub(super) fn end_move(&self, point: Point, score: Score) {
        self.driver
            .emit(|request| Event::Tried(request, point, score));
    }

    /// The legal moves in reach of the stones, or all where none is.
    pub(super) fn moves(&self, position: &mut Position) -> Vec<Point> {
        let near = position.occupied().surroundings();
        let legal = |position: &mut Position, among: &PointSet| {
            let points = position.size().iter();
            let points = points.filter(|&point| among.has(point) && position.is_legal(point));
            points.collect::<Vec<Point>>()
        };
        let board = position.board().difference(&self.job.limits.excluded);
        let moves = legal(position, &near.intersection(&board));
        if moves.is_empty() {
            legal(position, &board)
        } else {
            moves
        }
    }
}

/// Lets the driver stop a search and tells it nothing.
struct Silent<'a, 'd> {
    driver: &'a mut Driver<'d>,
    deadline: u64,
    stopped: bool,
    settled: Option<Score>,
}

impl Report for Silent<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        self.settled = Some(progress.score);
    }

    fn stop(&mut self, nodes: u64) -> bool {
        self.stopped |= self.driver.stop(nodes) || self.driver.elapsed_ms() >= self.deadline;
        self.stopped
    }
}
