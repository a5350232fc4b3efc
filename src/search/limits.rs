//! Where a search ends by itself.

use crate::rules::PointSet;

/// The deepest ply that a search reaches.
pub const MAX_PLY: usize = 256;

/// The most nodes that pass between two calls of
/// [`Report::stop`](super::Report::stop).
pub const POLL_INTERVAL: u64 = 32;

/// What a search may do at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// The number of moves that may be tried. A search by one thread stops at
    /// exactly this number.
    pub nodes: u64,
    /// Points that are not played at the root.
    pub excluded: PointSet,
}

/// The deepest search there is, of any number of nodes.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: MAX_PLY as u32 / 2,
            nodes: u64::MAX,
            excluded: PointSet::EMPTY,
        }
    }
}
