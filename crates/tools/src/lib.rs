//! Tools for people: the bench, the trace and balanced openings for those who
//! work on the engine, the solver for those who have a puzzle.
//!
//! They make text and hand it back; whoever called prints it.

pub mod bench;
pub mod openings;
pub mod show;
pub mod solve;
