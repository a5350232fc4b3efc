//! A room with its visitors and its place in the club.

use crate::rooms::number::VisitorId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::{Room, RoomRecord, SEATS, Stage, index};
use crate::rooms::tournament::TournamentGame;
use quincunx_engine::game::swap::Seat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::Duration;

/// The delay after which the visitors of a room are sent a change of presence.
const PRESENCE_AFTER: Duration = Duration::from_millis(500);

/// The time for which a correspondence room with a free seat is open.
const OPEN_FOR: Duration = Duration::from_secs(14 * 24 * 3600);

/// The time for which a correspondence room stays after its game.
const OVER_FOR: Duration = Duration::from_secs(7 * 24 * 3600);

/// A room with its visitors and its place in the club.
pub(super) struct Entry {
    pub(super) room: Room,
    pub(super) owner: PersonId,
    /// The address that it was opened from, unless that was before a restart.
    pub(super) from: Option<IpAddr>,
    pub(super) private: bool,
    pub(super) visitors: BTreeSet<VisitorId>,
    /// The last activity.
    pub(super) touched: Duration,
    /// The time at which its place in the lists of the lobby changed last.
    pub(super) listed: Duration,
    /// The times at which the last game and the turn began, whether or not the clock runs.
    pub(super) game_began: Duration,
    pub(super) turn_began: Duration,
    /// The turn that the engine was asked about.
    pub(super) asked: Option<u64>,
    /// The tournament pairing of a room.
    pub(super) tournament_game: Option<TournamentGame>,
    /// The rating changes of the last finished game, by seats.
    pub(super) rating_changes: [Option<i64>; 2],
    /// The person who is invited to the free seat.
    pub(super) invited: Option<PersonId>,
    /// The presence of the challenger at the last notification of the challenged person.
    pub(super) announced: Option<bool>,
    /// The time at which a pending change of presence is sent.
    pub(super) presence_due: Option<Duration>,
}

/// The stored state of a room and of its place in the club.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredRoom {
    pub(in crate::rooms) owner: PersonId,
    pub(in crate::rooms) private: bool,
    pub(in crate::rooms) touched: Duration,
    pub(in crate::rooms) room: RoomRecord,
    #[serde(default, rename = "appointment")]
    pub(in crate::rooms) tournament_game: Option<TournamentGame>,
    #[serde(default)]
    pub(in crate::rooms) rating_changes: [Option<i64>; 2],
    #[serde(default)]
    pub(in crate::rooms) invited: Option<PersonId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::rooms) correspondence: Option<DueState>,
}

/// The part of a stored correspondence room by which it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::rooms) struct DueState {
    /// The time in seconds at which its flag falls or the room closes; zero if the engine is to
    /// move.
    pub(in crate::rooms) due: u64,
    /// The person whose move it is.
    pub(in crate::rooms) actor: Option<PersonId>,
}

impl StoredRoom {
    /// Moves all times back by the same amount.
    pub(in crate::rooms) fn set_back(&mut self, by: Duration) {
        let set_back = |time: &mut Duration| *time = time.saturating_sub(by);
        set_back(&mut self.touched);
        self.room.began.iter_mut().for_each(set_back);
        if let Some(tournament_game) = &mut self.tournament_game {
            set_back(&mut tournament_game.since);
        }
        if let Some(state) = &mut self.correspondence {
            state.due = state.due.saturating_sub(by.as_secs());
        }
    }
}

impl Entry {
    /// A room that has not been visited yet.
    pub(super) fn new(room: Room, owner: PersonId, now: Duration) -> Entry {
        Entry {
            room,
            owner,
            from: None,
            private: false,
            visitors: BTreeSet::new(),
            touched: now,
            listed: now,
            game_began: now,
            turn_began: now,
            asked: None,
            tournament_game: None,
            rating_changes: [None; 2],
            invited: None,
            announced: None,
            presence_due: None,
        }
    }

