//! Corrections of results in a tournament, with who made them and when.

use super::person::PersonId;
use crate::rating::Score;
use quincunx_pairing::PairingResult;
use serde::{Deserialize, Serialize};

/// The most corrections of one tournament.
pub(super) const MOST_CORRECTIONS: usize = 200;

/// A correction of the result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Correction {
    /// The round, from zero.
    pub(super) round: usize,
    /// The table, from zero.
    pub(super) table: usize,
    /// The organiser who made it.
    pub(super) by: PersonId,
    /// The time of the correction in seconds since 1970.
    pub(super) at: u64,
    /// The result before.
    pub(super) from: PairingResult,
    /// The result after.
    pub(super) to: PairingResult,
}

/// A result in one word, as the player who begins sees it.
pub(super) const fn result_name(result: PairingResult) -> &'static str {
    match result {
        PairingResult::Played(Score::Win) => "win",
        PairingResult::Played(Score::Draw) => "draw",
        PairingResult::Played(Score::Loss) => "loss",
        PairingResult::FirstAbsent => "first_absent",
        PairingResult::SecondAbsent => "second_absent",
        PairingResult::Neither => "neither",
        PairingResult::HalfPoint => "half_point",
    }
}
