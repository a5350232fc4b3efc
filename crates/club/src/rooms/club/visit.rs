//! Messages of visitors.

use super::error::VisitError;
use super::limits::Limited;
use super::pending::Pending;
use super::{Admission, Club, Entry, Visitor};
use crate::rooms::error::RoomError;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::rating_category::RatingCategory;
use crate::rooms::referee::Action;
use crate::rooms::room::{Room, SEATS, Stage};
use crate::rooms::visitor_message::{ClubRequest, NewRoom, VisitorMessage};
use quincunx_engine::game::swap::Seat;
use quincunx_engine::rules::Rule;
use std::net::IpAddr;
use std::time::Duration;

impl Club {
    /// Handles a new connection from an address. If only reserved places are left, the hello
    /// decides.
    pub fn arrive(&mut self, id: VisitorId, from: IpAddr, admission: Admission) {
        let visitor = Visitor {
            from,
            person: None,
            key: None,
            is_over: false,
            admission,
            room: None,
            tournament: None,
            has_tournament: false,
            tournament_at: None,
            lobby_at: None,
            has_lobby: false,
        };
        self.connections.visitors.insert(id, visitor);
        self.lobby.has_changed = true;
    }

    /// A visitor is gone.
    pub fn leave(&mut self, now: Duration, id: VisitorId) {
        self.leave_room(now, id);
        let visitor = self.connections.visitors.remove(&id);
        if let Some(person) = visitor.and_then(|visitor| visitor.person)
            && self.connections.mark_offline(person)
        {
            self.handle_disconnect(now, person);
        }
        self.lobby.has_changed = true;
    }

    /// Handles a message that was received at this time, unless the visitor is being disconnected.
    /// `lag` is the visitor's round trip.
    pub fn receive(&mut self, came_at: Duration, id: VisitorId, lag: Duration, text: &str) {
        if self
            .connections
            .visitors
            .get(&id)
            .is_some_and(|visitor| visitor.is_over)
        {
            return;
        }
        let done = VisitorMessage::parse(text)
            .map_err(VisitError::from)
            .and_then(|message| self.follow(came_at, id, lag, message));
        if let Err(error) = done {
            self.counters.refused += 1;
            let code = error.code();
            log::debug!("visitor={} event=refused code={code}", id.0);
            self.send_error(id, &error);
        }
        // The changes that a visitor makes are shown to them at once.
        self.publish();
        self.send_tournaments(came_at.max(self.ticked), &[id]);
    }

    /// Sends the error to the visitor. A visitor without a place is disconnected.
    fn send_error(&mut self, id: VisitorId, error: &VisitError) {
        let message = error.message();
        if matches!(message, ClubMessage::Refused { .. }) {
            self.disconnect(vec![id], &message);
        } else {
            self.send(vec![id], &message);
        }
    }

    fn follow(
        &mut self,
        came_at: Duration,
        id: VisitorId,
        lag: Duration,
        message: VisitorMessage,
    ) -> Result<(), VisitError> {
        // Only the clock of its player counts a message from when it came: it may have waited.
        let now = came_at.max(self.ticked);
        let Some(person) = self.connections.person(id) else {
            let VisitorMessage::Club(ClubRequest::Hello { version, key, code }) = message else {
                return Err(VisitError::NoHello);
            };
            return self.authenticate(now, id, version, &key, code.as_deref());
        };
        match message {
            VisitorMessage::Game(action) => self.act(now, id, person, action, came_at, lag),
            VisitorMessage::Tournament(message) => {
                self.follow_in_tournament(now, id, person, message)
            }
            VisitorMessage::Club(request) => self.follow_in_club(now, id, person, request),
        }
    }

