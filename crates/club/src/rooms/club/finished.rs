//! Tournaments that are over: the last ones are in memory, older ones are read when they are
//! asked for.

use super::Club;
use super::error::VisitError;
use crate::rooms::number::{TournamentId, VisitorId};
use crate::rooms::tournament::{ClubTournament, TournamentStage};
use std::collections::BTreeSet;
use std::error::Error;
use std::time::Duration;

/// The most tournaments that are over and in memory, beside those that are used.
const IN_MEMORY: usize = 50;

/// When to ask again for a tournament that could not be read.
const BUSY: Duration = Duration::from_secs(1);

impl Club {
    /// Forgets the tournaments that have been over for longest. Those that visitors look at stay,
    /// and those with rooms, where a game may go on.
    pub(super) fn forget_tournaments(&mut self) {
        let all = self.tournaments.iter();
        let over = all.filter(|(_, it)| it.stage() == TournamentStage::Over);
        let mut over: Vec<(Duration, TournamentId)> =
            over.map(|(id, it)| (it.touched, *id)).collect();
        let Some(count @ 1..) = over.len().checked_sub(IN_MEMORY) else {
            return;
        };
        over.sort_unstable();
        let looked_at = self.visitors.values().filter_map(|it| it.tournament);
        let appointments = self.rooms.values().filter_map(|entry| entry.appointment);
        let played = appointments.map(|it| it.tournament);
        let used: BTreeSet<TournamentId> = looked_at.chain(played).collect();
        for (_, id) in over.into_iter().take(count) {
            if !used.contains(&id) {
                self.tournaments.remove(&id);
            }
        }
    }

    /// Takes a tournament that was read into memory again, where it stays while it is used.
    pub fn recall(&mut self, id: TournamentId, it: ClubTournament) {
        self.tournaments.entry(id).or_insert(it);
    }

    /// Shows a visitor a tournament that was read for them, if it was found.
    pub fn show_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        tournament: TournamentId,
        found: Result<Option<ClubTournament>, impl Error>,
    ) {
        let shown = match found {
            Ok(Some(it)) => {
                self.recall(tournament, it);
                self.open_tournament(now, id, tournament)
            }
            Ok(None) => Err(VisitError::NoTournament),
            Err(_) => Err(VisitError::TooOften(BUSY)),
        };
        if let Err(error) = shown {
            self.tell_error(id, &error);
        }
    }
}
