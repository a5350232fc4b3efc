//! Quincunx: a Gomoku and Renju engine.
//!
//! The floors, bottom to top; each may use only floors below it:
//!
//! 1. [`rules`]: colours, points, board sizes, what wins;
//!    [`score`]: how good a position is;
//!    [`files`]: files that are written whole or not at all;
//!    [`rating`]: how strong a player is, from results alone;
//!    `splitmix`: random-looking numbers for keys and seeds;
//!    `prefetch`: a hint to the processor
//! 2. [`pattern`]: lines of stones to shapes, shapes to classes;
//!    [`gomocup`]: the grammar of the protocol;
//!    [`tournament`]: who meets whom in a tournament, and how everybody stands
//! 3. [`position`]: stones, classes of empty points, play and undo
//! 4. [`threats`]: forced wins and the moves that prevent them;
//!    [`eval`]: what a position is worth otherwise;
//!    [`game`]: games as players and referees see them, and their files
//! 5. [`search`]: the best move;
//!    [`database`]: what is known of positions, in a file
//! 6. [`engine`]: a position, options, time and openings; what a program embeds
//! 7. [`train`]: games against itself and weights fitted to them;
//!    [`tools`]: bench, trace, openings, puzzles;
//!    [`board`]: a board to sit down at, as messages
//! 8. [`protocol`]: the text that managers and GUIs speak;
//!    [`arena`]: matches between engine programs;
//!    [`rooms`]: rooms where people play each other
//! 9. [`web`]: the pages in the browser;
//!    [`terminal`]: the board in the terminal
//! 10. `cli`, `main`: arguments, the program's own
//!
//! Beside the floors stands [`gravity`], four in a row with gravity: a game of its
//! own that uses none of them.
//!
//! Without the feature `program`, which is on by default, the crate is floors 1 to
//! 6 without threads, files and processes, for use in WebAssembly and wherever
//! else there is no system.
//!
//! ```
//! use quincunx::position::Position;
//! use quincunx::rules::{BoardSize, Rule};
//! use quincunx::search::{Limits, Searcher, TranspositionTable};
//! use std::sync::Arc;
//!
//! let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), "h8h7g8i8")?;
//! let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1 << 20)), Arc::default());
//! let outcome = searcher.search(&position, &Limits { nodes: 10_000, ..Limits::default() }, &mut ());
//! assert!(outcome.best.is_some());
//! # Ok::<(), quincunx::position::ParsePositionError>(())
//! ```

pub mod engine;
pub mod eval;
pub mod game;
pub mod gomocup;
pub mod gravity;
pub mod pattern;
pub mod position;
mod prefetch;
pub mod rules;
pub mod score;
pub mod search;
mod splitmix;
pub mod threats;

#[cfg(feature = "program")]
pub mod arena;
#[cfg(feature = "program")]
pub mod board;
#[cfg(feature = "program")]
pub mod database;
#[cfg(feature = "program")]
pub mod files;
#[cfg(feature = "program")]
pub mod protocol;
#[cfg(feature = "program")]
pub mod rating;
#[cfg(feature = "program")]
pub mod rooms;
#[cfg(feature = "program")]
pub mod terminal;
#[cfg(feature = "program")]
pub mod tools;
#[cfg(feature = "program")]
pub mod tournament;
#[cfg(feature = "program")]
pub mod train;
#[cfg(feature = "program")]
pub mod web;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
