//! Opening books: moves that are known before any search.

use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::score::Score;

/// The advice of a book on the next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookMoves {
    /// The move to play.
    pub play: Option<Point>,
    /// Moves not to play.
    pub avoid: PointSet,
    /// The value of the position for the side to move, if the book knows it.
    pub value: Option<Score>,
}

/// A source of opening moves.
pub trait Book: Send + Sync {
    /// The advice of the book on the next move in `position`. The seed may decide between
    /// equally good moves.
    fn moves(&self, position: &Position, seed: u64) -> BookMoves;
}
