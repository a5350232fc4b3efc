//! The seam between search and evaluation.

use super::move_score::MoveScore;
use crate::position::Position;
use crate::rules::{Point, Rule};
use crate::score::Score;
use std::sync::Arc;

/// Evaluates positions of one rule.
///
/// An evaluator keeps what it has computed for a position and brings it up to
/// date from the moves since when it is asked about another position. So a
/// search pays for the positions that it evaluates, not for every move that it
/// makes. [`Position::changes`] has what the moves changed for an evaluator
/// that reads codes and classes; [`LineCodes`](crate::position::LineCodes) is
/// for one that reads the stones along lines.
pub trait Evaluator: Sized {
    /// The weights of the evaluator for one rule.
    type Weights: Send + Sync;

    /// Returns the built-in weights for `rule`.
    fn built_in(rule: Rule) -> Self::Weights;

    /// Creates an evaluator with these weights, which are for the rule of
    /// `position`.
    fn new(weights: &Arc<Self::Weights>, position: &Position) -> Self;

    /// Evaluates the position for the side to move. The score is never a
    /// decided one.
    fn evaluate(&mut self, position: &Position) -> Score;

    /// Writes the scores of moves to the empty `points` to `scores`, in the
    /// same order.
    fn score_moves(&mut self, position: &Position, points: &[Point], scores: &mut [MoveScore]);
}
