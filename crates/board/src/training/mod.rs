//! Puzzles to train on, as messages: the third page.
//!
//! A [`TrainingSession`] hears [`TrainingMessage`]s: a puzzle to begin, moves, and wishes for
//! hints. It plays the best defence, and says how the ratings of person and puzzle moved. The
//! page keeps these, and chooses the next puzzle.

mod message;
mod session;

pub use message::{
    Strength, StrengthLimits, TrainingEnd, TrainingMessage, TrainingReply, TrainingState,
};
pub use session::TrainingSession;
