//! Quincunx: a Gomoku and Renju engine.
//!
//! The layers, bottom to top; each may use only what stands below it:
//!
//! 1. [`rules`]: colours, points, board sizes, what wins
//! 2. [`pattern`]: lines of stones to shapes, shapes to classes
//! 3. [`position`]: stones, classes of empty points, play and undo
//! 4. [`threats`]: forced wins and the moves that prevent them;
//!    [`eval`]: what a position is worth otherwise
//! 5. [`search`]: the best move;
//!    [`files`]: files that are written whole or not at all
//! 6. [`engine`]: a position, options, a clock and a thread that thinks; what a
//!    program embeds;
//!    [`database`]: what is known of positions, in a file
//! 7. [`protocol`]: the text that managers and GUIs speak;
//!    [`arena`]: matches between engine programs;
//!    [`tools`]: bench, trace, openings, puzzles;
//!    [`train`]: games against itself and tables fitted to them
//! 8. `cli`, `main`: arguments, the program's own
//!
//! ```
//! use quincunx::position::Position;
//! use quincunx::rules::{BoardSize, Rule};
//! use quincunx::search::{Limits, Searcher, Table};
//! use std::sync::Arc;
//!
//! let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), "h8h7g8i8")?;
//! let mut searcher = Searcher::new(Arc::new(Table::new(1 << 20)));
//! let outcome = searcher.search(&position, &Limits { nodes: 10_000, ..Limits::default() }, &mut ());
//! assert!(outcome.best.is_some());
//! # Ok::<(), quincunx::position::ParsePositionError>(())
//! ```

pub mod arena;
pub mod database;
pub mod engine;
pub mod eval;
pub mod files;
pub mod pattern;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod threats;
pub mod tools;
pub mod train;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
