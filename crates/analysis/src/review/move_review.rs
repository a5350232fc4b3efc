//! What a review says of a move.

use super::class::MoveClass;
use quincunx_engine::position::Forbidden;
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::threats::Proof;

/// A forced win that a move gave away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinMissed {
    /// The proof of the win before the move.
    pub proof: Proof,
    /// The reply to the move after which there is no forced win, where one is shown. None
    /// where the move was forbidden, or where neither the search nor the solver finds the
    /// win again but no single reply is shown to prevent it.
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

/// What a review says of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// The number of the move, from one.
    pub number: usize,
    /// The colour that moved.
    pub color: Color,
    /// The point; a pass is [`Point::NONE`].
    pub point: Point,
    /// The mover's chance to win before the move, from 0 to 1.
    pub before: f64,
    /// The mover's chance to win after it.
    pub after: f64,
    /// The best move.
    pub best: Option<Point>,
    /// The line that begins with it.
    pub line: Vec<Point>,
    /// How good the move was.
    pub class: MoveClass,
    /// The forced win that it gave away, if it did.
    pub win_missed: Option<WinMissed>,
    /// The forced win that it allowed the opponent, if it did.
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
