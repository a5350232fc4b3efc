//! What the games of a match prove: pure arithmetic on counts, no files, no
//! clocks, no processes.

mod counts;
mod elo;
mod ratings;
mod sprt;

pub use counts::{Pairs, Tally, Wdl};
pub use elo::{EloEstimate, elo_of_score, normal_cdf, score_of_elo};
pub use ratings::{Rating, ratings};
pub use sprt::{Decision, EloModel, Sprt};