    /// Follows a request to the club.
    fn follow_in_club(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        request: ClubRequest,
    ) -> Result<(), VisitError> {
        match request {
            ClubRequest::Hello { .. } => return Err(VisitError::Hello),
            ClubRequest::Claim => self.claim(now, id, person)?,
            ClubRequest::Rename { name } => self.rename(now, id, person, &name)?,
            ClubRequest::Create(room) => self.create(now, id, person, room)?,
            ClubRequest::Quick { setup } => self.quick(now, id, person, setup)?,
            ClubRequest::Decline { room } => {
                let room = room.parse().map_err(|_| VisitError::NoRoom)?;
                self.decline(person, room)?;
            }
            ClubRequest::Block { name, blocked } => {
                self.block(now, id, person, (&name, blocked))?
            }
            ClubRequest::Contacts { policy } => self.set_contact_policy(now, id, person, policy)?,
            ClubRequest::Say { phrase } => self.send_phrase(now, id, person, phrase)?,
            ClubRequest::Enter { room, sit } => {
                let room = room.parse().map_err(|_| VisitError::NoRoom)?;
                self.enter(now, id, room)?;
                if sit {
                    self.sit(now, id, person)?;
                }
            }
            ClubRequest::Leave => {
                self.leave_room(now, id);
                self.view_tournament(id, None);
                self.send_lobby(now, id);
            }
            ClubRequest::Sit => self.sit(now, id, person)?,
            ClubRequest::Close => self.close(id, person)?,
            ClubRequest::ConditionalMoves { lines, point, ply } => {
                self.set_lines(now, id, person, (point, ply), &lines)?;
            }
            ClubRequest::MakeCode => self.make_code(now, id, person)?,
            ClubRequest::Devices => self.send_devices(&[id], person),
            ClubRequest::EndDevice { device } => self.end_device(id, person, &device)?,
            ClubRequest::NewKey { key } => self.new_key(now, id, person, &key)?,
            ClubRequest::Forget => self.forget_me(now, person)?,
            ClubRequest::MakeBot { name } => self.make_own_bot(now, id, person, &name)?,
            ClubRequest::NewFeed => self.renew_feed(now, person)?,
            ClubRequest::Vacation { days } => self.set_vacation(now, person, days)?,
            ClubRequest::Correspondence => {
                let games = self.correspondence_message(now, person);
                self.send(vec![id], &games);
            }
            ClubRequest::Ratings {
                rule,
                correspondence,
            } => {
                let rule: Rule = rule.parse().map_err(|_| VisitError::Rule)?;
                let category = RatingCategory {
                    rule,
                    correspondence,
                };
                let message = self.ratings(now, person, category);
                self.send(vec![id], &message);
            }
            ClubRequest::Profile { name } => {
                let profile = self.profile(now, person, &name);
                let message = profile.ok_or(VisitError::NoSuchPerson)?;
                self.send(vec![id], &message);
            }
        }
        Ok(())
    }

    fn rename(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        name: &str,
    ) -> Result<(), VisitError> {
        self.people.check_name(person, name)?;
        if !self.people.has_name(person) {
            self.take_quota(now, id)?;
            self.keep_person(person);
        }
        self.take(now, Limited::Name(person))?;
        self.people.rename(person, name)?;
        self.show_name(now, person);
        Ok(())
    }

    /// Stores a person's new name and sends it to all who see it.
    pub(super) fn show_name(&mut self, now: Duration, person: PersonId) {
        self.keep_person(person);
        let (name, account) = (self.people.name(person), self.people.account(person));
        let to = self.connections.of(&[person]);
        self.send(to, &ClubMessage::Name { name, account });
        for room in self.rooms.shown(person) {
            self.note(now, [Pending::SendRoom(room), Pending::SendPlayers(room)]);
        }
        let tournaments = self.tournaments.that_name(person);
        self.note(now, tournaments.into_iter().map(Pending::SendTournament));
        self.send_contacts_about(person);
        self.lobby.has_changed = true;
    }

    /// The address that a visitor comes from.
    pub(super) fn address_of(&self, id: VisitorId) -> Result<IpAddr, VisitError> {
        let visitor = self.connections.get(id);
        visitor.map(|it| it.from).ok_or(VisitError::NoHello)
    }

    /// Checks the rate limit of new rooms and tournaments from an address, and uses none of it.
    pub(super) fn check_quota(&self, now: Duration, id: VisitorId) -> Result<(), VisitError> {
        self.check(now, Limited::Newcomer(self.address_of(id)?))
    }

    /// Uses one unit of the rate limit of new rooms and tournaments.
    pub(super) fn take_quota(&mut self, now: Duration, id: VisitorId) -> Result<(), VisitError> {
        self.take(now, Limited::Newcomer(self.address_of(id)?))
    }

    /// Has a person known from now on, as a guest if they have no name. Guests have a limit of their
    /// own: they leave names for others.
    pub(super) fn admit(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        if self.people.get(person).is_none() {
            self.take(now, Limited::Guest(self.address_of(id)?))?;
            self.keep_person(person);
        }
        Ok(())
    }

    /// Has a person stored, as a guest if they have no name.
    pub(super) fn keep_person(&mut self, id: PersonId) {
        self.people.enter(id);
        self.note(Duration::ZERO, [Pending::StorePerson(id)]);
    }

