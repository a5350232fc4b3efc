//! The rooms where a player has a seat: their state, which is sent to the player anywhere, and how
//! a player closes one that no opponent has entered.

use super::error::VisitError;
use super::{Club, Entry, StoreWrite};
use crate::rooms::error::RoomError;
use crate::rooms::message::{ClubMessage, OwnRoom};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::PersonId;
use crate::rooms::room::Stage;
use std::time::Duration;

impl Club {
    /// The rooms where a person has a seat. A room with a game that is over is none of them,
    /// unless the other player wants a rematch.
    pub(super) fn own_rooms(&self, now: Duration, person: PersonId) -> Vec<OwnRoom> {
        let rooms = self.rooms.iter();
        rooms
            .filter_map(|(id, entry)| self.own_room(now, id, entry, person))
            .filter(|own| {
                let is_asked = own.state.rematch_wish.is_some_and(|seat| seat != own.seat);
                own.state.stage != Stage::Over || is_asked
            })
            .collect()
    }

    /// The state of a room for its player.
    pub(super) fn own_room(
        &self,
        now: Duration,
        id: RoomId,
        entry: &Entry,
        person: PersonId,
    ) -> Option<OwnRoom> {
        Some(OwnRoom {
            seat: entry.room.seat_of(person)?,
            state: self.room_state(now, id, entry),
            stones: entry.room.game().ply(),
        })
    }

    /// Sends the players of a room, wherever they are, its state.
    pub(super) fn send_players(&mut self, now: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get(id) else {
            return;
        };
        let own = |person| Some((person, self.own_room(now, id, entry, person)?));
        let players: Vec<(PersonId, OwnRoom)> = entry.people().filter_map(own).collect();
        for (person, room) in players {
            let to = self.connections.of(&[person]);
            if !to.is_empty() {
                self.send(to, &ClubMessage::YourRoom(Box::new(room)));
            }
        }
    }

    /// Closes a room for its player, while no other has come.
    pub(super) fn close(&mut self, id: VisitorId, person: PersonId) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
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

    /// Removes a room, and notifies all visitors in it and its players.
    pub(super) fn remove_room(&mut self, id: RoomId) {
        let Some(entry) = self.rooms.remove(id) else {
            return;
        };
        self.effects.writes.push(StoreWrite::RoomGone(id));
        if entry.is_correspondence() {
            self.rooms.correspondence.note_write(id);
        }
        self.lobby.has_changed = true;
        let players: Vec<PersonId> = entry.people().collect();
        let mut to = entry.visitors;
        to.extend(self.connections.of(&players));
        if let Some(invited) = entry.invited {
            to.extend(self.connections.of(&[invited]));
        }
        for visitor in &to {
            let visitor = self.connections.visitors.get_mut(visitor);
            if let Some(visitor) = visitor.filter(|it| it.room == Some(id)) {
                visitor.room = None;
            }
        }
        if !to.is_empty() {
            self.send(to.into_iter().collect(), &ClubMessage::Closed { room: id });
        }
    }

    /// Returns true if a player waits for another: of a live room one who is online.
    pub(super) fn is_awaited(&self, entry: &Entry) -> bool {
        let is_here = |person| self.connections.is_online(person);
        let is_awaited = entry.is_correspondence() || entry.people().any(is_here);
        entry.room.stage() == Stage::Waiting && is_awaited
    }
}
