//! Room for new rooms and engines: what gives way, and what one address may have.

use super::error::VisitError;
use super::limits::share;
use super::{Club, Entry};
use crate::rooms::number::VisitorId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{Room, Stage};
use crate::rooms::setup::RoomSetup;
use std::net::IpAddr;
use std::time::Duration;

impl Club {
    /// Makes room for one more room from an address.
    ///
    /// # Errors
    /// When there are too many rooms, or too many from there, and none gives way.
    pub(super) fn make_room(
        &mut self,
        now: Duration,
        from: Option<IpAddr>,
    ) -> Result<(), VisitError> {
        let is_from_there = |entry: &Entry| from.is_some() && entry.from == from;
        if self.rooms.count(is_from_there) >= share(self.limits.rooms)
            && !self.give_way(now, is_from_there)
        {
            return Err(VisitError::TooManyFromThere);
        }
        // Rooms of rounds come beside these: a round always finds them.
        let is_free = |entry: &Entry| entry.tournament_game.is_none();
        while self.rooms.count(is_free) >= self.limits.rooms {
            let has_place = self.give_way(now, is_free) || self.displace(from);
            if !has_place {
                return Err(VisitError::TooManyRooms);
            }
        }
        Ok(())
    }

    /// Closes the oldest waiting room of the address with the most of them, in favour of an address
    /// with fewer. Returns true if there was one.
    fn displace(&mut self, from: Option<IpAddr>) -> bool {
        let Some(id) = self.rooms.to_displace(from) else {
            return false;
        };
        log::info!("room={id} event=displaced");
        self.remove_room(id);
        true
    }

    /// Evicts the first of these rooms by rank. Returns true if there was one.
    fn give_way(&mut self, now: Duration, is_one: impl Fn(&Entry) -> bool) -> bool {
        let rooms = self.rooms.iter().filter(|(_, entry)| is_one(entry));
        let free = rooms.filter_map(|(id, entry)| {
            let rank = self.rank(now, entry)?;
            Some((rank, entry.touched, id))
        });
        let Some((.., id)) = free.min() else {
            return false;
        };
        log::info!("room={id} event=gave_way");
        // A game that both players have abandoned does not count.
        self.change(now, id, Room::cancel);
        self.remove_room(id);
        true
    }

    /// The order in which rooms are evicted: at first an empty one with a game that is over, then
    /// one without a waiting player, then any with a game that is over, and last one whose players
    /// have both been gone for long.
    fn rank(&self, now: Duration, entry: &Entry) -> Option<u8> {
        let has_left = |person| {
            let absence = self.disconnected_for(now, Occupant::Person(person));
            absence.is_some_and(|absence| absence >= self.limits.idle)
        };
        let is_left = || entry.tournament_game.is_none() && entry.people().all(has_left);
        match entry.room.stage() {
            Stage::Over if entry.visitors.is_empty() => Some(0),
            Stage::Waiting if !self.is_awaited(entry) => Some(1),
            Stage::Over => Some(2),
            Stage::Playing if is_left() => Some(3),
            Stage::Waiting | Stage::Playing => None,
        }
    }

    /// Refuses a game against the engine where it plays too many, or too many with one
    /// address. A game holds its seat while it is played and its player is here.
    pub(super) fn check_engines(
        &self,
        now: Duration,
        from: Option<IpAddr>,
    ) -> Result<(), VisitError> {
        let is_held = |entry: &Entry| {
            let is_idle = now.saturating_sub(entry.touched) >= self.limits.idle;
            entry.room.stage() == Stage::Playing
                && !is_idle
                && entry.has_engine()
                && entry
                    .people()
                    .any(|person| self.connections.is_online(person))
        };
        let is_from_there = |entry: &Entry| from.is_some() && entry.from == from;
        let from_there = |entry: &Entry| is_held(entry) && is_from_there(entry);
        if self.rooms.count(is_held) >= self.limits.engines
            || self.rooms.count(from_there) >= share(self.limits.engines)
        {
            return Err(VisitError::TooManyEngines);
        }
        Ok(())
    }

    /// Refuses a person who has too many rooms for another game of this setup.
    pub(super) fn check_rooms_of(
        &self,
        person: PersonId,
        setup: RoomSetup,
    ) -> Result<(), VisitError> {
        if setup.is_correspondence() {
            return self.check_correspondence(person, 1);
        }
        if self.rooms.count_of(person) < self.limits.rooms_of_one {
            Ok(())
        } else {
            Err(VisitError::TooManyOfYours)
        }
    }

    /// Refuses a guest who waits in a room already. Guests cost nothing to make.
    pub(super) fn check_guest_rooms(&self, person: PersonId) -> Result<(), VisitError> {
        if !self.people.has_name(person) && self.rooms.waits(person) {
            return Err(VisitError::GuestWaits);
        }
        Ok(())
    }

    /// Refuses a person another game in a room where a player has too many, or the engine.
    pub(super) fn check_rematch(
        &self,
        now: Duration,
        person: PersonId,
        entry: &Entry,
    ) -> Result<(), VisitError> {
        let setup = entry.room.setup();
        if entry.has_engine() && !setup.is_correspondence() {
            self.check_engines(now, entry.from)?;
        }
        self.check_rooms_of(person, setup)?;
        // The rooms of the other player are none that this one can leave.
        let has_place = |player| self.check_rooms_of(player, setup).is_ok();
        if entry.people().all(has_place) {
            Ok(())
        } else {
            Err(VisitError::TooManyRooms)
        }
    }

    /// Makes place for one more tournament from an address.
    ///
    /// # Errors
    /// When there are too many, or too many from there, and none gives way.
    pub(super) fn make_place_for_tournament(
        &mut self,
        from: Option<IpAddr>,
        is_correspondence: bool,
    ) -> Result<(), VisitError> {
        loop {
            let is_online = |person| self.connections.is_online(person);
            let most = self.limits.tournaments;
            let all = &self.tournaments;
            let Some(id) = all.to_evict(from, most, is_correspondence, is_online)? else {
                return Ok(());
            };
            self.drop_tournament(id);
        }
    }

    /// The connection to evict for a new one, of all addresses or of one: the oldest without a
    /// hello, or else one of the person with the most connections, who has others.
    pub fn connection_to_evict(&self, from: Option<IpAddr>) -> Option<VisitorId> {
        let without_hello = self.connections.oldest_without_hello(from);
        without_hello.or_else(|| self.connections.surplus(from))
    }

    /// Returns true if a visitor is authenticated.
    pub fn is_authenticated(&self, id: VisitorId) -> bool {
        self.connections.person(id).is_some()
    }
}
