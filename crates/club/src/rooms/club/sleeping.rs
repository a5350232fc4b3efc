//! Correspondence rooms, which sleep in the store while nobody is in them.
//!
//! A room stays in memory until its last write is committed, so what is read from the store of a
//! room that is not in memory is its current state.

use super::StoredRoom;
use super::entry::Entry;
use crate::rooms::number::RoomId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::Stage;
use crate::rooms::running::{RunningGames, Stones};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// The most rooms that become due at a time.
const BATCH: usize = 100;

/// The interval of looking for rooms that are due.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// Read access to the stored correspondence rooms.
pub trait SleepingRooms: Debug + Send {
    /// A correspondence room.
    fn room(&self, id: RoomId) -> Option<StoredRoom>;

    /// The first rooms that a query finds, in its order.
    fn find(&self, query: RoomQuery, most: usize) -> Vec<(RoomId, StoredRoom)>;
}

/// A query of correspondence rooms. They come in the order in which they are due, and open ones
/// newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomQuery {
    /// Rooms where a person has a seat. One whose game is over only with a rematch offer.
    Of(PersonId),
    /// Games that wait for a person's move.
    MoveOf(PersonId),
    /// Challenges to a person.
    ChallengesTo(PersonId),
    /// Public rooms with a free seat for anybody.
    Open,
    /// Rooms that are due by this time.
    Due(Duration),
    /// The same without those where the engine is to move, which are due at once.
    DueLater(Duration),
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

impl RoomQuery {
    /// Returns true if the query finds a room.
    pub(super) fn finds(self, room: &StoredRoom) -> bool {
        let Some(state) = room.correspondence else {
            return false;
        };
        let record = &room.room;
        let is_waiting = record.stage == Stage::Waiting;
        match self {
            RoomQuery::Of(person) => {
                let is_theirs = record.seats.contains(&Some(Occupant::Person(person)));
                is_theirs && (record.stage != Stage::Over || record.rematch_wish.is_some())
            }
            RoomQuery::MoveOf(person) => state.actor == Some(person),
            RoomQuery::ChallengesTo(person) => is_waiting && room.invited == Some(person),
            RoomQuery::Open => is_waiting && !room.private && room.invited.is_none(),
            RoomQuery::Due(at) => state.due <= at.as_secs(),
            RoomQuery::DueLater(at) => (1..=at.as_secs()).contains(&state.due),
        }
    }

    /// The place of a room in the order of the query.
    pub(super) fn rank(self, (id, room): &(RoomId, StoredRoom)) -> (u64, RoomId) {
        let due = room.correspondence.map_or(0, |it| it.due);
        match self {
            RoomQuery::Open => (u64::MAX - room.touched.as_secs(), *id),
            _ => (due, *id),
        }
    }
}

/// The correspondence rooms of a club: those in memory, and a view of those in the store.
#[derive(Default)]
pub(super) struct Correspondence {
    pub(super) awake: BTreeMap<RoomId, Entry>,
    /// Without a store all rooms stay in memory.
    store: Option<Box<dyn SleepingRooms>>,
    /// The number of the effects with the last write of each room, until they are stored.
    unstored: BTreeMap<RoomId, u64>,
    /// The number of the effects that are being collected, from one.
    effects: u64,
    /// The begin of an outage of the club, until it ends.
    stopped: Option<Duration>,
    /// The time to which the rooms are put off that were due in an outage or soon after it.
    grace: Option<Duration>,
    checked: Duration,
    /// The rated games in progress of people who have been here since the start.
    running: BTreeMap<RoomId, Arc<Stones>>,
}

impl Correspondence {
    pub(super) fn new(
        store: Option<Box<dyn SleepingRooms>>,
        stopped: Option<Duration>,
    ) -> Correspondence {
        Correspondence {
            store,
            stopped,
            effects: 1,
            ..Correspondence::default()
        }
    }

    /// Loads a room unless it is in memory, or gone.
    pub(super) fn wake(&mut self, id: RoomId) {
        if self.awake.contains_key(&id) || self.unstored.contains_key(&id) {
            return;
        }
        let stored = self.store.as_ref().and_then(|store| store.room(id));
        let Some(stored) = stored else {
            return;
        };
        match Entry::restore(stored) {
            Some(entry) => _ = self.awake.insert(id, entry),
            None => log::error!("room={id} event=unreadable"),
        }
    }

