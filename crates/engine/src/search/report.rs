//! The reports of a search to its caller, during the search and at its end.

use crate::rules::Point;
use crate::score::Score;
use std::time::Duration;

/// A principal variation with its value: the result of an iteration or of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The rank of the line among several; the best has 0.
    pub rank: usize,
    /// The number of lines.
    pub lines: usize,
    /// The depth of the last complete iteration, in plies.
    pub depth: u32,
    /// The selective depth: the deepest ply reached.
    pub seldepth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time since the request was made; zero in a search, which has no clock.
    pub elapsed: Duration,
    /// The principal variation.
    pub pv: Vec<Point>,
}

impl Line {
    /// The line of a value that no search has confirmed.
    pub fn new(score: Score, pv: Vec<Point>) -> Line {
        Line {
            rank: 0,
            lines: 1,
            depth: 0,
            seldepth: 0,
            score,
            nodes: 0,
            elapsed: Duration::ZERO,
            pv,
        }
    }

    /// The first move. `None` only if there is no legal move, or if all are excluded.
    pub fn best(&self) -> Option<Point> {
        self.pv.first().copied()
    }
}

/// The lines of a search, an iteration at a time.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The lines of the iteration that is being reported.
    next: Vec<Line>,
    /// The lines of the last complete iteration, the best first.
    last: Vec<Line>,
}

impl Lines {
    /// Adds a reported line. Returns true if it completes an iteration.
    pub fn add(&mut self, line: Line) -> bool {
        if line.rank == 0 {
            self.next.clear();
        }
        let is_last = line.rank + 1 >= line.lines;
        self.next.push(line);
        if is_last {
            self.last = std::mem::take(&mut self.next);
        }
        is_last
    }

    /// The lines of the last complete iteration, the best first.
    pub fn last(&self) -> &[Line] {
        &self.last
    }
}

/// The caller of a search: it receives the progress, and can stop the search.
pub trait Report {
    /// An iteration is complete.
    fn progress(&mut self, line: &Line);

    /// Returns whether the search must stop now. Called at least every
    /// [`POLL_INTERVAL`](super::POLL_INTERVAL) nodes.
    fn stop(&mut self, nodes: u64) -> bool;

    /// The search of a root move begins.
    fn searching(&mut self, _point: Point) {}

    /// The search of a root move is over. Unless it is the best move, `score`
    /// is an upper bound.
    fn searched(&mut self, _point: Point, _score: Score) {}

    /// A root move turned out better than those searched before it in the same
    /// iteration.
    fn new_best(&mut self, _point: Point) {}
}

/// Ignores the progress and stops a search as soon as the function returns true.
pub struct Until<'a>(pub &'a dyn Fn() -> bool);

impl Report for Until<'_> {
    fn progress(&mut self, _: &Line) {}
    fn stop(&mut self, _: u64) -> bool {
        (self.0)()
    }
}

/// Ignores the progress and never stops a search.
impl Report for () {
    fn progress(&mut self, _: &Line) {}
    fn stop(&mut self, _: u64) -> bool {
        false
    }
}
