//! Opening books: moves that are known before any search.

use crate::position::Position;
use crate::rules::{Point, PointSet};

/// What a book says about the next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookMoves {
    /// The move to make.
    pub play: Option<Point>,
    /// Moves not to make.
    pub avoid: PointSet,
}

/// A source of opening moves.
pub trait Book: Send {
    /// What the book says about the next move in `position`.
    fn moves(&self, position: &Position) -> BookMoves;
}

/// A database is a book by its labels and values. Where it can't be read the
/// engine searches.
#[cfg(feature = "program")]
impl Book for std::sync::Arc<crate::database::Database> {
    fn moves(&self, position: &Position) -> BookMoves {
        match self.advice(position) {
            Ok(advice) => BookMoves {
                play: advice.play.map(|(point, _)| point),
                avoid: advice.avoid,
            },
            Err(error) => {
                log::warn!("no advice from the database: {error}");
                BookMoves::default()
            }
        }
    }
}