    /// The first rooms that a query finds, in memory or asleep.
    pub(super) fn find(&self, query: RoomQuery, most: usize) -> Vec<(RoomId, StoredRoom)> {
        // The store may have earlier states of these.
        let is_known = |id: &RoomId| self.awake.contains_key(id) || self.unstored.contains_key(id);
        let most_stored = most.saturating_add(self.awake.len() + self.unstored.len());
        let stored = self.store.iter();
        let mut found: Vec<(RoomId, StoredRoom)> = stored
            .flat_map(|store| store.find(query, most_stored))
            .filter(|(id, _)| !is_known(id))
            .collect();
        let awake = self.awake.iter().map(|(id, entry)| (*id, entry.stored()));
        found.extend(awake.filter(|(_, room)| query.finds(room)));
        found.sort_by_key(|it| query.rank(it));
        found.truncate(most);
        found
    }

    /// The rated games in progress of people who have been here since the start.
    pub(super) fn running_games(&self) -> impl Iterator<Item = Arc<Stones>> {
        self.running.values().map(Arc::clone)
    }

    /// Notes the stones of a room, if a rated game is in progress there.
    pub(super) fn note_running(&mut self, id: RoomId) {
        let room = self.awake.get(&id).map(|entry| &entry.room);
        match room.and_then(RunningGames::stones_of) {
            Some(stones) => _ = self.running.insert(id, stones),
            None => _ = self.running.remove(&id),
        }
    }

    /// Notes the rated games in progress of a person who comes.
    pub(super) fn note_running_of(&mut self, person: PersonId) {
        for (id, stored) in self.find(RoomQuery::Of(person), usize::MAX) {
            let entry = Entry::restore(stored);
            let stones = entry.and_then(|entry| RunningGames::stones_of(&entry.room));
            self.running.extend(stones.map(|stones| (id, stones)));
        }
    }

    /// Notes that a write of a room is among the effects that are being collected.
    pub(super) fn note_write(&mut self, id: RoomId) {
        self.unstored.insert(id, self.effects);
    }

    /// Ends a collection of effects. Returns its number.
    pub(super) fn end_effects(&mut self) -> u64 {
        self.effects += 1;
        self.effects - 1
    }

    /// Drops the rooms from memory where nobody is, once the effects up to this number are stored.
    pub(super) fn sleep(&mut self, number: u64) {
        self.unstored.retain(|_, last| *last > number);
        if self.store.is_some() {
            let unstored = &self.unstored;
            self.awake.retain(|id, entry| {
                let is_busy = !entry.visitors.is_empty() || entry.asked.is_some();
                is_busy || unstored.contains_key(id)
            });
        }
    }

    /// Notes that the club does not run from this time on.
    pub(super) fn stop(&mut self, now: Duration) {
        self.stopped.get_or_insert(now);
    }

    /// Notes that the club runs. After an outage no flag falls for as long as it took.
    pub(super) fn go_on(&mut self, now: Duration) {
        if let Some(stopped) = self.stopped.take() {
            let took = now.saturating_sub(stopped);
            let until = (!took.is_zero()).then(|| now + took);
            self.grace = self.grace.max(until);
        }
    }

    /// Loads some of the rooms that an outage puts off, with the time to which it does so.
    pub(super) fn next_put_off(&mut self) -> Option<(Duration, Vec<RoomId>)> {
        let until = self.grace?;
        let before = Duration::from_secs(until.as_secs().saturating_sub(1));
        let ids = self.wake_all(RoomQuery::DueLater(before));
        if ids.is_empty() {
            self.grace = None;
        }
        Some((until, ids))
    }

    /// The time to which a room is put off that is loaded before the others.
    pub(super) fn grace(&self) -> Option<Duration> {
        self.grace
    }

    /// Loads the rooms that are due, once a second.
    pub(super) fn next_due(&mut self, now: Duration) -> Vec<RoomId> {
        if now.saturating_sub(self.checked) < CHECK_EVERY {
            return Vec::new();
        }
        // In the grace after an outage only the engine moves.
        let at = self.grace.map_or(now, |_| Duration::ZERO);
        let due = self.wake_all(RoomQuery::Due(at));
        if due.len() < BATCH {
            self.checked = now;
        }
        due
    }

