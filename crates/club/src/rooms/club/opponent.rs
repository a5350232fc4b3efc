//! How players find each other: by a challenge, or as strangers; and what they say.

use super::error::VisitError;
use super::{Club, Entry};
use crate::rooms::error::RoomError;
use crate::rooms::message::{ClubMessage, PersonView};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::outcome::SeatName;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::phrase::Phrase;
use crate::rooms::room::Stage;
use crate::rooms::setup::RoomSetup;
use crate::rooms::visitor_message::NewRoom;
use std::collections::BTreeSet;
use std::time::Duration;

/// The most people who are listed as being here.
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
        self.check_pause(now, person)?;
        let own = self.rating(now, person, setup.rule);
        let fits = |(room, entry): (&RoomId, &Entry)| {
            let is_open = self.is_awaited(entry) && !entry.private && entry.invited.is_none();
            let other = entry.people().next()?;
            let difference = (self.rating(now, other, setup.rule) - own).abs();
            let is_theirs = other == person;
            (is_open && entry.room.setup() == setup).then_some((!is_theirs, difference, *room))
        };
        match self.rooms.iter().filter_map(fits).min() {
            // The person waits already.
            Some((false, _, room)) => self.enter(now, id, room),
            Some((true, _, room)) => {
                self.check_rooms_of(person)?;
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

    /// The person of a name who is asked for a game.
    pub(super) fn challenged(
        &self,
        now: Duration,
        person: PersonId,
        name: &str,
    ) -> Result<PersonId, VisitError> {
        let (opponent, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
        if opponent == person {
            return Err(RoomError::OwnGame.into());
        }
        let left = self.challenges.check(now, &person);
        left.map_err(VisitError::TooOften)?;
        Ok(opponent)
    }

    /// Tells a person of the games that they are asked for, or of this one.
    pub(super) fn tell_challenges(
        &mut self,
        now: Duration,
        person: PersonId,
        to: &[VisitorId],
        only: Option<RoomId>,
    ) {
        let rooms = self.rooms.iter();
        let asked = rooms.filter(|(id, entry)| {
            let is_meant = only.is_none_or(|only| only == **id);
            is_meant && entry.invited == Some(person) && self.is_awaited(entry)
        });
        let asked: Vec<ClubMessage> = asked
            .map(|(id, entry)| ClubMessage::Challenge(Box::new(self.room_summary(now, *id, entry))))
            .collect();
        for challenge in asked {
            self.say(to.to_vec(), &challenge);
        }
    }

    /// Tells the person for whom the free seat of a room is kept that they are asked for a game.
    pub(super) fn tell_invited(&mut self, now: Duration, room: RoomId) {
        if let Some(invited) = self.rooms.get(&room).and_then(|entry| entry.invited) {
            let to = self.visitors_who_are(&[invited]);
            self.tell_challenges(now, invited, &to, Some(room));
        }
    }

    /// Closes the room of a challenge for the person who was asked.
    pub(super) fn decline(&mut self, person: PersonId, room: RoomId) -> Result<(), VisitError> {
        let entry = self.rooms.get(&room).ok_or(VisitError::NoRoom)?;
        if entry.invited != Some(person) || entry.room.stage() != Stage::Waiting {
            return Err(VisitError::NoRoom);
        }
        log::info!("room={room} event=declined");
        self.remove_room(room);
        Ok(())
    }

    /// Says something to the people in the room of a player.
    pub(super) fn say_phrase(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        phrase: Phrase,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(&room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        let to = entry.visitors.iter().copied().collect();
        let taken = self.phrases.take(now, person);
        taken.map_err(VisitError::TooOften)?;
        let seat = SeatName::from(seat);
        self.say(to, &ClubMessage::Said { room, seat, phrase });
        Ok(())
    }

    /// The people with a name who are here.
    pub(super) fn people_here(&self) -> Vec<PersonView> {
        let named = self.present.keys().filter(|id| self.people.has_name(**id));
        let view = |id: &PersonId| PersonView {
            name: self.people.name(*id),
            bot: self.people.is_bot(*id),
        };
        let here: BTreeSet<PersonView> = named.map(view).collect();
        here.into_iter().take(LISTED).collect()
    }

    /// Whether a person may take the free seat: of a challenge only the person who was asked.
    pub(super) fn is_for(entry: &Entry, who: Occupant) -> bool {
        entry
            .invited
            .is_none_or(|invited| who == Occupant::Person(invited))
    }
}
