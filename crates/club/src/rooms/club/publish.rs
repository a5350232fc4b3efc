//! Storing and sending of the pending changes.

use super::pending::Pending;
use super::{Club, StoreWrite};
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, TournamentId, VisitorId};
use std::collections::BTreeMap;
use std::time::Duration;

/// The shortest time between views of a tournament that others have changed.
const TOURNAMENT_EVERY: Duration = Duration::from_secs(1);

impl Club {
    /// Adds pending writes and messages.
    pub(super) fn note(&mut self, now: Duration, changes: impl IntoIterator<Item = Pending>) {
        self.pending.at = self.pending.at.max(now);
        self.pending.changes.extend(changes);
    }

    /// Turns the pending changes into writes and messages.
    pub(super) fn publish(&mut self) {
        let now = self.pending.at;
        for change in std::mem::take(&mut self.pending.changes) {
            match change {
                Pending::StoreRoom(id) => self.store_room(id),
                Pending::StorePerson(id) => {
                    let person = self.people.enter(id).clone();
                    self.effects.writes.push(StoreWrite::Person(id, person));
                }
                Pending::StoreTournament(id) => {
                    let stored = self.tournaments.get(id).ok().cloned();
                    let stored = stored.map(|it| StoreWrite::Tournament(id, Box::new(it)));
                    self.effects.writes.extend(stored);
                }
                Pending::SendRoom(id) => {
                    let entry = self.rooms.get(id);
                    let to = entry.map(|entry| entry.visitors.iter().copied().collect());
                    self.show_room(now, id, to.unwrap_or_default());
                }
                Pending::SendPlayers(id) => self.send_players(now, id),
                Pending::SendTurns(person) => {
                    let to = self.connections.of(&[person]);
                    self.send_turns(&to, person);
                }
                Pending::SendTournament(id) => {
                    for visitor in self.connections.visitors.values_mut() {
                        visitor.has_tournament &= visitor.tournament != Some(id);
                    }
                }
            }
        }
    }

    /// Sends tournaments that have changed to visitors who look at them.
    pub(super) fn send_tournaments(&mut self, now: Duration, visitors: &[VisitorId]) {
        let mut due: BTreeMap<TournamentId, Vec<VisitorId>> = BTreeMap::new();
        for id in visitors {
            if let Some(it) = self.connections.get_mut(*id)
                && let Some(tournament) = it.tournament.filter(|_| !it.has_tournament)
            {
                (it.has_tournament, it.tournament_at) = (true, Some(now));
                due.entry(tournament).or_default().push(*id);
            }
        }
        for (id, to) in due {
            if let Ok(it) = self.tournaments.get(id) {
                let view = Box::new(self.tournament_view(now, id, it));
                self.send(to, &ClubMessage::Tournament(view));
            }
        }
    }

    /// Sends tournaments that have changed to the visitors who look at them, to each once a second
    /// at most.
    pub(super) fn send_tournament_changes(&mut self, now: Duration) {
        let is_early = |at: Duration| now.saturating_sub(at) < TOURNAMENT_EVERY;
        self.publish();
        let due = self.connections.which(|it| {
            let is_stale = it.tournament.is_some() && !it.has_tournament;
            is_stale && !it.tournament_at.is_some_and(is_early)
        });
        self.send_tournaments(now, &due);
    }

    fn store_room(&mut self, id: RoomId) {
        if let Some(entry) = self.rooms.get(id) {
            let is_correspondence = entry.is_correspondence();
            let stored = StoreWrite::Room(id, Box::new(entry.stored()));
            self.effects.writes.push(stored);
            if is_correspondence {
                self.rooms.correspondence.note_write(id);
            }
        }
    }

    /// Shows a room to some of its visitors.
    pub(super) fn show_room(&mut self, now: Duration, id: RoomId, to: Vec<VisitorId>) {
        if let Some(entry) = self.rooms.get(id)
            && !to.is_empty()
        {
            let room = &entry.room;
            let actor = room.actor().and_then(|seat| room.occupant(seat)?.person());
            let turn = room.is_unsent(room.turn()).then_some((id, room.turn()));
            // The turn of the engine begins with its search.
            let turn = turn.filter(|_| actor.is_some());
            let view = ClubMessage::Room(Box::new(self.view(now, id, entry)));
            self.send(to.clone(), &view);
            if let Some(message) = self.effects.messages.last_mut() {
                message.turn = turn;
            }
            self.send_lines(id, &to);
        }
    }
}
