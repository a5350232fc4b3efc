//! Analysis of positions and games for people: pictures, threats in words, reviews and
//! puzzles.
//!
//! The crate returns text, pictures and pages, which the caller prints or stores.

#[cfg(feature = "batch")]
pub mod batch;
pub mod diagram;
mod opening_name;
pub mod puzzle;
pub mod report;
pub mod review;
pub mod threats;
mod words;

pub use opening_name::NamedOpening;
