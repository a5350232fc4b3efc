//! A game as players and referees see it: the moves made, undo and redo,
//! whose turn it is, the result and why the game ended, and its files.
//!
//! Floor 4. Boards for people, the arena and whoever reads game files stand on
//! the same [`Game`], so there is one referee. Nothing here searches, starts
//! processes, reads a clock or touches a file.

pub mod clock;
mod date;
pub mod opening;
mod opening_file;
mod play;
pub mod psq;
mod record;
pub mod renlib;
mod result;
mod set_up;
pub mod sgf;
pub mod swap;
#[cfg(test)]
mod tests;

pub use clock::{Clock, TimeControl};
pub use date::Date;
pub use opening::Opening;
pub use opening_file::{OpeningFormat, OpeningFormatError};
pub use play::{Game, MoveError};
pub use record::{GameRecord, RecordedMove, ReplayError};
pub use result::{GameResult, Termination};
pub use set_up::{SetUp, SetUpError};
