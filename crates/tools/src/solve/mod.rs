//! The solver for people: positions as lines of text in, answers as lines of
//! text out.
//!
//! One line in, one line out, in the same order: so an interrupted run knows
//! from its output where to go on.

mod answer;
mod batch;
mod options;
mod proof;
mod puzzle;

pub use answer::{PuzzleAnswer, solve};
pub use batch::{BatchProgress, ResumeError, count_answers, run};
pub use options::SolveOptions;
pub use puzzle::{Puzzle, PuzzleError};
