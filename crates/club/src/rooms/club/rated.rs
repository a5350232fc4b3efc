//! Games that are over: archived, and rated where their results are comparable.

use super::{Club, StoreWrite};
use crate::rooms::archive::FinishedGame;
use crate::rooms::number::RoomId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::SEATS;
use crate::rooms::setup::RoomSetup;
use std::time::Duration;

impl Club {
    /// Returns the setup with `rated` cleared unless the room is public, its results are comparable
    /// and its creator has a name.
    pub(super) fn setup_for(&self, person: PersonId, setup: RoomSetup, private: bool) -> RoomSetup {
        let may_be_rated = setup.is_comparable() && !private && self.people.has_name(person);
        RoomSetup {
            rated: setup.rated && may_be_rated,
            ..setup
        }
    }

    /// Returns true if a game of these two can be rated: both are people with a name, or accounts
    /// of engines, and no player meets an engine of their own.
    pub(super) fn can_rate(&self, players: [Occupant; 2]) -> bool {
        let [Occupant::Person(first), Occupant::Person(second)] = players else {
            return false;
        };
        let has_names = [first, second].iter().all(|id| self.people.has_name(*id));
        has_names && self.people.answers_for(first) != self.people.answers_for(second)
    }

    /// Archives a game that is over, and rates it if it is rated. Returns its number. A game that
    /// ends before both players have acted is not archived: otherwise games resigned at once would
    /// fill the disk.
    pub(super) fn finish(&mut self, now: Duration, id: RoomId) -> Option<u64> {
        // Those of the previous game in this room are out of date.
        self.rooms.get_mut(id)?.rating_changes = [None; 2];
        let entry = self.rooms.get(id)?;
        let room = &entry.room;
        let seats = SEATS.map(|seat| room.occupant(seat));
        let ([Some(first), Some(second)], Some(outcome)) = (seats, room.outcome()) else {
            return None;
        };
        if !room.has_begun() {
            self.note_unplayed(now, id);
            return None;
        }
        let players = [first, second];
        let people = players.map(Occupant::person);
        let weight = match people {
            [Some(first), Some(second)] => self.archive.weight(now, [first, second]),
            _ => 0.0,
        };
        let game = FinishedGame {
            number: self.archive.count() + 1,
            room: id,
            setup: room.setup(),
            players,
            names: players.map(|who| match who {
                Occupant::Person(id) => self.people.name(id),
                Occupant::Engine(level) => format!("Quincunx ({level})"),
            }),
            black: room.black(),
            moves: room.game().position().move_text(),
            choices: room.dialogue().choices.clone(),
            offers: room.dialogue().offers.clone(),
            outcome,
            ended: now.as_secs(),
            rated: room.counts() && weight > 0.0,
            weight,
            private: entry.private,
            one_address: self.have_one_address(people),
        };
        let began = entry.game_began;
        self.forgive(&game, began);
        if game.counts() {
            let changes = self.rate(now, &game);
            self.rooms.get_mut(id)?.rating_changes = changes;
        }
        let number = game.number;
        self.archive.add(game.clone());
        self.effects.writes.push(StoreWrite::Game(Box::new(game)));
        Some(number)
    }

    /// Returns true if two people are connected from one address.
    fn have_one_address(&self, people: [Option<PersonId>; 2]) -> bool {
        let [Some(first), Some(second)] = people else {
            return false;
        };
        let from = |person: PersonId| {
            let theirs = self.connections.visitors.values();
            theirs.filter(move |it| it.person == Some(person))
        };
        from(first).any(|one| from(second).any(|other| one.from == other.from))
    }

    /// Rates a game. Returns how the ratings of its players changed.
    fn rate(&mut self, now: Duration, game: &FinishedGame) -> [Option<i64>; 2] {
        let category = game.setup.category();
        let people = game.players.map(Occupant::person);
        let before = people.map(|person| person.map(|it| self.rating(now, it, category)));
        self.ratings.add(game, |id| self.people.is_banned(id));
        [0, 1].map(|seat| Some(self.rating(now, people[seat]?, category) - before[seat]?))
    }
}
