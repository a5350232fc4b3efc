//! Quincunx: a Gomoku and Renju engine.
//!
//! The layers, bottom to top; each may use only what stands below it:
//!
//! 1. [`rules`]: colours, points, board sizes, what wins
//! 2. [`pattern`]: lines of stones to shapes, shapes to classes
//! 3. [`position`]: stones, classes of empty points, play and undo

pub mod pattern;
pub mod position;
pub mod rules;
