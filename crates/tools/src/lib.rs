//! Tools around the engine: the bench, positions as the engine sees them, lists of
//! balanced openings, and a solver of puzzles.
//!
//! They return text, which the caller prints. The solver and JSON are the feature `json`.

pub mod bench;
pub mod openings;
pub mod show;
#[cfg(feature = "json")]
pub mod solve;