    pub(super) fn create(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        wishes: NewRoom,
    ) -> Result<(), VisitError> {
        let NewRoom {
            setup,
            seat,
            engine,
            opponent,
            private,
        } = wishes;
        let setup = self.setup_for(person, setup.check()?, private || engine.is_some());
        let is_correspondence = setup.is_correspondence();
        self.check_rooms_of(person, setup)?;
        self.check_guest_rooms(person)?;
        if engine.is_none() && !is_correspondence {
            self.check_pause(now, person)?;
        }
        if engine.is_some_and(|level| level > 100) {
            return Err(VisitError::Level);
        }
        // The engine has the seat that a person would be asked to take.
        if engine.is_some() && opponent.is_some() {
            return Err(RoomError::Seated.into());
        }
        let from = self.connections.get(id).map(|visitor| visitor.from);
        if is_correspondence && engine.is_none() {
            self.check_open_correspondence(person)?;
        }
        if engine.is_some() && !is_correspondence {
            self.check_engines(now, from)?;
        }
        let invited = match &opponent {
            Some(name) => Some(self.challenged(now, person, (name, setup))?),
            None => None,
        };
        if self.people.get(person).is_none() {
            self.check(now, Limited::Guest(self.address_of(id)?))?;
        }
        if is_correspondence {
            self.take(now, Limited::CorrespondenceRoom(self.address_of(id)?))?;
        } else {
            self.make_room(now, from)?;
        }
        self.admit(now, id, person)?;
        if let Some(opponent) = invited {
            self.count_challenge(now, person, opponent)?;
        }
        let own = seat.unwrap_or_else(|| SEATS[(self.random)() as usize % 2]);
        let room = RoomId((self.random)());
        let entry = Entry {
            private,
            from,
            invited,
            ..Entry::new(Room::new(setup), person, now)
        };
        self.rooms.insert(room, entry);
        log::info!("room={room} event=created person={person}");
        self.enter(now, id, room)?;
        self.take_seat(now, room, own, Occupant::Person(person))?;
        if let Some(level) = engine {
            self.take_seat(now, room, own.other(), Occupant::Engine(level))?;
        }
        self.announce_challenge(now, room);
        self.lobby.has_changed = true;
        Ok(())
    }

    pub(super) fn enter(
        &mut self,
        now: Duration,
        id: VisitorId,
        room: RoomId,
    ) -> Result<(), VisitError> {
        self.load(room);
        if self.rooms.get(room).is_none() {
            return Err(VisitError::NoRoom);
        }
        self.leave_room(now, id);
        let visitor = self.connections.get_mut(id).ok_or(VisitError::NoHello)?;
        visitor.room = Some(room);
        visitor.tournament = None;
        visitor.has_lobby = false;
        let person = visitor.person;
        if let Some(entry) = self.rooms.get_mut(room) {
            entry.visitors.insert(id);
            let seat = person.and_then(|person| entry.room.seat_of(person));
            let came = seat.is_some_and(|seat| entry.comes(now, seat));
            let begins = came && entry.tournament_game.is_some_and(|it| it.both_came());
            if seat.is_some() {
                entry.schedule_presence(now);
            }
            self.send(vec![id], &ClubMessage::Seat { room, seat });
            if came {
                self.note(now, [Pending::StoreRoom(room), Pending::SendRoom(room)]);
            } else {
                // The others hear of one who watches with the next change, and of a player a
                // little later: they would all be told again and again of one who comes and goes.
                self.show_room(now, room, vec![id]);
            }
            if begins {
                // The first to come may have gone elsewhere meanwhile.
                self.note(now, [Pending::SendPlayers(room)]);
            }
        }
        Ok(())
    }

    /// Takes a visitor out of their room, if they are in one. They keep their seat.
    pub(super) fn leave_room(&mut self, now: Duration, id: VisitorId) {
        let visitor = self.connections.get_mut(id);
        let Some(room) = visitor.and_then(|visitor| visitor.room.take()) else {
            return;
        };
        let person = self.connections.person(id);
        let mut has_seat = false;
        if let Some(entry) = self.rooms.get_mut(room) {
            entry.visitors.remove(&id);
            has_seat = person.is_some_and(|person| entry.seats(person));
        }
        let is_disconnected = !self.actor_is_here(room);
        if let Some(entry) = self.rooms.get_mut(room) {
            if is_disconnected {
                entry.room.mark_sent(None);
            }
            if entry.room.stage() != Stage::Playing && !entry.is_correspondence() {
                entry.touched = now;
            }
            if has_seat {
                entry.schedule_presence(now);
            }
            if entry.is_correspondence() && entry.visitors.is_empty() {
                // The room has no visitors to send it to, and can be evicted.
                entry.presence_due = None;
            }
        }
    }