    /// Restores a room from its stored state, unless its moves can't be played.
    pub(super) fn restore(stored: StoredRoom) -> Option<Entry> {
        let room = Room::restore(stored.room).ok()?;
        Some(Entry {
            private: stored.private,
            tournament_game: stored.tournament_game,
            rating_changes: stored.rating_changes,
            invited: stored.invited,
            // A correspondence challenge is announced once, when it is made.
            announced: stored.correspondence.map(|_| true),
            ..Entry::new(room, stored.owner, stored.touched)
        })
    }

    /// The state to store.
    pub(super) fn stored(&self) -> StoredRoom {
        StoredRoom {
            owner: self.owner,
            private: self.private,
            touched: self.touched,
            room: self.room.record(),
            tournament_game: self.tournament_game,
            rating_changes: self.rating_changes,
            invited: self.invited,
            correspondence: self.is_correspondence().then(|| DueState {
                due: self.due().as_secs(),
                actor: self.actor().and_then(Occupant::person),
            }),
        }
    }

    /// Returns true if correspondence games are played here.
    pub(super) fn is_correspondence(&self) -> bool {
        self.room.setup().is_correspondence()
    }

    /// The player whose move it is.
    pub(super) fn actor(&self) -> Option<Occupant> {
        self.room.occupant(self.room.actor()?)
    }

    /// The time at which a correspondence room is due: at once if the engine is to move.
    pub(super) fn due(&self) -> Duration {
        match self.room.stage() {
            Stage::Waiting => self.touched + OPEN_FOR,
            Stage::Playing => self.room.deadline().unwrap_or_default(),
            Stage::Over => self.touched + OVER_FOR,
        }
    }

    /// The people who have a seat.
    pub(super) fn people(&self) -> impl Iterator<Item = PersonId> {
        let occupants = SEATS
            .into_iter()
            .filter_map(|seat| self.room.occupant(seat));
        occupants.filter_map(Occupant::person)
    }

    /// Returns true if the person has a seat.
    pub(super) fn seats(&self, person: PersonId) -> bool {
        self.room.seat_of(person).is_some()
    }

    /// Returns true if the engine has a seat.
    pub(super) fn has_engine(&self) -> bool {
        let occupants = SEATS.map(|seat| self.room.occupant(seat));
        let is_engine = |who: Option<Occupant>| matches!(who, Some(Occupant::Engine(_)));
        occupants.into_iter().any(is_engine)
    }

    /// Returns true if people have both seats and play live.
    pub(super) fn is_live_between_people(&self) -> bool {
        let is_person = |seat| matches!(self.room.occupant(seat), Some(Occupant::Person(_)));
        SEATS.into_iter().all(is_person) && !self.is_correspondence()
    }

    /// Returns true if a person may take the free seat: of a challenge only the person who was
    /// asked.
    pub(super) fn is_for(&self, person: PersonId) -> bool {
        self.invited.is_none_or(|invited| invited == person)
    }

    /// Returns true if the room waits for the answer to a challenge of this person.
    pub(super) fn challenges(&self, person: PersonId) -> bool {
        self.invited == Some(person) && self.room.stage() == Stage::Waiting
    }

    /// Notes that the player of a seat has come to a tournament game. Returns true at the first
    /// time.
    pub(super) fn comes(&mut self, now: Duration, seat: Seat) -> bool {
        let came = self
            .tournament_game
            .as_mut()
            .map(|it| &mut it.came[index(seat)]);
        let is_first = came.is_some_and(|came| !std::mem::replace(came, true));
        if is_first {
            self.touched = now;
        }
        is_first
    }

    /// Returns true if the room was neither visited nor played in since that time.
    pub(super) fn is_idle(&self, since: Duration, started: Duration) -> bool {
        let is_played = self.room.stage() == Stage::Playing;
        !is_played && self.visitors.is_empty() && self.touched.max(started) < since
    }

    /// Schedules a notification of the visitors: one for all changes of presence until then.
    pub(super) fn schedule_presence(&mut self, now: Duration) {
        self.presence_due = self.presence_due.or(Some(now + PRESENCE_AFTER));
    }
}
