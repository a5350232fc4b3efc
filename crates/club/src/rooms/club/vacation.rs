//! Vacations: the turns of a person begin when their vacation ends, and the time that was left of
//! those that had begun is left then.

use super::Club;
use super::error::VisitError;
use super::pending::Pending;
use super::sleeping::RoomQuery;
use crate::rooms::number::RoomId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::Room;
use std::time::Duration;

impl Club {
    /// Begins a vacation of this many days, or with none ends the one that goes on. The person is sent
    /// their games anew.
    pub(super) fn set_vacation(
        &mut self,
        now: Duration,
        person: PersonId,
        days: u32,
    ) -> Result<(), VisitError> {
        let account = self.people.named_mut(person).ok_or(VisitError::Unnamed)?;
        let vacation = &mut account.vacation;
        if days > 0 {
            let until = vacation.begin(now, days).ok_or(VisitError::Vacation)?;
            self.change_turns(now, person, |room| room.begin_later(until - now));
        } else {
            let unspent = vacation.end(now).ok_or(VisitError::Vacation)?;
            self.change_turns(now, person, |room| room.begin_earlier(unspent));
        }
        self.note(now, [Pending::StorePerson(person)]);
        // Opponents see it where they are.
        let shown = self.rooms.shown(person);
        self.note(now, shown.into_iter().map(Pending::SendRoom));
        self.publish();
        self.send_correspondence(now, person);
        Ok(())
    }

    /// Changes the games that wait for a person's move.
    fn change_turns(&mut self, now: Duration, person: PersonId, change: impl Fn(&mut Room)) {
        let query = RoomQuery::MoveOf(person);
        for (id, _) in self.rooms.correspondence.find(query, usize::MAX) {
            self.load(id);
            if let Some(entry) = self.rooms.get_mut(id) {
                change(&mut entry.room);
                self.note(now, [Pending::StoreRoom(id)]);
            }
        }
    }

    /// Has a turn of a person on vacation begin at its end.
    pub(super) fn begin_after_vacation(&mut self, now: Duration, id: RoomId) {
        let entry = self.rooms.get(id).filter(|entry| entry.is_correspondence());
        let actor = entry.and_then(|entry| entry.room.occupant(entry.room.actor()?)?.person());
        let until = actor.and_then(|person| self.vacation_until(now, person));
        if let (Some(until), Some(entry)) = (until, self.rooms.get_mut(id)) {
            entry.room.begin_later(until.saturating_sub(now));
        }
    }

    fn vacation_until(&self, now: Duration, person: PersonId) -> Option<Duration> {
        self.people.get(person)?.vacation.until(now)
    }

    /// The end of a player's vacation in seconds since 1970, as others see it.
    pub(super) fn vacation_of(&self, now: Duration, who: Occupant) -> Option<u64> {
        let until = self.vacation_until(now, who.person()?)?;
        Some(until.as_secs())
    }
}
