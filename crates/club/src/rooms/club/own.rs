//! The rooms where a player has a seat: what they are told of them wherever they are, and
//! how they close one that no opponent has come to.

use super::error::VisitError;
use super::{Change, Club, Entry};
use crate::rooms::error::RoomError;
use crate::rooms::message::{ClubMessage, OwnRoom};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::outcome::SeatName;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{SEATS, Stage};
use std::time::Duration;

impl Club {
    /// The rooms where a person has a seat. A room with a game that is over is none of them,
    /// unless the other player wants a rematch.
    pub(super) fn own_rooms(&self, now: Duration, person: PersonId) -> Vec<OwnRoom> {
        let rooms = self.rooms.iter();
        rooms
            .filter_map(|(id, entry)| self.own_room(now, *id, entry, person))
            .filter(|own| {
                let is_asked = own.rematch_wish.is_some_and(|seat| seat != own.seat);
                own.stage != Stage::Over || is_asked
            })
            .collect()
    }

    /// A room as its player is told of it.
    fn own_room(
        &self,
        now: Duration,
        id: RoomId,
        entry: &Entry,
        person: PersonId,
    ) -> Option<OwnRoom> {
        let room = &entry.room;
        Some(OwnRoom {
            seat: room.seat_of(person)?.into(),
            summary: self.room_summary(now, id, entry),
            tournament: entry.appointment.map(|it| it.tournament),
            stage: room.stage(),
            actor: room.actor().map(SeatName::from),
            draw_offer: room.draw_offer().map(SeatName::from),
            undo_wish: room.undo_wish().map(SeatName::from),
            rematch_wish: room.rematch_wish().map(SeatName::from),
            outcome: room.outcome(),
        })
    }

    /// Tells the players of a room, wherever they are, how it stands.
    pub(super) fn tell_players(&mut self, now: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get(&id) else {
            return;
        };
        let own = |person| Some((person, self.own_room(now, id, entry, person)?));
        let players: Vec<(PersonId, OwnRoom)> = entry.people().filter_map(own).collect();
        for (person, room) in players {
            let to = self.visitors_who_are(&[person]);
            if !to.is_empty() {
                self.say(to, &ClubMessage::YourRoom(Box::new(room)));
            }
        }
    }

    /// Closes a room for its player, while no other has come.
    pub(super) fn close(&mut self, id: VisitorId, person: PersonId) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(&room).ok_or(VisitError::NoRoom)?;
        if entry.room.seat_of(person).is_none() {
            return Err(VisitError::Watching);
        }
        if entry.room.stage() != Stage::Waiting {
            return Err(RoomError::Seated.into());
        }
        log::info!("room={room} event=closed");
        self.remove_room(room);
        Ok(())
    }

    /// Removes a room, and tells all visitors in it and its players.
    pub(super) fn remove_room(&mut self, id: RoomId) {
        let Some(entry) = self.rooms.remove(&id) else {
            return;
        };
        self.effects.changes.push(Change::RoomGone(id));
        self.lobby_changed = true;
        let players: Vec<PersonId> = entry.people().collect();
        let mut to = entry.visitors;
        to.extend(self.visitors_who_are(&players));
        if let Some(invited) = entry.invited {
            to.extend(self.visitors_who_are(&[invited]));
        }
        for visitor in &to {
            let visitor = self.visitors.get_mut(visitor);
            if let Some(visitor) = visitor.filter(|it| it.room == Some(id)) {
                visitor.room = None;
            }
        }
        if !to.is_empty() {
            self.say(to.into_iter().collect(), &ClubMessage::Closed { room: id });
        }
    }

    /// Returns true if a player is here who waits for another, in the room or elsewhere.
    pub(super) fn is_awaited(&self, entry: &Entry) -> bool {
        let is_here = |person| self.is_present(person);
        entry.room.stage() == Stage::Waiting && entry.people().any(is_here)
    }

    /// The rooms where a person has a seat.
    pub(super) fn rooms_of(&self, person: PersonId) -> Vec<RoomId> {
        let rooms = self.rooms.iter();
        rooms
            .filter(|(_, entry)| entry.room.seat_of(person).is_some())
            .map(|(id, _)| *id)
            .collect()
    }

    /// The connections of some people.
    pub(super) fn visitors_who_are(&self, people: &[PersonId]) -> Vec<VisitorId> {
        let visitors = self.visitors.iter();
        visitors
            .filter(|(_, it)| it.person.is_some_and(|person| people.contains(&person)))
            .map(|(visitor, _)| *visitor)
            .collect()
    }
}

impl Entry {
    /// The people who have a seat.
    pub(super) fn people(&self) -> impl Iterator<Item = PersonId> {
        let occupants = SEATS
            .into_iter()
            .filter_map(|seat| self.room.occupant(seat));
        occupants.filter_map(Occupant::person)
    }
}
