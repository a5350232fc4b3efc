//! Tools for people who work on the engine: the bench and the trace.
//!
//! Floor 7. They make text and hand it back; whoever called prints it.

pub mod bench;
pub mod show;
