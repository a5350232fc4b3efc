//! Tools for people: the bench, the trace and balanced openings for those who
//! work on the engine, the solver for those who have a puzzle.
//!
//! They make text and hand it back; the caller prints it. The solver and JSON are the
//! feature `json`.

pub mod bench;
pub mod openings;
pub mod show;
#[cfg(feature = "json")]
pub mod solve;
