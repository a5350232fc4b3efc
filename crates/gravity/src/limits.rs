//! Limits of a search, and its observer.

use std::ops::ControlFlow;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration's depth in plies.
    pub depth: u32,
    /// The most positions visited.
    pub nodes: u64,
}

/// No limits.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: u32::MAX,
            nodes: u64::MAX,
        }
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The depth of the iteration under way, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// Hears how far a search has come and says whether it goes on.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;
