//! What people ask of positions and games: pictures, threats in words, and where a game
//! was lost.
//!
//! Text, pictures and pages are made here and handed back; the caller prints or stores
//! them.

pub mod diagram;
mod opening_name;
pub mod puzzle;
pub mod report;
pub mod review;
pub mod threats;
mod words;

pub use opening_name::NamedOpening;
