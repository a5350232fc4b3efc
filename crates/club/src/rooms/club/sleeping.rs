//! Correspondence rooms: loaded from the store on demand, evicted from memory without visitors.
//!
//! A room stays in memory until its last write is committed, so what is read from the store of a
//! room that is not in memory is its current state.

use super::StoredRoom;
use super::entry::Entry;
use crate::rooms::number::RoomId;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::room::Stage;
use crate::rooms::running::{RunningGames, Stones};
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
    /// Rooms where the engine is to move.
    MoveOfEngine,
    /// Other rooms that are due by this time.
    Due(Duration),
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
            RoomQuery::MoveOfEngine => state.due == 0,
            RoomQuery::Due(at) => (1..=at.as_secs()).contains(&state.due),
        }
    }

    /// The place of a room in the order of the query, where no flag falls before a time.
    pub(super) fn rank(self, (id, room): &(RoomId, StoredRoom), grace: Duration) -> (u64, RoomId) {
        let due = room.correspondence.map_or(0, |it| it.due);
        match self {
            RoomQuery::Open => (u64::MAX - room.touched.as_secs(), *id),
            _ if due == 0 || room.room.stage != Stage::Playing => (due, *id),
            _ => (due.max(grace.as_secs()), *id),
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
    /// The end of the grace after the last outage: no room is due before it.
    grace: Duration,
    checked: Duration,
    /// The rated games in progress of people who have been here since the start.
    running: BTreeMap<RoomId, Arc<Stones>>,
}

impl Correspondence {
    /// The stored rooms of a club that does not run since a time, with the end of its last grace.
    pub(super) fn new(
        store: Option<Box<dyn SleepingRooms>>,
        stopped: Option<Duration>,
        grace: Duration,
    ) -> Correspondence {
        Correspondence {
            store,
            stopped,
            grace,
            effects: 1,
            ..Correspondence::default()
        }
    }

    /// Loads a room unless it is in memory, or gone.
    pub(super) fn load(&mut self, id: RoomId) {
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

    /// Returns true if a room is in the store, and not in memory.
    pub(super) fn sleeps(&self, id: RoomId) -> bool {
        let is_known = self.awake.contains_key(&id) || self.unstored.contains_key(&id);
        let store = self.store.as_ref().filter(|_| !is_known);
        store.is_some_and(|store| store.room(id).is_some())
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
        found.sort_by_key(|it| query.rank(it, self.grace));
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

    /// Evicts the rooms without visitors and searches from memory, once the effects up to this number
    /// are stored.
    pub(super) fn evict(&mut self, number: u64) {
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

    /// Notes that the club runs. After an outage no room is due for as long as it took. Returns the
    /// end of this grace, if it is new.
    pub(super) fn go_on(&mut self, now: Duration) -> Option<Duration> {
        let took = now.saturating_sub(self.stopped.take()?);
        let until = Duration::from_secs((now + took).as_millis().div_ceil(1000) as u64);
        if took.is_zero() || until <= self.grace {
            return None;
        }
        self.grace = until;
        Some(until)
    }

    /// The time before which no room is due.
    pub(super) fn grace(&self) -> Duration {
        self.grace
    }

    /// Loads the rooms that are due and those where the engine is to move, once a second.
    pub(super) fn next_due(&mut self, now: Duration) -> Vec<RoomId> {
        if now.saturating_sub(self.checked) < CHECK_EVERY {
            return Vec::new();
        }
        let mut due = self.load_all(RoomQuery::MoveOfEngine);
        let mut is_all = true;
        if now >= self.grace {
            let flags = self.load_all(RoomQuery::Due(now));
            is_all = flags.len() < BATCH;
            due.extend(flags);
        }
        if is_all {
            self.checked = now;
        }
        due
    }

    fn load_all(&mut self, query: RoomQuery) -> Vec<RoomId> {
        let due = self.find(query, BATCH);
        let ids: Vec<RoomId> = due.into_iter().map(|(id, _)| id).collect();
        ids.iter().for_each(|id| self.load(*id));
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
            found.sort_by_key(|it| query.rank(it, Duration::ZERO));
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
        let mut rooms = Correspondence::new(Some(Box::new(Arc::clone(&store))), None, s(0));
        rooms.awake.insert(RoomId(1), entry(3));
        rooms.note_write(RoomId(1));
        let first = rooms.end_effects();
        rooms.note_write(RoomId(1));
        let second = rooms.end_effects();
        rooms.evict(first);
        assert_eq!(rooms.awake.len(), 1);
        store.lock().unwrap().insert(RoomId(1), entry(3).stored());
        rooms.evict(second);
        assert_eq!(rooms.awake.len(), 0);
        assert_eq!(ids(rooms.find(RoomQuery::Of(BELA), 9)), [1]);
        rooms.load(RoomId(1));
        let room = rooms.awake.get_mut(&RoomId(1)).unwrap();
        room.visitors.insert(crate::rooms::number::VisitorId(7));
        rooms.evict(second);
        assert_eq!(rooms.awake.len(), 1, "it has a visitor");
    }

    #[test]
    fn a_room_that_is_gone_stays_gone_while_the_store_has_it() {
        let store = Map::default();
        store.lock().unwrap().insert(RoomId(1), entry(3).stored());
        let mut rooms = Correspondence::new(Some(Box::new(Arc::clone(&store))), None, s(0));
        rooms.note_write(RoomId(1));
        rooms.load(RoomId(1));
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
        let mut rooms = Correspondence::new(Some(Box::new(store)), None, s(0));
        // Newer than the store.
        rooms.awake.insert(RoomId(2), entry(7));
        assert_eq!(ids(rooms.find(RoomQuery::MoveOf(ANNA), 9)), [4, 1, 3, 2]);
        assert_eq!(ids(rooms.find(RoomQuery::MoveOf(ANNA), 2)), [4, 1]);
        assert!(rooms.find(RoomQuery::MoveOf(BELA), 9).is_empty());
        assert_eq!(ids(rooms.find(RoomQuery::Due(s(2 * 86_400)), 9)), [4]);
    }

    #[test]
    fn after_an_outage_no_room_is_due_for_as_long_as_it_took() {
        let day = 86_400;
        let mut rooms = Correspondence::new(None, Some(s(0)), s(0));
        rooms.awake.insert(RoomId(1), entry(1));
        assert_eq!(rooms.go_on(s(2 * day)), Some(s(4 * day)));
        assert_eq!(rooms.go_on(s(2 * day)), None);
        assert!(rooms.next_due(s(4 * day - 1)).is_empty());
        assert_eq!(rooms.next_due(s(4 * day)), [RoomId(1)]);
        // A short outage within the grace of a long one takes nothing from it.
        let mut rooms = Correspondence::new(None, Some(s(3 * day)), s(4 * day));
        rooms.awake.insert(RoomId(1), entry(1));
        assert_eq!(rooms.go_on(s(3 * day + 60)), None);
        assert!(rooms.next_due(s(4 * day - 1)).is_empty());
    }

    /// More than a batch of rooms where the engine was to move once kept all flags up.
    #[test]
    fn rooms_that_wait_for_the_engine_hold_back_no_flag() {
        let mut rooms = Correspondence::new(None, None, s(0));
        rooms.awake.insert(RoomId(1), entry(1));
        for number in 2..3 + BATCH as u64 {
            let mut waiting = entry(1);
            let mut room = Room::new(waiting.room.setup());
            room.sit(s(0), SEATS[0], Occupant::Engine(50)).unwrap();
            room.sit(s(0), SEATS[1], Occupant::Person(ANNA)).unwrap();
            waiting.room = room;
            rooms.awake.insert(RoomId(number), waiting);
        }
        assert_eq!(rooms.next_due(s(1)).len(), BATCH);
        let due = rooms.next_due(s(2 * 86_400));
        assert_eq!((due.len(), due.last()), (BATCH + 1, Some(&RoomId(1))));
    }
}
