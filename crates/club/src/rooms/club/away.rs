//! Players who are gone: since when, and the win that the other may claim.

use super::error::VisitError;
use super::{Club, Entry};
use crate::rooms::number::VisitorId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{Room, SEATS, Stage};
use std::time::Duration;

/// How long a player must have been gone before the other may claim the win.
const CLAIM_AFTER: Duration = Duration::from_secs(60);

impl Club {
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