    pub(super) fn sit(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        self.check_rooms_of(person, entry.room.setup())?;
        if !entry.is_correspondence() {
            self.check_pause(now, person)?;
        }
        let is_free = |seat: &Seat| entry.room.occupant(*seat).is_none();
        let seat = SEATS.into_iter().find(is_free).ok_or(RoomError::Seated)?;
        if !entry.is_for(person) {
            return Err(RoomError::Seated.into());
        }
        self.check_opponent(person, entry)?;
        self.admit(now, id, person)?;
        self.take_seat(now, room, seat, Occupant::Person(person))
    }

    fn take_seat(
        &mut self,
        now: Duration,
        room: RoomId,
        seat: Seat,
        who: Occupant,
    ) -> Result<(), VisitError> {
        let other = self.rooms.get(room);
        let other = other.and_then(|entry| entry.room.occupant(seat.other()));
        let can_rate = other.is_none_or(|other| self.can_rate([who, other]));
        let done = self.change(now, room, |room| {
            room.sit(now, seat, who)?;
            if !can_rate {
                room.unrate();
            }
            Ok::<(), RoomError>(())
        });
        done.ok_or(VisitError::NoRoom)??;
        self.wait_for_actor(now, room);
        if let Some(person) = who.person() {
            let seat = Some(seat);
            let mut to = self.connections.of(&[person]);
            to.retain(|it| self.room_of(*it).is_ok_and(|it| it == room));
            self.publish();
            self.send(to, &ClubMessage::Seat { room, seat });
        }
        self.lobby.has_changed = true;
        Ok(())
    }

    /// Stops the clock where the player who acts first is not there: they have some time to come
    /// back before it runs.
    fn wait_for_actor(&mut self, now: Duration, room: RoomId) {
        if !self.actor_is_here(room) {
            let stop = |room: &mut Room| {
                if room.stage() == Stage::Playing {
                    room.suspend(now);
                }
            };
            self.change(now, room, stop);
        }
    }

    /// The room that a visitor is in.
    pub(super) fn room_of(&self, id: VisitorId) -> Result<RoomId, VisitError> {
        let visitor = self.connections.get(id);
        visitor
            .and_then(|visitor| visitor.room)
            .ok_or(VisitError::Nowhere)
    }

    fn act(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        action: Action,
        came_at: Duration,
        lag: Duration,
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        let is_live = !entry.is_correspondence();
        let games = entry.room.games();
        let other = entry.room.occupant(seat.other()).and_then(Occupant::person);
        if let Some(tournament_game) = entry.tournament_game {
            if !tournament_game.both_came() {
                return Err(RoomError::NotBegun.into());
            }
            if matches!(action, Action::AskUndo | Action::Rematch | Action::Abort) {
                return Err(VisitError::TournamentGame);
            }
        }
        if matches!(action, Action::Rematch) {
            self.check_rematch(now, person, entry)?;
            self.check_opponent(person, entry)?;
        }
        if matches!(action, Action::Abort) {
            self.note_abort(now, person, room);
        }
        let opponent = other.filter(|other| is_live && !self.connections.is_online(*other));
        let done = self.change(now, room, |room| {
            // No game begins, and none can be claimed, where one who wanted it is gone.
            if let (Action::Rematch, Some(opponent)) = (action, opponent) {
                room.withdraw_rematch(opponent);
            }
            room.act(came_at, seat, action, lag)
        });
        done.ok_or(VisitError::NoRoom)??;
        let entry = self.rooms.get(room);
        if entry.is_some_and(|entry| entry.room.games() != games) {
            self.wait_for_actor(now, room);
            self.publish();
            self.send_seats(room);
        }
        Ok(())
    }

    /// Sends each visitor their own seat, after a rematch has swapped the seats.
    fn send_seats(&mut self, room: RoomId) {
        let Some(entry) = self.rooms.get(room) else {
            return;
        };
        let seats: Vec<(VisitorId, Option<Seat>)> = (entry.visitors.iter())
            .map(|id| {
                let person = self.connections.person(*id);
                let seat = person.and_then(|person| entry.room.seat_of(person));
                (*id, seat)
            })
            .collect();
        for (id, seat) in seats {
            self.send(vec![id], &ClubMessage::Seat { room, seat });
        }
    }
}
