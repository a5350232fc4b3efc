//! The Quincunx engine: Gomoku and Renju, and an engine that plays them.
//!
//! The floors, bottom to top; each may use only floors below it:
//!
//! 1. [`rules`]: colours, points, board sizes, what wins;
//!    [`score`]: how good a position is;
//!    `splitmix`: random-looking numbers for keys and seeds;
//!    `prefetch`: a hint to the processor
//! 2. [`pattern`]: lines of stones to shapes, shapes to classes;
//!    [`gomocup`]: the grammar of the protocol
//! 3. [`position`]: stones, classes of empty points, play and undo
//! 4. [`threats`]: forced wins and the moves that prevent them;
//!    [`eval`]: what a position is worth otherwise;
//!    [`game`]: games as players and referees see them
//! 5. [`search`]: the best move
//! 6. [`engine`]: a position, options, time and openings; what a program embeds
//!
//! ```
//! use quincunx_engine::position::Position;
//! use quincunx_engine::rules::{BoardSize, Rule};
//! use quincunx_engine::search::{Limits, Searcher, TranspositionTable};
//! use std::sync::Arc;
//!
//! let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), "h8h7g8i8")?;
//! let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1 << 20)), Arc::default());
//! let outcome = searcher.search(&position, &Limits { nodes: 10_000, ..Limits::default() }, &mut ());
//! assert!(outcome.best.is_some());
//! # Ok::<(), quincunx_engine::position::ParsePositionError>(())
//! ```

pub mod engine;
pub mod eval;
pub mod game;
pub mod gomocup;
pub mod pattern;
pub mod position;
mod prefetch;
pub mod rules;
pub mod score;
pub mod search;
#[doc(hidden)]
pub mod splitmix;
pub mod threats;
