//! Where a search ends by itself.

use crate::rules::{Color, PointSet};

/// The deepest ply that a search reaches.
pub const MAX_PLY: usize = 256;

/// The most nodes that pass between two calls of
/// [`Report::stop`](super::Report::stop).
pub const POLL_INTERVAL: u64 = 32;

/// When a game without a five ends, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The game ends after this many moves, or when the board is full.
    pub max_moves: usize,
    /// The colour that wins then; without one the game is drawn.
    pub winner: Option<Color>,
}

/// A game that ends when the board is full, and is drawn.
impl Default for DrawRule {
    fn default() -> Self {
        DrawRule {
            max_moves: usize::MAX,
            winner: None,
        }
    }
}

/// What a search may do at most, and where the game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// The number of moves that may be tried. A search by one thread stops at
    /// exactly this number.
    pub nodes: u64,
    /// Points that are not played at the root.
    pub excluded: PointSet,
    /// How games without a five end.
    pub draw_rule: DrawRule,
}

/// The deepest search there is, of any number of nodes.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: MAX_PLY as u32 / 2,
            nodes: u64::MAX,
            excluded: PointSet::EMPTY,
            draw_rule: DrawRule::default(),
        }
    }
}
