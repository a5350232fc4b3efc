//! Runs over the games of many files, which an interruption does not end: reviews and puzzles.

mod games;
mod puzzles;
mod reviews;
mod table;

pub use games::{GameMoves, NamedGame};
pub use puzzles::{FoundPuzzles, PuzzleRun};
pub use reviews::{ReviewRun, read_reviews};
pub use table::ReviewTable;

use quincunx_records::ReplayError;
use quincunx_runs::RunError;
use std::io;
use std::path::PathBuf;

/// The error of a run over many games.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The file of the run can't be resumed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file of the run can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The system can't start a thread.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
    /// A game can't be replayed.
    #[error("can't review {name}")]
    Review {
        /// The name of the game.
        name: String,
        /// The reason.
        source: ReplayError,
    },
    /// The file of the run comes from other games.
    #[error("can't resume {}: {why}: choose another file", .path.display())]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The difference.
        why: String,
    },
    /// A line of a file is invalid.
    #[error("{}: line {line}: {why}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from one.
        line: usize,
        /// The reason.
        why: String,
    },
    /// Two files have reviews of other games.
    #[error("{0}")]
    Incomparable(String),
}
