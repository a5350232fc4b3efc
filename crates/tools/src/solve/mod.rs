//! `solve`: positions as lines of text in, answers as lines of text out.
//!
//! Each line of input has one line of output, in the same order. So an interrupted
//! run knows from its output where to continue.

mod answer;
mod batch;
mod options;
mod proof;
mod puzzle;

pub use answer::{PuzzleAnswer, solve};
pub use batch::{BatchProgress, ResumeError, count_answers, run};
pub use options::SolveOptions;
pub use puzzle::{Puzzle, PuzzleError};
