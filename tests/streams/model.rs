//! What is due to a manager: requests that are not answered yet, and replies.

use crate::board::Board;
use quincunx_engine::rules::Point;
use std::collections::BTreeSet;

/// What an answer has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A legal move.
    Move,
    /// Exactly this move.
    This(Point),
    /// So many stones, which stay off the board.
    Balance(usize),
    Swap2,
    Swap2Step(u8),
}

/// A request that is not answered yet.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The position it brings with it.
    pub(crate) board: Option<Board>,
    /// The stone it brings with it.
    pub(crate) turn: Option<Point>,
    pub(crate) wanted: Wanted,
    pub(crate) blocked: BTreeSet<Point>,
    /// It was refused before its turn came.
    pub(crate) refused: bool,
    /// A later command dropped it, unless the answer was there already.
    pub(crate) dropped: bool,
}

/// What a question is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectedReply {
    Ok,
    About,
    Forbid,
    Message(&'static str),
    Error,
}
