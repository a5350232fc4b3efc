//! Players who are gone: since when, and the win that the other may claim.

use super::error::VisitError;
use super::{Club, Entry};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{Room, SEATS, Stage};
use std::time::Duration;

/// How long a player must have been gone before the other may claim the win.
const CLAIM_AFTER: Duration = Duration::from_secs(60);

/// How long after a player has come to a room or gone its visitors are told.
const PRESENCE_AFTER: Duration = Duration::from_millis(500);

impl Club {
    /// Tells the visitors of a room which players are in it, if it is time.
    pub(super) fn tell_presence(&mut self, now: Duration, id: RoomId) {
        let entry = self.rooms.get_mut(&id);
        let due = entry.and_then(|entry| entry.tell_at.take_if(|at| *at <= now));
        if due.is_some() {
            self.tell_room(now, id);
        }
    }

    /// How long a player has had no connection, if they have none.
    pub(super) fn gone_for(&self, now: Duration, who: Occupant) -> Option<Duration> {
        let person = who.person().filter(|person| !self.is_present(*person))?;
        // After a restart it was the server that was gone: all players have time to come back.
        let back = self.started.map(|started| started + self.limits.grace);
        let since = self.gone.get(&person).copied().or(back);
        Some(now.saturating_sub(since.unwrap_or(now)))
    }

    /// A person has a connection again: those who play with them are told, or are asked to.
    pub(super) fn is_back(&mut self, now: Duration, person: PersonId) {
        self.gone.remove(&person);
        for (id, stage) in self.rooms_of(person) {
            match stage {
                Stage::Waiting => self.tell_invited(now, id),
                Stage::Playing => self.tell_room(now, id),
                Stage::Over => {}
            }
        }
    }

    /// A person has no connection any more: those who play with them are told.
    pub(super) fn is_gone(&mut self, now: Duration, person: PersonId) {
        let rooms = self.rooms_of(person);
        if !rooms.is_empty() {
            self.gone.insert(person, now);
        }
        for (id, stage) in rooms {
            match stage {
                // The time until the room closes begins.
                Stage::Waiting => {
                    if let Some(entry) = self.rooms.get_mut(&id) {
                        entry.touched = now;
                    }
                }
                Stage::Playing => self.tell_room(now, id),
                // No game begins, and none can be claimed, where one who wanted it is gone.
                Stage::Over => _ = self.change(now, id, |room| room.withdraw_rematch(person)),
            }
        }
    }

    /// Ends a game for a player whose opponent has been gone for long.
    pub(super) fn claim(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(&room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        if entry.appointment.is_some() {
            return Err(VisitError::TournamentGame);
        }
        let other = entry.room.occupant(seat.other());
        let gone = other.and_then(|other| self.gone_for(now, other));
        let wait = CLAIM_AFTER.saturating_sub(gone.unwrap_or_default());
        if !wait.is_zero() {
            return Err(VisitError::NotGone(wait));
        }
        let claimed = self.change(now, room, |room: &mut Room| room.claim(now, seat));
        claimed.ok_or(VisitError::NoRoom)??;
        Ok(())
    }

    /// How long each player of a room has been gone, in milliseconds, by seats.
    pub(super) fn gone_ms(&self, now: Duration, entry: &Entry) -> [Option<u64>; 2] {
        SEATS.map(|seat| {
            let gone = self.gone_for(now, entry.room.occupant(seat)?)?;
            Some(u64::try_from(gone.as_millis()).unwrap_or(u64::MAX))
        })
    }
}

impl Entry {
    /// A player has come or gone: the visitors are told of all who have until then.
    pub(super) fn tell_presence_later(&mut self, now: Duration) {
        self.tell_at = self.tell_at.or(Some(now + PRESENCE_AFTER));
    }
}
