//! Presence in rooms, and the win that a player may claim after the other has disconnected.

use super::error::VisitError;
use super::pending::Pending;
use super::{Club, Entry};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{Room, SEATS, Stage};
use std::collections::BTreeSet;
use std::time::Duration;

/// The time for which a player must be disconnected before the other may claim the win, and before
/// a wish for another game ends.
const CLAIM_AFTER: Duration = Duration::from_secs(60);

impl Club {
    /// Returns true if the player who acts next in a room is there.
    pub(super) fn actor_is_here(&self, id: RoomId) -> bool {
        let Some(entry) = self.rooms.get(id) else {
            return false;
        };
        let actor = entry
            .room
            .actor()
            .and_then(|seat| entry.room.occupant(seat));
        actor.is_some_and(|actor| self.is_here(entry, actor))
    }

    /// The number of people in a room without a seat.
    pub(super) fn watchers(&self, entry: &Entry) -> usize {
        let visitors = entry
            .visitors
            .iter()
            .filter_map(|id| self.connections.get(*id));
        let people = visitors.filter_map(|visitor| visitor.person);
        let watchers = people.filter(|person| entry.room.seat_of(*person).is_none());
        watchers.collect::<BTreeSet<PersonId>>().len()
    }

    /// Returns true if a player is in a room.
    pub(super) fn is_here(&self, entry: &Entry, who: Occupant) -> bool {
        let Occupant::Person(person) = who else {
            return true;
        };
        let is_them = |id: &VisitorId| {
            let visitor = self.connections.get(*id);
            visitor.is_some_and(|visitor| visitor.person == Some(person))
        };
        entry.visitors.iter().any(is_them)
    }

    /// Sends the presence of the players to the visitors of a room when it is due, and that of a
    /// challenger to the challenged person.
    pub(super) fn send_presence(&mut self, now: Duration, id: RoomId) {
        let entry = self.rooms.get_mut(id);
        let due = entry.and_then(|entry| entry.presence_due.take_if(|at| *at <= now));
        if due.is_some() {
            self.note(now, [Pending::SendRoom(id)]);
            self.announce_challenge(now, id);
        }
    }

    /// Withdraws the rematch offer of a player who was disconnected a minute ago.
    pub(super) fn end_wish(&mut self, now: Duration, id: RoomId) {
        let room = self.rooms.get(id).map(|entry| &entry.room);
        let wisher = room.and_then(|room| room.occupant(room.rematch_wish()?));
        let absence = wisher.and_then(|wisher| self.disconnected_for(now, wisher));
        if let Some(person) = wisher.and_then(Occupant::person)
            && absence.is_some_and(|absence| absence >= CLAIM_AFTER)
        {
            self.change(now, id, |room| room.withdraw_rematch(person));
        }
    }

    /// The time since a player was disconnected, if they are.
    pub(super) fn disconnected_for(&self, now: Duration, who: Occupant) -> Option<Duration> {
        let person = who
            .person()
            .filter(|person| !self.connections.is_online(*person))?;
        // After a restart it was the server that was gone: all players have time to come back.
        let back = self.started.map(|started| started + self.limits.grace);
        let since = self
            .connections
            .disconnected_since
            .get(&person)
            .copied()
            .or(back);
        Some(now.saturating_sub(since.unwrap_or(now)))
    }

    /// Handles a reconnect of a person: the visitors of their rooms are notified a little later.
    pub(super) fn handle_reconnect(&mut self, now: Duration, person: PersonId) {
        self.connections.disconnected_since.remove(&person);
        let is_theirs = |entry: &Entry| entry.seats(person);
        let notify = |entry: &mut Entry| entry.schedule_presence(now);
        self.rooms.for_each_mut(is_theirs, notify);
    }

    /// Handles a disconnect of a person: the visitors of their rooms are notified a little later.
    pub(super) fn handle_disconnect(&mut self, now: Duration, person: PersonId) {
        let is_theirs = |entry: &Entry| entry.seats(person);
        self.rooms.for_each_mut(is_theirs, |entry| {
            self.connections.disconnected_since.insert(person, now);
            entry.schedule_presence(now);
            if entry.room.stage() == Stage::Waiting {
                // The time until the room closes begins.
                entry.touched = now;
            }
        });
    }

    /// Ends a game for a player whose opponent has been gone for long.
    pub(super) fn claim(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        if entry.tournament_game.is_some() {
            return Err(VisitError::TournamentGame);
        }
        if entry.is_correspondence() {
            return Err(VisitError::NotGone(entry.due().saturating_sub(now)));
        }
        let other = entry.room.occupant(seat.other());
        let absence = other.and_then(|other| self.disconnected_for(now, other));
        let wait = CLAIM_AFTER.saturating_sub(absence.unwrap_or_default());
        if !wait.is_zero() {
            return Err(VisitError::NotGone(wait));
        }
        let claimed = self.change(now, room, |room: &mut Room| room.claim(now, seat));
        claimed.ok_or(VisitError::NoRoom)??;
        Ok(())
    }

    /// The time since each player of a room was disconnected, in milliseconds, by seats.
    pub(super) fn gone_ms(&self, now: Duration, entry: &Entry) -> [Option<u64>; 2] {
        SEATS.map(|seat| {
            let absence = self.disconnected_for(now, entry.room.occupant(seat)?)?;
            Some(u64::try_from(absence.as_millis()).unwrap_or(u64::MAX))
        })
    }
}
