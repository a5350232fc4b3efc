//! Correspondence games: their rooms are loaded when they are needed, and their players see which
//! games wait for them.

use super::error::VisitError;
use super::limits::Limited;
use super::pending::Pending;
use super::{Club, RoomQuery, StoreWrite};
use crate::rooms::message::{ClubMessage, CorrespondenceGame, VacationView};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::PersonId;
use crate::rooms::room::Stage;
use std::time::Duration;

/// The most correspondence games and open rooms of a person.
const GAMES_OF_ONE: usize = 100;

/// The most of these that are open rooms.
const OPEN_OF_ONE: usize = 10;

impl Club {
    /// Notes that the effects up to this number are stored.
    pub fn stored(&mut self, number: u64) {
        self.publish();
        self.rooms.correspondence.evict(number);
    }

    /// Loads a correspondence room, unless it is in memory.
    pub(super) fn load(&mut self, id: RoomId) {
        self.rooms.correspondence.load(id);
        if self.put_off(id) {
            self.note(self.ticked, [Pending::StoreRoom(id)]);
        }
    }

    /// Puts off a flag that falls before the end of the grace. Returns true if it did.
    fn put_off(&mut self, id: RoomId) -> bool {
        let until = self.rooms.correspondence.grace();
        let entry = self.rooms.get_mut(id);
        let entry = entry.filter(|entry| entry.is_correspondence());
        entry.is_some_and(|entry| entry.room.put_off(until))
    }

    /// Handles the passing of time in correspondence rooms.
    pub(super) fn tick_correspondence(&mut self, now: Duration) {
        if let Some(until) = self.rooms.correspondence.go_on(now) {
            self.effects.writes.push(StoreWrite::Grace(until));
            // Other rooms are put off when they are loaded.
            let awake: Vec<RoomId> = self.rooms.awake().map(|(id, _)| id).collect();
            for id in awake {
                if self.put_off(id) {
                    self.note(now, [Pending::StoreRoom(id), Pending::SendRoom(id)]);
                }
            }
        }
        for id in self.rooms.correspondence.next_due(now) {
            self.tick_due(now, id);
        }
        let awake: Vec<RoomId> = self.rooms.awake().map(|(id, _)| id).collect();
        for id in awake {
            self.send_presence(now, id);
            self.ask_engine(now, id);
        }
    }

    /// Lets the flag fall in a room, or closes it. One with visitors stays for as long again.
    fn tick_due(&mut self, now: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get_mut(id) else {
            return;
        };
        if entry.room.stage() == Stage::Playing {
            self.change(now, id, |room| _ = room.tick(now));
        } else if entry.visitors.is_empty() {
            log::info!("room={id} event=expired");
            self.remove_room(id);
        } else {
            entry.touched = now;
            self.note(now, [Pending::StoreRoom(id)]);
        }
    }

    /// The numbers of a person's correspondence games in progress and open rooms.
    pub(super) fn count_correspondence(&self, person: PersonId) -> [usize; 2] {
        let rooms = self
            .rooms
            .correspondence
            .find(RoomQuery::Of(person), usize::MAX);
        [Stage::Playing, Stage::Waiting].map(|stage| {
            let rooms = rooms.iter().filter(|(_, it)| it.room.stage == stage);
            rooms.count()
        })
    }

    /// Refuses correspondence games to a person without a name, or with too many.
    pub(super) fn check_correspondence(
        &self,
        person: PersonId,
        more: usize,
    ) -> Result<(), VisitError> {
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        let [running, open] = self.count_correspondence(person);
        let to_come = self.tournaments.games_to_come(person);
        match running + open + to_come + more <= GAMES_OF_ONE {
            true => Ok(()),
            false => Err(VisitError::TooManyOfYours),
        }
    }

    /// Refuses another open correspondence room to a person with too many.
    pub(super) fn check_open_correspondence(&self, person: PersonId) -> Result<(), VisitError> {
        let [_, open] = self.count_correspondence(person);
        match open < OPEN_OF_ONE {
            true => Ok(()),
            false => Err(VisitError::TooManyOfYours),
        }
    }

    /// Notes that a correspondence room has changed: its players are sent the games that wait for
    /// them.
    pub(super) fn note_turns(&mut self, now: Duration, id: RoomId) {
        let entry = self.rooms.get(id).filter(|entry| entry.is_correspondence());
        let people: Vec<PersonId> = entry.iter().flat_map(|entry| entry.people()).collect();
        if !people.is_empty() {
            self.rooms.correspondence.note_running(id);
            self.put_off(id);
        }
        self.note(now, people.into_iter().map(Pending::SendTurns));
    }

    /// Handles the arrival of a person: they are sent the games that wait for them, if any.
    pub(super) fn welcome_to_correspondence(&mut self, id: VisitorId, person: PersonId) {
        self.rooms.correspondence.note_running_of(person);
        let query = RoomQuery::MoveOf(person);
        if !self.rooms.correspondence.find(query, 1).is_empty() {
            self.send_turns(&[id], person);
        }
    }

    /// Sends the games that wait for a person to some of their connections.
    pub(super) fn send_turns(&mut self, to: &[VisitorId], person: PersonId) {
        if to.is_empty() {
            return;
        }
        let query = RoomQuery::MoveOf(person);
        let waiting = self.rooms.correspondence.find(query, usize::MAX);
        let message = ClubMessage::YourTurns {
            count: waiting.len(),
            next: waiting.first().map(|(room, _)| *room),
        };
        self.send(to.to_vec(), &message);
    }

    /// Gives the feed of a person a new address, and sends the person their games anew.
    pub(super) fn renew_feed(&mut self, now: Duration, person: PersonId) -> Result<(), VisitError> {
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        self.take(now, Limited::NewKey(person))?;
        let secret = format!("{:016x}{:016x}", (self.random)(), (self.random)());
        self.people.enter(person).feed = Some(secret);
        self.note(now, [Pending::StorePerson(person)]);
        self.send_correspondence(now, person);
        Ok(())
    }

    /// Sends a person their correspondence games.
    pub(super) fn send_correspondence(&mut self, now: Duration, person: PersonId) {
        let games = self.correspondence_message(now, person);
        self.send(self.connections.of(&[person]), &games);
    }

    /// The correspondence games of a person, with their vacation and feed.
    pub(super) fn correspondence_message(&self, now: Duration, person: PersonId) -> ClubMessage {
        let account = self.people.get(person);
        let vacation = account.map(|it| it.vacation).unwrap_or_default();
        ClubMessage::Correspondence {
            games: self.correspondence_games(now, person),
            vacation: VacationView {
                until: vacation.until(now).map(|until| until.as_secs()),
                days_left: vacation.left(now),
            },
            feed: account.and_then(|it| it.feed.clone()),
        }
    }

    /// The correspondence games of a person: those that wait for their move first.
    pub(super) fn correspondence_games(
        &self,
        now: Duration,
        person: PersonId,
    ) -> Vec<CorrespondenceGame> {
        let rooms = self.rooms.find(RoomQuery::Of(person), usize::MAX);
        let games = rooms.iter().filter_map(|(id, entry)| {
            let left = entry.room.deadline().map(|at| at.saturating_sub(now));
            Some(CorrespondenceGame {
                own: self.own_room(now, *id, entry, person)?,
                moves: entry.room.game().position().move_text(),
                left_ms: left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
            })
        });
        let mut games: Vec<CorrespondenceGame> = games.collect();
        // Stable: each part stays in the order in which the games are due.
        games.sort_by_key(|game| game.own.state.actor != Some(game.own.seat));
        games
    }
}
