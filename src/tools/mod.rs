//! Tools for people who work on the engine: the bench, the trace,
//! balanced openings.
//!
//! Floor 7. They make text and hand it back; whoever called prints it.

pub mod bench;
pub mod openings;
pub mod show;
