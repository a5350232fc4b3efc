//! What the games of a match prove: pure arithmetic on counts, no files, no
//! clocks, no processes.

mod chi_square;
mod counts;
mod elo;
mod first_move;
mod logistic;
mod ratings;
mod sprt;

pub(crate) use chi_square::ChiSquare;
pub use counts::{Pairs, Tally, Wdl};
pub use elo::EloEstimate;
pub(crate) use first_move::first_move;
pub use ratings::Rating;
pub(crate) use ratings::{Meeting, Ratings};
pub use sprt::{Decision, EloModel, Sprt};
