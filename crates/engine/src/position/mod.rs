//! The position: the stones, and for every empty point what a move there would
//! mean for both colours.
//!
//! Layer 3, the hot path. A move updates only the points whose windows it is in.
//! Each point has four shapes, a code and a class for each colour, and counters
//! tell in constant time who has a five, an open four or a four-three. Undoing a
//! move restores what was saved instead of computing it again. After a position
//! has been created, nothing here allocates.
//!
//! An evaluator follows a position without the position knowing it: by
//! [`Position::changes`], which has the codes and classes that the moves changed,
//! or by a copy of the [`LineCodes`], which it updates with the moves.

mod board;
mod canonical;
mod change;
mod counts;
mod forbidden;
mod line_codes;
pub mod notation;
mod play;
mod scan;
mod scanner;
mod update;
mod validate;
mod zobrist;

pub use board::Position;
pub use canonical::CanonicalKey;
pub use change::{PointChange, PointState};
pub use counts::{COUNTED_CLASSES, ClassCounts};
pub use forbidden::Forbidden;
pub use line_codes::{LineCodes, MAX_RADIUS};
pub use validate::Validator;
