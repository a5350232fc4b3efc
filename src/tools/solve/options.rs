//! What is asked about every position.

use crate::threats::WinKind;
use std::time::Duration;

/// What is asked about every position, and how answers are written.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Which wins to look for.
    pub kind: WinKind,
    /// The most nodes a position.
    pub nodes: u64,
    /// The most time a position.
    pub time: Option<Duration>,
    /// Find the moves that do not lose, instead of a win.
    pub defend: bool,
    /// Write answers as JSON objects.
    pub json: bool,
    /// Write wins as SGF trees.
    pub sgf: bool,
}
