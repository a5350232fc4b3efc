//! Corrections of results in a tournament, and results that an organiser enters, with who made them
//! and when.

use super::person::PersonId;
use crate::rating::Score;
use quincunx_pairing::PairingResult;
use serde::{Deserialize, Serialize};

/// The most corrections of one tournament. All results of 15 rounds at 32 real boards fit in.
pub(super) const MOST_CORRECTIONS: usize = 500;

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
    /// The result before, unless the organiser entered the first one.
    pub(super) from: Option<PairingResult>,
    /// The result after.
    pub(super) to: PairingResult,
}

/// A result in one word, or that there was none.
pub(super) fn name_before(result: Option<PairingResult>) -> &'static str {
    result.map_or("none", result_name)
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
