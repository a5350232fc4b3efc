//! The views of tournaments.

use super::Club;
use crate::rooms::correction::Correction;
use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::person::PersonId;
use crate::rooms::tournament::ClubTournament;
use crate::rooms::tournament_message::{
    CorrectionView, PairingView, PlaceView, TournamentSummary, TournamentView,
};
use quincunx_pairing::{Pairing, StandingsRow};
use std::cmp::Reverse;
use std::time::Duration;

impl Club {
    /// The tournaments of a club: those that can be joined first, then those that are
    /// played, then those that are over, each the newest first.
    pub fn list_tournaments(&self, most: usize) -> Vec<TournamentSummary> {
        self.summaries(most, |_| true)
    }

    /// The same, of some tournaments.
    pub(super) fn summaries(
        &self,
        most: usize,
        is_meant: impl Fn(&ClubTournament) -> bool,
    ) -> Vec<TournamentSummary> {
        let all = self.tournaments.iter().filter(|(_, it)| is_meant(it));
        let mut all: Vec<(TournamentId, &ClubTournament)> = all.collect();
        all.sort_by_key(|(_, it)| (it.stage(), Reverse(it.touched)));
        all.truncate(most);
        let summary = |(id, it): (TournamentId, &ClubTournament)| self.summary(id, it);
        all.into_iter().map(summary).collect()
    }

    fn summary(&self, id: TournamentId, it: &ClubTournament) -> TournamentSummary {
        let games = it.games.as_ref();
        TournamentSummary {
            tournament: id,
            setup: it.setup.clone(),
            maker: self.people.name(it.maker),
            stage: it.stage(),
            entry_closed: it.entry_closed,
            players: it.players.len(),
            round: games.map_or(0, |games| games.rounds().len()),
            rounds: it.setup.system.rounds(it.players.len()),
        }
    }

    pub(super) fn tournament_view(
        &self,
        now: Duration,
        id: TournamentId,
        it: &ClubTournament,
    ) -> TournamentView {
        let until = |at: Duration| at.saturating_sub(now).as_millis();
        let names = |people: &[PersonId]| -> Vec<String> {
            people.iter().map(|who| self.people.name(*who)).collect()
        };
        let pair = |pair: &[PersonId; 2]| pair.map(|who| self.people.name(who));
        TournamentView {
            summary: self.summary(id, it),
            standings: self.places(it),
            pairings: (it.last_round())
                .map(|(pairing, room)| {
                    // Rooms close some time after their game.
                    let is_asleep = it.deadline().is_some() && pairing.result.is_none();
                    let room = room.filter(|id| is_asleep || self.rooms.get(*id).is_some());
                    self.pairing_view(it, pairing, room)
                })
                .collect(),
            organisers: names(&it.organisers),
            half_byes: names(&it.half_byes),
            fixed: it.fixed.iter().map(pair).collect(),
            forbidden: it.forbidden.iter().map(pair).collect(),
            round_ms: (it.round_began)
                .map(|at| u64::try_from(now.saturating_sub(at).as_millis()).unwrap_or(u64::MAX)),
            asking: names(&it.asking),
            corrections: self.corrections_view(it),
            held: it.held,
            deadline: it.deadline().map(|at| at.as_secs()),
            next_round_ms: (it.next_round).map(|at| u64::try_from(until(at)).unwrap_or(u64::MAX)),
        }
    }

    fn corrections_view(&self, it: &ClubTournament) -> Vec<CorrectionView> {
        let view = |correction| self.correction_view(correction);
        it.corrections.iter().map(view).collect()
    }

    fn correction_view(&self, correction: &Correction) -> CorrectionView {
        CorrectionView {
            round: correction.round + 1,
            table: correction.table + 1,
            by: self.people.name(correction.by),
            at: correction.at,
            from: correction.from,
            to: correction.to,
        }
    }

    /// The corrections of the result of the game that was played in a room, oldest first.
    pub fn corrections_of_game(&self, room: RoomId) -> Vec<CorrectionView> {
        let corrections = self.tournaments.corrections_of_room(room);
        corrections.map(|it| self.correction_view(it)).collect()
    }

    /// The standings of a tournament; before the start the players as they joined.
    pub(super) fn places(&self, it: &ClubTournament) -> Vec<PlaceView> {
        let places = match &it.games {
            Some(games) => games.standings(),
            None => (0..it.players.len()).map(StandingsRow::before).collect(),
        };
        let view = |place: StandingsRow| PlaceView {
            name: self.people.name(it.players[place.player]),
            place,
        };
        places.into_iter().map(view).collect()
    }

    pub(super) fn pairing_view(
        &self,
        it: &ClubTournament,
        pairing: &Pairing,
        room: Option<RoomId>,
    ) -> PairingView {
        let name = |player: usize| self.people.name(it.players[player]);
        PairingView {
            first: name(pairing.first),
            second: pairing.second.map(name),
            result: pairing.result,
            points: pairing.points(),
            room,
        }
    }
}