    fn wake_all(&mut self, query: RoomQuery) -> Vec<RoomId> {
        let due = self.find(query, BATCH);
        let ids: Vec<RoomId> = due.into_iter().map(|(id, _)| id).collect();
        ids.iter().for_each(|id| self.wake(*id));
        ids.into_iter()
            .filter(|id| self.awake.contains_key(id))
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rooms::clock::ClockRule;
    use crate::rooms::room::{Room, SEATS};
    use crate::rooms::setup::RoomSetup;
    use quincunx_engine::game::swap::OpeningRule;
    use quincunx_engine::rules::{BoardSize, Rule};
    use std::sync::Mutex;

    const ANNA: PersonId = PersonId([1; 32]);
    const BELA: PersonId = PersonId([2; 32]);

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A store in memory.
    type Map = Arc<Mutex<BTreeMap<RoomId, StoredRoom>>>;

    impl SleepingRooms for Map {
        fn room(&self, id: RoomId) -> Option<StoredRoom> {
            self.lock().unwrap().get(&id).cloned()
        }

        fn find(&self, query: RoomQuery, most: usize) -> Vec<(RoomId, StoredRoom)> {
            let rooms = self.lock().unwrap();
            let found = rooms.iter().filter(|(_, room)| query.finds(room));
            let mut found: Vec<_> = found.map(|(id, room)| (*id, room.clone())).collect();
            found.sort_by_key(|it| query.rank(it));
            found.truncate(most);
            found
        }
    }

    /// A room that has this many days for a move, with a game in progress.
    fn entry(days: u64) -> Entry {
        let setup = RoomSetup {
            rule: Rule::Freestyle,
            size: BoardSize::square(15).unwrap(),
            opening: OpeningRule::Free,
            clock: ClockRule::Correspondence { days },
            rated: false,
        };
        let mut room = Room::new(setup);
        for (seat, person) in SEATS.into_iter().zip([ANNA, BELA]) {
            room.sit(s(0), seat, Occupant::Person(person)).unwrap();
        }
        Entry::new(room, ANNA, s(0))
    }

    fn ids(rooms: Vec<(RoomId, StoredRoom)>) -> Vec<u64> {
        rooms.into_iter().map(|(id, _)| id.0).collect()
    }

    #[test]
    fn a_room_is_in_memory_until_its_last_write_is_stored() {
        let store = Map::default();
        let mut rooms = Correspondence::new(Some(Box::new(Arc::clone(&store))), None);
        rooms.awake.insert(RoomId(1), entry(3));
        rooms.note_write(RoomId(1));
        let first = rooms.end_effects();
        rooms.note_write(RoomId(1));
        let second = rooms.end_effects();
        rooms.sleep(first);
        assert_eq!(rooms.awake.len(), 1);
        store.lock().unwrap().insert(RoomId(1), entry(3).stored());
        rooms.sleep(second);
        assert_eq!(rooms.awake.len(), 0);
        assert_eq!(ids(rooms.find(RoomQuery::Of(BELA), 9)), [1]);
        rooms.wake(RoomId(1));
        let room = rooms.awake.get_mut(&RoomId(1)).unwrap();
        room.visitors.insert(crate::rooms::number::VisitorId(7));
        rooms.sleep(second);
        assert_eq!(rooms.awake.len(), 1, "somebody is there");
    }

    #[test]
    fn a_room_that_is_gone_stays_gone_while_the_store_has_it() {
        let store = Map::default();
        store.lock().unwrap().insert(RoomId(1), entry(3).stored());
        let mut rooms = Correspondence::new(Some(Box::new(Arc::clone(&store))), None);
        rooms.note_write(RoomId(1));
        rooms.wake(RoomId(1));
        assert_eq!(rooms.awake.len(), 0);
        assert!(rooms.find(RoomQuery::Of(ANNA), 9).is_empty());
    }

    #[test]
    fn queries_merge_memory_and_store_in_the_order_of_deadlines() {
        let store = Map::default();
        for (number, days) in [(1, 3), (2, 1), (3, 5), (4, 2)] {
            let stored = entry(days).stored();
            store.lock().unwrap().insert(RoomId(number), stored);
        }
        let mut rooms = Correspondence::new(Some(Box::new(store)), None);
        // Newer than the store.
        rooms.awake.insert(RoomId(2), entry(7));
        assert_eq!(ids(rooms.find(RoomQuery::MoveOf(ANNA), 9)), [4, 1, 3, 2]);
        assert_eq!(ids(rooms.find(RoomQuery::MoveOf(ANNA), 2)), [4, 1]);
        assert!(rooms.find(RoomQuery::MoveOf(BELA), 9).is_empty());
        assert_eq!(ids(rooms.find(RoomQuery::Due(s(2 * 86_400)), 9)), [4]);
    }

    #[test]
    fn after_an_outage_rooms_are_put_off_before_any_is_due() {
        let mut rooms = Correspondence::new(None, Some(s(0)));
        rooms.awake.insert(RoomId(1), entry(1));
        let day = 86_400;
        rooms.go_on(s(2 * day));
        assert!(rooms.next_due(s(2 * day)).is_empty());
        let (until, ids) = rooms.next_put_off().unwrap();
        assert_eq!((until, ids), (s(4 * day), vec![RoomId(1)]));
        let room = rooms.awake.get_mut(&RoomId(1)).unwrap();
        assert!(room.put_off(until));
        assert_eq!(room.due(), until);
        assert_eq!(rooms.next_put_off(), Some((until, Vec::new())));
        assert_eq!(rooms.next_put_off(), None);
        assert_eq!(rooms.next_due(until), [RoomId(1)]);
    }
}
