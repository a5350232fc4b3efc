//! The solver and the search on positions of the engine's own games and of random boards.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod endgames;
mod mates;
mod solver;
mod sources;
mod suites;
