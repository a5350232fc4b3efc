//! Opening books: moves that were searched before the game.
//!
//! Positions that differ only by symmetry or by the order of moves are one.
//!
//! - `book`: the book as it is read, and its file.
//! - `tree`: which positions are worth a search, and what their searches are worth together
//!   (the feature `build`).

mod book;
#[cfg(feature = "build")]
mod tree;

pub use book::{BookError, BookMove, OpeningBook, VERSION};
#[cfg(feature = "build")]
pub use tree::BookTree;
