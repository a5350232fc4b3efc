//! Corrections of results in a tournament, with who made them and when.

use super::person::PersonId;
use super::tournament::ClubTournament;
use crate::rating::Score;
use crate::tournament::{PairingResult, TournamentError};
use serde::{Deserialize, Serialize};
use std::time::Duration;

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
    /// When it was made, in seconds since 1970.
    pub(super) at: u64,
    /// The result before.
    pub(super) from: PairingResult,
    /// The result after.
    pub(super) to: PairingResult,
}

impl ClubTournament {
    /// Corrects the result of a game that is over, and records who did so. Returns whether the
    /// result is another now.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it is not over.
    pub(super) fn correct(
        &mut self,
        now: Duration,
        by: PersonId,
        (round, table): (usize, usize),
        to: PairingResult,
    ) -> Result<bool, TournamentError> {
        let games = self.games.as_mut().ok_or(TournamentError::Table)?;
        let pairing = games.rounds().get(round).and_then(|it| it.get(table));
        let from = pairing.and_then(|it| it.result);
        games.correct(round, table, to)?;
        let Some(from) = from.filter(|from| *from != to) else {
            return Ok(false);
        };
        self.corrections.push(Correction {
            round,
            table,
            by,
            at: now.as_secs(),
            from,
            to,
        });
        Ok(true)
    }

    /// The corrections of a result, oldest first.
    pub(super) fn corrections_of(
        &self,
        round: usize,
        table: usize,
    ) -> impl DoubleEndedIterator<Item = &Correction> {
        let is_of_table = move |it: &&Correction| (it.round, it.table) == (round, table);
        self.corrections.iter().filter(is_of_table)
    }
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
    }
}
