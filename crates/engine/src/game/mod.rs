//! A game as players and referees see it: moves, undo and redo, the side to move, the
//! result and why the game ended, clocks, openings and opening rules.
//!
//! Layer 4. Boards, the arena and readers of game files use the same [`Game`], so
//! there is one referee. Nothing here searches, starts processes, reads a clock or
//! touches a file.

pub mod clock;
pub mod opening;
mod play;
mod result;
mod set_up;
pub mod swap;
#[cfg(test)]
mod tests;

pub use clock::{Byoyomi, Clock, TimeControl, TimeLeft, parse_time};
pub use opening::Opening;
pub use play::{Game, MoveError, decided_by_stones};
pub use result::{GameResult, Termination};
pub use set_up::{SetUp, SetUpError};
