//! What a search reports to its caller, during the search and at its end.

use crate::rules::Point;
use crate::score::Score;

/// The result of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub seldepth: u32,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Moves tried since the search began.
    pub nodes: u64,
    /// The principal variation; its first move is the best move so far.
    pub pv: Vec<Point>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play. `None` only if there is no legal move, or if all are
    /// excluded.
    pub best: Option<Point>,
    /// The score for the side to move.
    pub score: Score,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub seldepth: u32,
    /// Moves tried.
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<Point>,
}

/// The caller of a search: it receives the progress, and can stop the search.
pub trait Report {
    /// An iteration is complete.
    fn progress(&mut self, info: &SearchInfo);

    /// Whether the search must stop now. Called at least every
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
    fn progress(&mut self, _: &SearchInfo) {}
    fn stop(&mut self, _: u64) -> bool {
        (self.0)()
    }
}

/// Ignores the progress and never stops a search.
impl Report for () {
    fn progress(&mut self, _: &SearchInfo) {}
    fn stop(&mut self, _: u64) -> bool {
        false
    }
}
