//! Commands of organisers during a tournament.

use super::Club;
use super::error::VisitError;
use super::limits::Limited;
use super::wishes::Wish;
use crate::rooms::admin::AdminError;
use crate::rooms::correction::MOST_CORRECTIONS;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, TournamentId, VisitorId};
use crate::rooms::person::PersonId;
use crate::rooms::room::Room;
use crate::rooms::tournament::{ClubTournament, TournamentStage};
use crate::rooms::tournament_message::{CrossRow, PairingView};
use crate::rooms::visitor_message::TournamentMessage;
use quincunx_pairing::{PLAYERS, Pairing, PairingResult, TournamentError};
use std::time::Duration;

impl Club {
    /// Follows a message about tournaments.
    pub(super) fn follow_in_tournament(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        message: TournamentMessage,
    ) -> Result<(), VisitError> {
        use TournamentMessage as M;
        // All of a changed tournament is stored, and sent to all who look at it.
        match message {
            M::JoinTournament | M::Withdraw => {
                self.take(now, Limited::TournamentChange(person))?;
                let from = self.address_of(id)?;
                self.take(now, Limited::TournamentChangeFrom(from))?;
            }
            M::CreateTournament(_)
            | M::OpenTournament { .. }
            | M::Rounds
            | M::BeginTournament
            | M::EndTournament
            | M::NextRound => (),
            _ => self.take(now, Limited::OrganiserChange(person))?,
        }
        match message {
            M::CreateTournament(setup) => self.create_tournament(now, id, person, setup),
            M::OpenTournament { tournament } => {
                let tournament = tournament.parse();
                self.open_tournament(now, id, tournament.map_err(|_| VisitError::NoTournament)?)
            }
            M::JoinTournament => self.join_tournament(now, id, person),
            M::Withdraw => self.withdraw(now, id, person),
            M::Rounds => self.send_rounds(id),
            M::BeginTournament => self.begin_tournament(now, id, person),
            M::EndTournament => self.end_own_tournament(now, id, person),
            M::AddPlayer { name } => self.add_player(now, id, person, &name),
            M::RemovePlayer { name } => self.remove_player(now, id, person, &name),
            M::RemoveGuests => self.remove_guests(now, id, person),
            M::Organiser { name, wanted } => self.name_organiser(now, id, person, &name, wanted),
            M::HalfBye { name, wanted } => self.wish(now, id, person, Wish::HalfBye(&name), wanted),
            M::FixPairing {
                first,
                second,
                wanted,
            } => self.wish(now, id, person, Wish::Fixed(&first, &second), wanted),
            M::ForbidPairing {
                first,
                second,
                wanted,
            } => self.wish(now, id, person, Wish::Forbidden(&first, &second), wanted),
            M::CorrectResult {
                round,
                table,
                result,
            } => {
                let at = (round.wrapping_sub(1), table.wrapping_sub(1));
                self.correct_result(now, id, person, at, result)
            }
            M::HoldRound { held } => self.hold_round(now, id, person, held),
            M::CloseEntry { closed } => self.close_own_entry(now, id, person, closed),
            M::NextRound => self.next_round(now, id, person),
        }
    }

    /// Has a person take part whom the maker names. A game calls its players with a sound, so
    /// the club limits how often others may take a person in.
    pub(super) fn add_player(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        name: &str,
    ) -> Result<(), VisitError> {
        let (tournament, person) = self.named_by_maker(id, maker, name)?;
        let it = self.tournaments.get(tournament)?;
        let has_agreed = it.takes_part(person) || it.asking.contains(&person);
        if person != maker && !has_agreed {
            self.check_contact(maker, person)?;
            self.take(now, Limited::Addition(maker, person))?;
        }
        let it = self.tournaments.get_mut(tournament)?;
        it.removed.retain(|removed| *removed != person);
        self.add_to_tournament(now, tournament, person)
    }

    /// Has a person take part in a tournament: before its start, later in a Swiss one, and
    /// after a withdrawal in any.
    pub(super) fn add_to_tournament(
        &mut self,
        now: Duration,
        id: TournamentId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let it = self.tournaments.get(id)?;
        if it.setup.setup.is_correspondence() && !it.takes_part(person) {
            self.check_correspondence(person, it.setup.most_games())?;
        }
        let it = self.tournaments.get_mut(id)?;
        it.asking.retain(|asking| *asking != person);
        let player = it.player(person);
        match (&mut it.games, player) {
            (None, Some(_)) => return Ok(()),
            (None, None) if it.players.len() >= it.setup.system.most_players() => {
                return Err(TournamentError::Players.into());
            }
            (None, None) => it.players.push(person),
            (Some(games), Some(player)) => games.readmit(player)?,
            (Some(games), None) => {
                games.enter_late()?;
                it.players.push(person);
            }
        }
        log::info!("tournament={id} event=joined person={person}");
        self.keep_tournament(now, id);
        Ok(())
    }

