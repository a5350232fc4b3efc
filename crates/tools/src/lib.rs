//! Tools around the engine: the bench, positions as the engine sees them, lists of
//! balanced openings, and a solver of puzzles.
//!
//! They return text, which the caller prints. The solver and JSON are the feature `json`, the
//! openings the feature `openings`.

pub mod bench;
#[cfg(feature = "openings")]
pub mod openings;
pub mod show;
#[cfg(feature = "json")]
pub mod solve;
