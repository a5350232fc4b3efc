//! What was played from positions: how often each move, and how those games ended.
//!
//! Positions that differ only by symmetry or by the order of moves are one. A file is made
//! once of any number of games ([`Builder`], the feature `build`), and then only read: a
//! question takes the page or two of it that hold the answer ([`Explorer`]).
//!
//! - `format`: the layout of the file.
//! - `entry`: a move from a position, and how often it was played.
//! - `explorer`: the file as it is read.
//! - `sorter`: entries of any number in order, with bounded memory; `builder`: the file as it
//!   is made.

#[cfg(feature = "build")]
mod builder;
mod entry;
mod explorer;
mod format;
#[cfg(feature = "build")]
mod sorter;

#[cfg(feature = "build")]
pub use builder::{BuildError, BuildLimits, Builder, Built};
pub use entry::{Ending, Tally};
pub use explorer::{ExploredMove, Explorer, ExplorerError};
pub use format::{BoardGames, VERSION};
