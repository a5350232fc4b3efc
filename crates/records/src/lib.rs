//! Games in files: SGF, PSQ, RenLib and text.
//!
//! Everything that asks for a position or a game reads through this crate.
//! Nothing here opens a file or searches.

mod date;
mod opening_file;
pub mod psq;
mod record;
pub mod renlib;
pub mod sgf;

pub use date::Date;
pub use opening_file::{OpeningFormat, OpeningFormatError};
pub use record::{GameRecord, RecordedMove, ReplayError};
