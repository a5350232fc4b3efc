//! The moves that were played from positions: how often each, and how the games ended.
//!
//! Positions that differ only by symmetry or by the order of moves are one. A file is made
//! once from any number of games ([`Builder`], the feature `build`), and then only read. A
//! query reads the page or two of it that have the answer ([`Explorer`]).
//!
//! - `format`: the layout of the file.
//! - `entry`: a move from a position, and how often it was played.
//! - `explorer`: queries of the file.
//! - `sorter`: sorts any number of entries with bounded memory; `builder`: makes the file.

#[cfg(feature = "build")]
mod builder;
mod entry;
mod explorer;
mod format;
#[cfg(feature = "build")]
mod sorter;

#[cfg(feature = "build")]
pub use builder::{BuildError, BuildLimits, Builder, Built};
pub use entry::{GameOutcome, Tally};
pub use explorer::{ExploredMove, Explorer, ExplorerError};
pub use format::{BoardGames, VERSION};
