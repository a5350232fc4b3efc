//! Finding the best move: iterative deepening, principal-variation alpha-beta,
//! continuous fours at the horizon.
//!
//! Floor 5. The search gets [`Limits`] and a [`Report`] (progress out, stop
//! in); it never sees a clock, prints nothing and knows no protocol. With one
//! thread, an unused table and a node or depth limit it is deterministic.

mod deepen;
mod depth;
mod expand;
mod history;
mod leaf;
mod node;
mod pages;
mod params;
mod picker;
mod stack;
mod table;
mod team;
mod worker;

pub use deepen::Searcher;
pub use params::{Params, Tunable};
pub use table::{Record, Table};

use crate::eval::Score;
use crate::rules::{Point, PointSet};

/// The deepest ply a search line can reach.
pub const MAX_PLY: usize = 256;

/// Where a search ends even if nobody stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration's depth in plies.
    pub depth: u32,
    /// How many moves may be tried; the search stops at exactly this number.
    pub nodes: u64,
    /// Points that are not played at the root.
    pub excluded: PointSet,
}

/// No limits.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: MAX_PLY as u32 / 2,
            nodes: u64::MAX,
            excluded: PointSet::EMPTY,
        }
    }
}

/// What is known after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The iteration's depth in plies.
    pub depth: u32,
    /// The deepest ply looked at.
    pub selective: u32,
    /// The value for the side to move at the root.
    pub score: Score,
    /// Moves tried since the search began.
    pub nodes: u64,
    /// The principal variation; its first move is the best move so far.
    pub line: Vec<Point>,
}

/// How a search talks to whoever started it.
pub trait Report {
    /// An iteration is complete.
    fn progress(&mut self, progress: &Progress);

    /// Asked at least every [`POLL_INTERVAL`] nodes: whether to stop now.
    fn stop(&mut self, nodes: u64) -> bool;

    /// A move at the root is searched.
    fn trying(&mut self, _point: Point) {}

    /// The search of that move is over. Unless it is the best it is worth this
    /// at most.
    fn tried(&mut self, _point: Point, _score: Score) {}

    /// Within an iteration, that move turned out to be better than those before.
    fn preferred(&mut self, _point: Point) {}
}

/// At most so many nodes pass between two calls of [`Report::stop`].
pub const POLL_INTERVAL: u64 = 128;

/// Hears nothing and never stops a search.
impl Report for () {
    fn progress(&mut self, _: &Progress) {}
    fn stop(&mut self, _: u64) -> bool {
        false
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only where no legal move exists, or all are
    /// excluded.
    pub best: Option<Point>,
    /// The value for the side to move.
    pub score: Score,
    /// The last complete iteration's depth.
    pub depth: u32,
    /// The deepest ply looked at.
    pub selective: u32,
    /// Moves tried.
    pub nodes: u64,
    /// The principal variation.
    pub line: Vec<Point>,
}
