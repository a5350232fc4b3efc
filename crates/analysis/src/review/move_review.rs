//! The review of a move.

use super::class::MoveClass;
use quincunx_engine::position::Forbidden;
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::threats::Proof;

/// A forced win that a move gave away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinMissed {
    /// The proof of the win before the move.
    pub proof: Proof,
    /// The reply to the move after which there is no forced win, if one is shown. `None` if
    /// the move was forbidden, or if neither the search nor the solver finds the win again but
    /// no single reply is shown to prevent it.
    pub reply: Option<Point>,
}

/// A forced win that a move allowed the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossAllowed {
    /// The proof of the opponent's win after the move.
    pub proof: Proof,
    /// A move after which the opponent has no forced win.
    pub instead: Point,
}

/// The review of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// The number of the move, from one.
    pub number: usize,
    /// The colour that moved.
    pub color: Color,
    /// The point; a pass is [`Point::NONE`].
    pub point: Point,
    /// The player's chance to win before the move, from 0 to 1.
    pub before: f64,
    /// The player's chance to win after the move, from 0 to 1.
    pub after: f64,
    /// The best move.
    pub best: Option<Point>,
    /// The line that begins with the best move.
    pub line: Vec<Point>,
    /// The class of the move.
    pub class: MoveClass,
    /// The forced win that the move gave away, if there was one.
    pub win_missed: Option<WinMissed>,
    /// The forced win that the move allowed the opponent, if there is one.
    pub loss_allowed: Option<LossAllowed>,
    /// Why the point was forbidden, if it was.
    pub forbidden: Option<Forbidden>,
}

impl MoveReview {
    /// The chance to win that the move lost.
    pub fn lost(&self) -> f64 {
        (self.before - self.after).max(0.0)
    }
}
