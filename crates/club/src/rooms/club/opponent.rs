//! Pairing of strangers, and phrases of players.

use super::error::VisitError;
use super::limits::Limited;
use super::{Club, Entry, RoomQuery};
use crate::rooms::message::{ClubMessage, PersonView};
use crate::rooms::number::VisitorId;
use crate::rooms::person::PersonId;
use crate::rooms::phrase::Phrase;
use crate::rooms::setup::RoomSetup;
use crate::rooms::visitor_message::NewRoom;
use std::collections::BTreeSet;
use std::time::Duration;

/// The most people who are listed as being here, and open correspondence rooms that are looked at.
const LISTED: usize = 100;

impl Club {
    /// Seats a person who wants to play a stranger.
    pub(super) fn quick(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        setup: RoomSetup,
    ) -> Result<(), VisitError> {
        let setup = self.setup_for(person, setup.check()?, false);
        if !setup.is_correspondence() {
            self.check_pause(now, person)?;
        }
        let own = self.rating(now, person, setup.category());
        let fits = |room, entry: &Entry| {
            let is_open = self.is_awaited(entry) && !entry.private && entry.invited.is_none();
            let other = entry.people().next()?;
            let difference = (self.rating(now, other, setup.category()) - own).abs();
            let is_theirs = other == person;
            let is_wanted = is_theirs || self.may_be_paired(person, entry);
            let fits = is_open && is_wanted && entry.room.setup() == setup;
            fits.then_some((!is_theirs, difference, room))
        };
        let open = self.rooms.pick(RoomQuery::Open, LISTED, fits);
        match open.into_iter().min() {
            // The person waits already.
            Some((false, _, room)) => self.enter(now, id, room),
            Some((true, _, room)) => {
                self.check_rooms_of(person, setup)?;
                self.enter(now, id, room)?;
                self.sit(now, id, person)
            }
            None => {
                let room = NewRoom {
                    setup,
                    seat: None,
                    engine: None,
                    opponent: None,
                    private: false,
                };
                self.create(now, id, person, room)
            }
        }
    }

    /// Sends a player's phrase to the people in the room.
    pub(super) fn send_phrase(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        phrase: Phrase,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        let receives = |id: &&VisitorId| {
            let listener = self.connections.person(**id);
            !listener.is_some_and(|listener| self.has_blocked(listener, person))
        };
        let to = entry.visitors.iter().filter(receives).copied().collect();
        self.take(now, Limited::Phrase(person))?;
        self.send(to, &ClubMessage::Said { room, seat, phrase });
        Ok(())
    }

    /// The people with a name who are here.
    pub(super) fn people_here(&self) -> Vec<PersonView> {
        let named = self
            .connections
            .people()
            .filter(|id| self.people.has_name(*id));
        let view = |id: PersonId| PersonView {
            name: self.people.name(id),
            bot: self.people.is_bot(id),
        };
        let here: BTreeSet<PersonView> = named.map(view).collect();
        here.into_iter().take(LISTED).collect()
    }
}
