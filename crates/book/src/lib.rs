//! Opening books: moves that were searched before the game.
//!
//! Positions that differ only by symmetry or by the order of moves are one.
//!
//! - `book`: the book, for reading, and its file.
//! - `tree`: the positions of a book that is being made, and which to search next (the
//!   feature `build`); `build`: the run that searches them.

mod book;
#[cfg(feature = "build")]
mod build;
#[cfg(feature = "build")]
mod tree;

pub use book::{BookError, BookMove, OpeningBook, VERSION};
#[cfg(feature = "build")]
pub use build::{BookRun, BookRunError, line_to};
#[cfg(feature = "build")]
pub use tree::BookTree;
