//! Pairings and standings of tournaments, for engines and for people, from results alone.
//!
//! A [`Tournament`] is a state machine without people, rooms and clocks: its players are numbers in
//! the order of their strength, from 0 for the strongest. [`swiss`] pairs a round for those who
//! keep results in their own way.

mod matching;
mod pairing;
mod round_robin;
mod standings;
pub mod swiss;
mod tournament;

pub use pairing::{PLAYERS, Pairing, PairingResult, Score, System};
pub use standings::StandingsRow;
pub use tournament::{Tournament, TournamentError, Wishes, check};
