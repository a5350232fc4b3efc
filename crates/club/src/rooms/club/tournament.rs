//! Tournaments: their players, the rooms of each round, and the results.

use super::error::VisitError;
use super::pending::Pending;
use super::tournaments::Due;
use super::{Club, Entry, StoreWrite};
use crate::rating::Score;
use crate::rooms::admin::AdminError;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, TournamentId, VisitorId};
use crate::rooms::outcome::Outcome;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::referee::Action;
use crate::rooms::room::{Room, SEATS, index};
use crate::rooms::tournament::{
    ClubTournament, EntryRule, TournamentGame, TournamentSetup, TournamentStage,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use quincunx_pairing::{Pairing, PairingResult, Tournament, TournamentError};
use std::cmp::Reverse;
use std::time::Duration;

impl Club {
    /// Handles the passing of time: rounds begin, and stale tournaments are deleted.
    pub(super) fn tick_tournaments(&mut self, now: Duration) {
        let grace = self.rooms.correspondence.grace();
        for (id, due) in self.tournaments.due(now, grace) {
            if due == Due::Deadline {
                self.end_by_deadline(now, id);
            } else if due == Due::Expiry {
                log::info!("tournament={id} event=expired");
                self.drop_tournament(id);
            } else if let Err(error) = self.begin_round(now, id) {
                let it = self.tournaments.get(id).ok();
                let organises = |who: PersonId| it.is_some_and(|it| it.is_organised_by(who));
                let organisers = self.connections.which(|visitor| {
                    visitor.tournament == Some(id) && visitor.person.is_some_and(organises)
                });
                self.send(organisers, &VisitError::from(error).message());
            }
        }
    }

    /// Decides the games of a tournament that are not over at its deadline.
    fn end_by_deadline(&mut self, now: Duration, id: TournamentId) {
        let it = self.tournaments.get(id);
        let unfinished =
            |(pairing, room): (&Pairing, Option<RoomId>)| room.filter(|_| pairing.result.is_none());
        // What passes after it, as while the server does not run, is no time of a player.
        let deadline = it.as_ref().ok().and_then(|it| it.deadline());
        let at = deadline.map_or(now, |deadline| deadline.min(now));
        let rooms: Vec<RoomId> = it.map_or(Vec::new(), |it| {
            it.last_round().filter_map(unfinished).collect()
        });
        log::info!("tournament={id} event=deadline games={}", rooms.len());
        for room in rooms {
            self.load(room);
            self.change(now, room, |room| room.end_by_deadline(now, at));
        }
        // A game whose room can't be read has no result.
        if let Ok(it) = self.tournaments.unfinished(id) {
            it.games.iter_mut().for_each(Tournament::end);
            self.keep_tournament(now, id);
        }
    }

    /// Ends a game that a player has not come to in time. After a restart of the server
    /// they have as long again.
    pub(super) fn tick_appointment(&mut self, now: Duration, started: Duration, id: RoomId) {
        let Some(tournament_game) = self.rooms.get(id).and_then(|entry| entry.tournament_game)
        else {
            return;
        };
        let tournament = self.tournaments.get(tournament_game.tournament);
        let patience = tournament.map_or(Duration::ZERO, |it| it.setup.no_show());
        if now.saturating_sub(started.max(tournament_game.since)) >= patience {
            let absent = tournament_game.came.map(|came| !came);
            self.change(now, id, |room| room.forfeit(absent));
        }
    }

    pub(super) fn create_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        setup: TournamentSetup,
    ) -> Result<(), VisitError> {
        let mut setup = setup.check()?;
        setup.setup = self.setup_for(person, setup.setup.check()?, false);
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        let is_correspondence = setup.setup.is_correspondence();
        self.tournaments.check_maker(person, is_correspondence)?;
        self.check_quota(now, id)?;
        let from = self.connections.get(id).map(|visitor| visitor.from);
        self.make_place_for_tournament(from, is_correspondence)?;
        self.take_quota(now, id)?;
        let tournament = TournamentId((self.random)());
        log::info!("tournament={tournament} event=created person={person}");
        let made = ClubTournament {
            from,
            ..ClubTournament::new(setup, person, now)
        };
        self.tournaments.insert(tournament, made);
        self.keep_tournament(now, tournament);
        self.open_tournament(now, id, tournament)
    }

    pub(super) fn open_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        tournament: TournamentId,
    ) -> Result<(), VisitError> {
        let it = self.tournaments.get(tournament)?;
        let view = ClubMessage::Tournament(Box::new(self.tournament_view(now, tournament, it)));
        self.leave_room(now, id);
        self.view_tournament(id, Some(tournament));
        if let Some(visitor) = self.connections.get_mut(id) {
            (visitor.has_tournament, visitor.tournament_at) = (true, Some(now));
        }
        self.send(vec![id], &view);
        Ok(())
    }

    /// Sets the subscription of a visitor to a tournament.
    pub(super) fn view_tournament(&mut self, id: VisitorId, tournament: Option<TournamentId>) {
        if let Some(visitor) = self.connections.get_mut(id) {
            visitor.tournament = tournament;
            visitor.has_tournament = false;
            visitor.has_lobby = false;
        }
    }

    pub(super) fn join_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.tournament_of(id)?;
        if it.removed.contains(&person) {
            return Err(VisitError::Removed);
        }
        let is_new = it.player(person).is_none();
        if it.entry_closed && is_new {
            return Err(VisitError::EntryClosed);
        }
        if it.setup.named_only && is_new && !self.people.has_name(person) {
            return Err(VisitError::TournamentNamedOnly);
        }
        let must_ask = it.setup.entry == EntryRule::Approval && is_new && it.maker != person;
        self.admit(now, id, person)?;
        if must_ask {
            self.ask_to_take_part(now, tournament, person)
        } else {
            self.add_to_tournament(now, tournament, person)
        }
    }

    pub(super) fn withdraw(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, _) = self.tournament_of(id)?;
        for room in self.remove_from_tournament(now, tournament, person)? {
            self.give_up(now, room, person);
        }
        Ok(())
    }

    /// Has a person take no part in a tournament any more. Returns the rooms of the games that they
    /// play.
    pub(super) fn remove_from_tournament(
        &mut self,
        now: Duration,
        tournament: TournamentId,
        person: PersonId,
    ) -> Result<Vec<RoomId>, VisitError> {
        let it = self.tournaments.get_mut(tournament)?;
        if it.asking.contains(&person) {
            it.asking.retain(|asking| *asking != person);
            self.keep_tournament(now, tournament);
            return Ok(Vec::new());
        }
        let player = it.player(person).ok_or(VisitError::NotPlaying)?;
        match &mut it.games {
            Some(games) => games.withdraw(player)?,
            None => drop(it.players.remove(player)),
        }
        let their_games = (it.last_round())
            .filter(|(pairing, _)| pairing.has(player) && pairing.result.is_none())
            .filter_map(|(_, room)| room)
            .collect();
        log::info!("tournament={tournament} event=withdrawn person={person}");
        self.keep_tournament(now, tournament);
        Ok(their_games)
    }

    /// Returns true if both players have come to a game of a tournament.
    pub(super) fn has_begun(&self, id: RoomId) -> bool {
        let entry = self.rooms.get(id);
        let tournament_game = entry.and_then(|entry| entry.tournament_game);
        tournament_game.is_some_and(|it| it.both_came())
    }

    /// Ends a game for a player who withdraws.
    pub(super) fn give_up(&mut self, now: Duration, id: RoomId, person: PersonId) {
        let give_up = |room: &mut Room, has_begun: bool| match room.seat_of(person) {
            Some(seat) if has_begun => _ = room.act(now, seat, Action::Resign, Duration::ZERO),
            Some(seat) => room.forfeit(SEATS.map(|it| it == seat)),
            None => (),
        };
        self.load(id);
        let has_begun = self.has_begun(id);
        self.change(now, id, |room| give_up(room, has_begun));
    }

    pub(super) fn begin_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.own_tournament(id, person)?;
        if it.stage() != TournamentStage::Open {
            return Err(VisitError::Begun);
        }
        self.begin_first_round(now, tournament)
    }

    /// Begins a tournament that is open.
    pub(super) fn begin_first_round(
        &mut self,
        now: Duration,
        tournament: TournamentId,
    ) -> Result<(), VisitError> {
        let it = self.tournaments.get(tournament)?;
        let games = Tournament::new(it.setup.system, it.players.len())?;
        let (category, mut players) = (it.setup.setup.category(), it.players.clone());
        players.sort_by_key(|player| {
            let rating = self.standing(*player, category).glicko(now).rating;
            Reverse(rating.round() as i64)
        });
        let it = self.tournaments.get_mut(tournament)?;
        (it.players, it.games) = (players, Some(games));
        Ok(self.begin_round(now, tournament)?)
    }

    pub(super) fn end_own_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, _) = self.own_tournament(id, person)?;
        let rooms = self.end_rounds(now, tournament);
        // A maker who ends a tournament takes no rated game away from its players.
        for room in rooms.map_err(|_| TournamentError::Over)? {
            self.load(room);
            if !self.has_begun(room) {
                self.change(now, room, Room::cancel);
            }
        }
        Ok(())
    }

    /// Ends a tournament. Games under way do not count.
    ///
    /// # Errors
    /// When there is none of this number that is not over.
    pub fn end_tournament(&mut self, now: Duration, id: TournamentId) -> Result<(), AdminError> {
        for room in self.end_rounds(now, id)? {
            self.load(room);
            self.change(now, room, Room::cancel);
        }
        Ok(())
    }

    /// Ends a tournament, but not the games that are being played. Returns their rooms.
    fn end_rounds(&mut self, now: Duration, id: TournamentId) -> Result<Vec<RoomId>, AdminError> {
        let it = self.tournaments.unfinished(id)?;
        log::info!("tournament={id} event=ended");
        it.next_round = None;
        match &mut it.games {
            Some(games) => games.end(),
            None => {
                self.drop_tournament(id);
                return Ok(Vec::new());
            }
        }
        let rooms: Vec<RoomId> = it.last_round().filter_map(|(_, room)| room).collect();
        self.keep_tournament(now, id);
        Ok(rooms)
    }

    /// Deletes a tournament that has not begun, and notifies the visitors who look at it.
    pub(super) fn drop_tournament(&mut self, id: TournamentId) {
        self.tournaments.remove(id);
        self.effects.writes.push(StoreWrite::TournamentGone(id));
        self.lobby.has_changed = true;
        self.send(self.viewers(id), &VisitError::NoTournament.message());
    }

    /// The visitors who look at a tournament.
    pub(super) fn viewers(&self, id: TournamentId) -> Vec<VisitorId> {
        self.connections.which(|it| it.tournament == Some(id))
    }

    /// The tournament that a visitor looks at.
    pub(super) fn tournament_of(
        &self,
        id: VisitorId,
    ) -> Result<(TournamentId, &ClubTournament), VisitError> {
        let visitor = self.connections.get(id);
        let id = visitor.and_then(|visitor| visitor.tournament);
        let id = id.ok_or(VisitError::NoTournamentHere)?;
        Ok((id, self.tournaments.get(id)?))
    }

    /// The same, if this person organises it.
    pub(super) fn own_tournament(
        &self,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(TournamentId, &ClubTournament), VisitError> {
        let (id, tournament) = self.tournament_of(id)?;
        if tournament.is_organised_by(person) {
            Ok((id, tournament))
        } else {
            Err(VisitError::NotMaker)
        }
    }

    /// Begins the next round that has games, or ends the tournament. If no new pairing is possible
    /// before the last round, the tournament is held.
    ///
    /// # Errors
    /// When no new pairing is possible.
    pub(super) fn begin_round(
        &mut self,
        now: Duration,
        id: TournamentId,
    ) -> Result<(), TournamentError> {
        let Ok(it) = self.tournaments.get_mut(id) else {
            return Ok(());
        };
        let paired = it.pair(now);
        self.keep_tournament(now, id);
        let (pairings, bye) = paired?;
        log::info!("tournament={id} event=round games={}", pairings.len());
        if let Some(player) = bye
            && let Ok(it) = self.tournaments.get(id)
            && !self.has_come(it, player)
            && let Ok(it) = self.tournaments.get_mut(id)
        {
            // Who has never come has no point for it.
            it.games.iter_mut().for_each(Tournament::void_bye);
        }
        for (table, pairing) in pairings.into_iter().enumerate() {
            let room = self.open_table(now, id, pairing);
            let it = self.tournaments.get_mut(id);
            if let Some(rooms) = it.ok().and_then(|it| it.rooms.last_mut()) {
                rooms[table] = room;
            }
        }
        Ok(())
    }

    /// Opens the room of a pairing, where its players have the seats, and notifies them.
    fn open_table(&mut self, now: Duration, id: TournamentId, pairing: Pairing) -> Option<RoomId> {
        let it = self.tournaments.get(id).ok()?;
        let second = pairing.second.filter(|_| pairing.result.is_none())?;
        let players = [it.players[pairing.first], it.players[second]];
        let mut game = Room::new(it.setup.setup);
        for seat in SEATS {
            let player = Occupant::Person(players[index(seat)]);
            game.sit(now, seat, player).ok()?;
        }
        game.suspend(now);
        if !self.can_rate(players.map(Occupant::Person)) {
            game.unrate();
        }
        let mut entry = Entry::new(game, it.maker, now);
        // Nobody has to come to a correspondence game.
        let is_correspondence = entry.is_correspondence();
        entry.tournament_game = Some(TournamentGame {
            tournament: id,
            since: now,
            came: [is_correspondence; 2],
        });
        let room = RoomId((self.random)());
        self.rooms.insert(room, entry);
        if is_correspondence {
            self.begin_after_vacation(now, room);
            self.note(now, [Pending::StoreRoom(room)]);
            self.note_turns(now, room);
            return Some(room);
        }
        self.lobby.has_changed = true;
        self.note(now, [Pending::StoreRoom(room), Pending::SendPlayers(room)]);
        let to = self.connections.of(&players);
        let tournament = id;
        self.send(to, &ClubMessage::Round { tournament, room });
        Some(room)
    }

    /// The game of a room is over: if it belongs to a tournament its result counts there.
    pub(super) fn record_result(&mut self, now: Duration, id: RoomId, number: Option<u64>) {
        let entry = self.rooms.get(id);
        let tournament_game = entry.and_then(|entry| entry.tournament_game);
        let outcome = entry.and_then(|entry| entry.room.outcome());
        let (Some(tournament_game), Some(outcome)) = (tournament_game, outcome) else {
            return;
        };
        let Ok(it) = self.tournaments.get_mut(tournament_game.tournament) else {
            return;
        };
        let table = it.last_round().position(|(_, room)| room == Some(id));
        it.numbers.extend(number.filter(|_| table.is_some()));
        let recorded = match (&mut it.games, table) {
            (Some(games), Some(table)) => games.record(table, result(outcome)).is_ok(),
            _ => false,
        };
        if recorded {
            if outcome.reason == Termination::NoShow {
                it.withdraw_absent(table);
            }
            it.end_round(now + it.setup.pause());
        }
        // The tournament has ended before this game: it gets a number, and no result.
        self.keep_tournament(now, tournament_game.tournament);
    }

    /// Schedules a tournament to be stored, and sent to its viewers.
    pub(super) fn keep_tournament(&mut self, now: Duration, id: TournamentId) {
        if let Ok(it) = self.tournaments.get_mut(id) {
            it.touched = now;
        }
        self.lobby.has_changed = true;
        self.note(
            now,
            [Pending::StoreTournament(id), Pending::SendTournament(id)],
        );
    }
}

/// The tournament result of an outcome.
pub(super) fn result(outcome: Outcome) -> PairingResult {
    match (outcome.reason, outcome.winner) {
        (Termination::NoShow, Some(Seat::First)) => PairingResult::SecondAbsent,
        (Termination::NoShow, Some(Seat::Second)) => PairingResult::FirstAbsent,
        (Termination::NoShow | Termination::Aborted, _) => PairingResult::Neither,
        (_, Some(Seat::First)) => PairingResult::Played(Score::Win),
        (_, Some(Seat::Second)) => PairingResult::Played(Score::Loss),
        (_, None) => PairingResult::Played(Score::Draw),
    }
}
