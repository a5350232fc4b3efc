//! Opening books: moves that are known before any search.

use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::score::Score;

/// What a book says about the next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookMoves {
    /// The move to make.
    pub play: Option<Point>,
    /// Moves not to make.
    pub avoid: PointSet,
    /// What the position is worth for the side to move, where the book knows it.
    pub value: Option<Score>,
}

/// A source of opening moves.
pub trait Book: Send + Sync {
    /// What the book says about the next move in `position`. Among moves that are as good as
    /// each other the seed may decide.
    fn moves(&self, position: &Position, seed: u64) -> BookMoves;
}