    /// The tournament that its maker looks at, and the person whom they name.
    fn named_by_maker(
        &self,
        id: VisitorId,
        maker: PersonId,
        name: &str,
    ) -> Result<(TournamentId, PersonId), VisitError> {
        let (tournament, _) = self.own_tournament(id, maker)?;
        let (person, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
        Ok((tournament, person))
    }

    /// Removes a player from a tournament for good. A game that both players have come to goes on:
    /// it may be the maker's own, and rated.
    pub(super) fn remove_player(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        name: &str,
    ) -> Result<(), VisitError> {
        let (tournament, person) = self.named_by_maker(id, maker, name)?;
        self.remove(now, tournament, person)
    }

    fn remove(
        &mut self,
        now: Duration,
        tournament: TournamentId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let mut rooms = self.remove_from_tournament(now, tournament, person)?;
        let it = self.tournaments.get_mut(tournament)?;
        if !it.removed.contains(&person) {
            it.removed.push(person);
        }
        self.keep_tournament(now, tournament);
        rooms.retain(|room| !self.has_begun(*room));
        for room in rooms {
            self.give_up(now, room, person);
        }
        Ok(())
    }

    /// Takes out all players without a name, and those of them who ask to take part.
    pub(super) fn remove_guests(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.own_tournament(id, maker)?;
        let is_guest = |who: &PersonId| !self.people.has_name(*who);
        let takes_part = it.players.iter().filter(|who| it.takes_part(**who));
        let guests: Vec<PersonId> = takes_part.copied().filter(is_guest).collect();
        let asking: Vec<PersonId> = it.asking.iter().copied().filter(is_guest).collect();
        for guest in asking.into_iter().chain(guests) {
            self.remove(now, tournament, guest)?;
        }
        Ok(())
    }

    /// Notes that a person asks to take part.
    pub(super) fn ask_to_take_part(
        &mut self,
        now: Duration,
        id: TournamentId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let it = self.tournaments.get_mut(id)?;
        if it.stage() == TournamentStage::Over {
            return Err(TournamentError::Over.into());
        }
        if it.asking.len() >= *PLAYERS.end() {
            return Err(TournamentError::Players.into());
        }
        if !it.asking.contains(&person) {
            it.asking.push(person);
            self.keep_tournament(now, id);
        }
        Ok(())
    }

    /// Corrects the result of a game that is over, or enters that of a game at another board.
    /// Every correction is recorded.
    pub(super) fn correct_result(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        (round, table): (usize, usize),
        result: PairingResult,
    ) -> Result<(), VisitError> {
        let (tournament, _) = self.own_tournament(id, maker)?;
        let open = self.unplayed_room(tournament, (round, table))?;
        let it = self.tournaments.get_mut(tournament)?;
        if it.corrections.len() >= MOST_CORRECTIONS {
            return Err(VisitError::TooManyCorrections);
        }
        if it.correct(now, maker, (round, table), result)? {
            if open.is_some() {
                // The game was played at another board.
                it.end_round(now + it.setup.pause());
            }
            log::info!("tournament={tournament} event=corrected round={round} table={table}");
            self.keep_tournament(now, tournament);
        }
        if let Some(room) = open {
            self.change(now, room, Room::cancel);
        }
        Ok(())
    }

    /// The room of a game that is not over, if this is one.
    ///
    /// # Errors
    /// When both players have come there: their game goes on.
    fn unplayed_room(
        &self,
        tournament: TournamentId,
        (round, table): (usize, usize),
    ) -> Result<Option<RoomId>, VisitError> {
        let it = self.tournaments.get(tournament)?;
        let rounds = it.games.as_ref().map(|games| games.rounds());
        let is_last = rounds.is_some_and(|rounds| Some(round) == rounds.len().checked_sub(1));
        let open = it.last_round().nth(table).filter(|_| is_last);
        let open = open.filter(|(pairing, _)| pairing.result.is_none());
        match open.and_then(|(_, room)| room) {
            Some(room) if self.has_begun(room) => Err(VisitError::GameGoesOn),
            room => Ok(room),
        }
    }

    /// Has the next round wait until the maker begins it, or begin by itself.
    pub(super) fn hold_round(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        held: bool,
    ) -> Result<(), VisitError> {
        let (tournament, _) = self.own_tournament(id, maker)?;
        let it = self.tournaments.unfinished(tournament);
        let it = it.map_err(|_| TournamentError::Over)?;
        if it.held != held {
            it.held = held;
            self.keep_tournament(now, tournament);
        }
        Ok(())
    }

    /// Closes the entry of the maker's own tournament, or opens it again.
    pub(super) fn close_own_entry(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        closed: bool,
    ) -> Result<(), VisitError> {
        let (tournament, _) = self.own_tournament(id, maker)?;
        let done = self.close_entry(now, tournament, closed);
        done.map_err(|_| TournamentError::Over.into())
    }

    /// Closes the entry of a tournament, or opens it again. Players who have withdrawn come
    /// back all the same, and the maker adds others.
    ///
    /// # Errors
    /// When there is none of this number that is not over.
    pub fn close_entry(
        &mut self,
        now: Duration,
        id: TournamentId,
        closed: bool,
    ) -> Result<(), AdminError> {
        let it = self.tournaments.unfinished(id)?;
        if it.entry_closed != closed {
            it.entry_closed = closed;
            log::info!("tournament={id} event=entry closed={closed}");
            self.keep_tournament(now, id);
        }
        Ok(())
    }

    /// Continues a tournament without its maker: an open one begins, and a held one is released.
    ///
    /// # Errors
    /// When there is none of this number that is not over, or it can't begin.
    pub fn continue_tournament(
        &mut self,
        now: Duration,
        id: TournamentId,
    ) -> Result<(), AdminError> {
        if self.tournaments.unfinished(id)?.stage() == TournamentStage::Open {
            let begun = self.begin_first_round(now, id);
            begun.map_err(|_| AdminError::Begin)?;
        }
        if let Ok(it) = self.tournaments.get_mut(id) {
            it.held = false;
        }
        log::info!("tournament={id} event=continued");
        self.keep_tournament(now, id);
        Ok(())
    }

    /// Begins the next round now.
    pub(super) fn next_round(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.own_tournament(id, maker)?;
        if it.stage() != TournamentStage::Running || it.next_round.is_none() {
            return Err(TournamentError::RoundNotOver.into());
        }
        Ok(self.begin_round(now, tournament)?)
    }

    /// Sends a visitor all rounds with their pairings.
    pub(super) fn send_rounds(&mut self, id: VisitorId) -> Result<(), VisitError> {
        let (tournament, it) = self.tournament_of(id)?;
        let rounds = it.games.iter().flat_map(|games| games.rounds());
        let rounds = rounds.zip(&it.rooms).map(|(pairings, rooms)| {
            let pairings = pairings.iter().zip(rooms);
            let view = |(pairing, room): (&Pairing, &Option<_>)| {
                let room = room.filter(|room| self.rooms.get(*room).is_some());
                self.pairing_view(it, pairing, room)
            };
            pairings.map(view).collect::<Vec<PairingView>>()
        });
        let message = ClubMessage::Rounds {
            tournament,
            rounds: rounds.collect(),
            crosstable: self.crosstable(it),
        };
        self.send(vec![id], &message);
        Ok(())
    }

    /// The crosstable, in the order of the standings.
    pub(super) fn crosstable(&self, it: &ClubTournament) -> Vec<CrossRow> {
        let places = it.games.iter().flat_map(|games| games.standings());
        let order: Vec<usize> = places.map(|place| place.player).collect();
        let mut cells = it.cells();
        let row = |player: &usize| CrossRow {
            name: self.people.name(it.players[*player]),
            cells: (order.iter())
                .map(|other| std::mem::take(&mut cells[*player][*other]))
                .collect(),
        };
        order.iter().map(row).collect()
    }

    /// Returns true if a player of a tournament is online, or has played a game of it.
    pub(super) fn has_come(&self, it: &ClubTournament, player: usize) -> bool {
        self.connections.is_online(it.players[player]) || it.has_played(player)
    }
}

impl ClubTournament {
    /// The results of the players against each other, by their numbers, with a `c` after corrected
    /// results.
    fn cells(&self) -> Vec<Vec<String>> {
        let mut cells = vec![vec![String::new(); self.players.len()]; self.players.len()];
        let rounds = self.games.iter().flat_map(|games| games.rounds());
        for (round, pairings) in rounds.enumerate() {
            for (table, pairing) in pairings.iter().enumerate() {
                let Some(second) = pairing.second else {
                    continue;
                };
                let is_corrected = self.corrections_of(round, table).next().is_some();
                let [mine, theirs] = signs(pairing.result);
                for (cell, sign) in [
                    ([pairing.first, second], mine),
                    ([second, pairing.first], theirs),
                ] {
                    let text = &mut cells[cell[0]][cell[1]];
                    text.push(sign);
                    text.extend(is_corrected.then_some('c'));
                }
            }
        }
        cells
    }
}

/// The sign of a result for each of its players: `1`, `½` and `0`, `+` and `-` where one did not
/// come, and `*` where they play.
fn signs(result: Option<PairingResult>) -> [char; 2] {
    let Some(result) = result else {
        return ['*'; 2];
    };
    let sign = |half_points| match (result.is_played(), half_points) {
        (true, 2) => '1',
        (true, 1) => '½',
        (true, _) => '0',
        (false, 2) => '+',
        (false, _) => '-',
    };
    result.half_points().map(sign)
}
