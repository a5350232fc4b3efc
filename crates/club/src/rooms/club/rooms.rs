//! The rooms of a club, by themselves: no connections, people or messages.

use super::entry::Entry;
use super::sleeping::{Correspondence, RoomQuery};
use crate::rooms::number::RoomId;
use crate::rooms::person::PersonId;
use crate::rooms::room::Stage;
use crate::rooms::running::RunningGames;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::Duration;

/// The rooms of a club. Correspondence rooms are found by their number and by queries; everything
/// else is about live rooms.
#[derive(Default)]
pub(super) struct Rooms {
    entries: BTreeMap<RoomId, Entry>,
    pub(super) correspondence: Correspondence,
}

impl Rooms {
    /// No rooms but the correspondence rooms of a store.
    pub(super) fn new(correspondence: Correspondence) -> Rooms {
        Rooms {
            correspondence,
            ..Rooms::default()
        }
    }

    /// Adds a room.
    pub(super) fn insert(&mut self, id: RoomId, entry: Entry) {
        self.map_of(&entry).insert(id, entry);
    }

    fn map_of(&mut self, entry: &Entry) -> &mut BTreeMap<RoomId, Entry> {
        match entry.is_correspondence() {
            true => &mut self.correspondence.awake,
            false => &mut self.entries,
        }
    }

    /// Removes a room from memory.
    pub(super) fn remove(&mut self, id: RoomId) -> Option<Entry> {
        let live = self.entries.remove(&id);
        live.or_else(|| self.correspondence.awake.remove(&id))
    }

    /// A room in memory.
    pub(super) fn get(&self, id: RoomId) -> Option<&Entry> {
        let live = self.entries.get(&id);
        live.or_else(|| self.correspondence.awake.get(&id))
    }

    /// The same, to change it.
    pub(super) fn get_mut(&mut self, id: RoomId) -> Option<&mut Entry> {
        let live = self.entries.get_mut(&id);
        live.or_else(|| self.correspondence.awake.get_mut(&id))
    }

    /// The rooms of a person that pages show: live ones, and correspondence rooms with visitors.
    pub(super) fn shown(&self, person: PersonId) -> Vec<RoomId> {
        let visited = self.awake().filter(|(_, entry)| !entry.visitors.is_empty());
        let shown = self.iter().chain(visited);
        let theirs = shown.filter(|(_, entry)| entry.seats(person));
        theirs.map(|(id, _)| id).collect()
    }

    /// Returns true if there is a room of this number, in memory or asleep.
    pub(super) fn has(&self, id: RoomId) -> bool {
        self.get(id).is_some() || self.correspondence.sleeps(id)
    }

    /// The correspondence rooms in memory.
    pub(super) fn awake(&self) -> impl Iterator<Item = (RoomId, &Entry)> {
        let awake = self.correspondence.awake.iter();
        awake.map(|(id, entry)| (*id, entry))
    }

    /// The first correspondence rooms that a query finds.
    pub(super) fn find(&self, query: RoomQuery, most: usize) -> Vec<(RoomId, Entry)> {
        let found = self.correspondence.find(query, most).into_iter();
        let entry = |(id, stored)| {
            let mut entry = Entry::restore(stored)?;
            entry.room.put_off(self.correspondence.grace());
            Some((id, entry))
        };
        found.filter_map(entry).collect()
    }

    /// What is picked out of the live rooms, and of the first correspondence rooms that a query finds.
    pub(super) fn pick<T>(
        &self,
        query: RoomQuery,
        most: usize,
        pick: impl Fn(RoomId, &Entry) -> Option<T>,
    ) -> Vec<T> {
        let found = self.find(query, most);
        let found = found.iter().map(|(id, entry)| (*id, entry));
        let all = self.iter().chain(found);
        all.filter_map(|(id, entry)| pick(id, entry)).collect()
    }

    /// The live rooms, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (RoomId, &Entry)> + Clone {
        self.entries.iter().map(|(id, entry)| (*id, entry))
    }

    /// The rooms that a condition holds for.
    pub(super) fn which(&self, holds: impl Fn(&Entry) -> bool) -> Vec<RoomId> {
        let rooms = self.iter().filter(|(_, entry)| holds(entry));
        rooms.map(|(id, _)| id).collect()
    }

    /// The number of rooms that a condition holds for.
    pub(super) fn count(&self, holds: impl Fn(&Entry) -> bool) -> usize {
        self.entries.values().filter(|entry| holds(entry)).count()
    }

    /// Returns true if a condition holds for a room.
    pub(super) fn any(&self, holds: impl Fn(&Entry) -> bool) -> bool {
        self.entries.values().any(holds)
    }

    /// Changes the rooms that a condition holds for.
    pub(super) fn for_each_mut(
        &mut self,
        holds: impl Fn(&Entry) -> bool,
        change: impl FnMut(&mut Entry),
    ) {
        let entries = self.entries.values_mut().filter(|entry| holds(entry));
        entries.for_each(change);
    }

    /// The number of rooms in a stage.
    pub(super) fn count_in(&self, stage: Stage) -> usize {
        self.count(|entry| entry.room.stage() == stage)
    }

    /// Returns true if a person has a game in progress.
    pub(super) fn plays(&self, person: PersonId) -> bool {
        self.any(|entry| entry.room.stage() == Stage::Playing && entry.seats(person))
    }

    /// Returns true if a person waits for an opponent.
    pub(super) fn waits(&self, person: PersonId) -> bool {
        self.any(|entry| entry.room.stage() == Stage::Waiting && entry.seats(person))
    }

    /// The number of rooms that a person has opened or plays in, without those of tournaments and
    /// those whose game is over.
    pub(super) fn count_of(&self, person: PersonId) -> usize {
        self.count(|entry| {
            let is_theirs = entry.seats(person) || entry.owner == person;
            let is_open = entry.room.stage() != Stage::Over;
            entry.tournament_game.is_none() && is_open && is_theirs
        })
    }

    /// The oldest waiting room of the address with the most of them, if these are two more than
    /// those of the given address.
    pub(super) fn to_displace(&self, from: Option<IpAddr>) -> Option<RoomId> {
        let mut waiting: HashMap<IpAddr, Vec<(Duration, RoomId)>> = HashMap::new();
        for (id, entry) in self.iter() {
            let is_waiting =
                entry.room.stage() == Stage::Waiting && entry.tournament_game.is_none();
            if let Some(from) = entry.from.filter(|_| is_waiting) {
                waiting.entry(from).or_default().push((entry.listed, id));
            }
        }
        let own = from.and_then(|from| waiting.get(&from)).map_or(0, Vec::len);
        let most = waiting.into_values().max_by_key(Vec::len);
        let most = most.filter(|rooms| rooms.len() > own + 1)?;
        most.into_iter().min().map(|(_, id)| id)
    }

    /// The rated games in progress: live ones, and the correspondence games of people who have been
    /// here since the start.
    pub(super) fn running_games(&self) -> RunningGames {
        let rooms = self.entries.values().map(|entry| &entry.room);
        let live = rooms.filter_map(RunningGames::stones_of);
        RunningGames::of(live.chain(self.correspondence.running_games()))
    }

    /// Begins a turn of a room at this time, unless it has begun.
    pub(super) fn begin_turn(&mut self, at: Duration, (id, turn): (RoomId, u64)) {
        if let Some(Entry { room, .. }) = self.get_mut(id)
            && room.is_unsent(turn)
        {
            room.mark_sent(Some(at));
        }
    }

    /// Moves intervals that began before a sleep of the machine on by its length.
    pub(super) fn move_on(&mut self, slept: Duration) {
        for entry in self.entries.values_mut() {
            entry.touched += slept;
            if let Some(tournament_game) = &mut entry.tournament_game {
                tournament_game.since += slept;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rooms::clock::ClockRule;
    use crate::rooms::person::Occupant;
    use crate::rooms::room::{Room, SEATS};
    use crate::rooms::setup::RoomSetup;
    use quincunx_engine::game::swap::OpeningRule;
    use quincunx_engine::rules::{BoardSize, Rule};

    const ANNA: PersonId = PersonId([1; 32]);
    const BELA: PersonId = PersonId([2; 32]);
    const CARL: PersonId = PersonId([3; 32]);

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A room that its first player has opened.
    fn opened(people: &[PersonId]) -> Entry {
        let setup = RoomSetup {
            rule: Rule::Freestyle,
            size: BoardSize::square(15).unwrap(),
            opening: OpeningRule::Free,
            clock: ClockRule::SuddenDeath { main_ms: 60_000 },
            rated: true,
        };
        let mut room = Room::new(setup);
        for (seat, person) in SEATS.into_iter().zip(people) {
            let who = Occupant::Person(*person);
            room.sit(s(0), seat, who).unwrap();
        }
        Entry::new(room, people[0], s(0))
    }

    #[test]
    fn rooms_are_counted_by_people_and_stages() {
        let mut rooms = Rooms::default();
        rooms.insert(RoomId(1), opened(&[ANNA, BELA]));
        rooms.insert(RoomId(2), opened(&[ANNA]));
        let mut over = opened(&[ANNA, BELA]);
        over.room.cancel();
        rooms.insert(RoomId(3), over);
        assert_eq!(
            [ANNA, BELA, CARL].map(|it| rooms.count_of(it)),
            [2, 1, 0],
            "games that are over do not count"
        );
        assert_eq!(
            [ANNA, BELA, CARL].map(|it| rooms.plays(it)),
            [true, true, false]
        );
        assert_eq!(
            [ANNA, BELA, CARL].map(|it| rooms.waits(it)),
            [true, false, false]
        );
        let stages = [Stage::Waiting, Stage::Playing, Stage::Over];
        assert_eq!(stages.map(|stage| rooms.count_in(stage)), [1, 1, 1]);
        assert_eq!(
            rooms.which(|entry| entry.seats(BELA)),
            [RoomId(1), RoomId(3)]
        );
    }

    #[test]
    fn the_address_with_the_most_waiting_rooms_gives_way() {
        let mut rooms = Rooms::default();
        let addresses = [1, 2].map(|last| IpAddr::from([192, 168, 0, last]));
        for (number, from) in [(1, 0), (2, 0), (3, 0), (4, 1)] {
            let entry = Entry {
                from: Some(addresses[from]),
                listed: s(10 - number),
                ..opened(&[ANNA])
            };
            rooms.insert(RoomId(number), entry);
        }
        // The third was listed first.
        assert_eq!(rooms.to_displace(Some(addresses[1])), Some(RoomId(3)));
        assert_eq!(rooms.to_displace(Some(addresses[0])), None);
        rooms.remove(RoomId(3));
        assert_eq!(rooms.to_displace(Some(addresses[1])), None);
        assert_eq!(rooms.to_displace(None), Some(RoomId(2)));
    }

    #[test]
    fn a_turn_begins_once_and_intervals_move_on_with_a_sleep() {
        let mut rooms = Rooms::default();
        let mut entry = opened(&[ANNA, BELA]);
        entry.room.await_send(s(0));
        let turn = entry.room.turn();
        rooms.insert(RoomId(1), entry);
        rooms.begin_turn(s(5), (RoomId(1), turn));
        rooms.begin_turn(s(9), (RoomId(1), turn));
        let left = |rooms: &Rooms| {
            let room = &rooms.get(RoomId(1)).unwrap().room;
            room.time_left(SEATS[0], s(20)).main
        };
        assert_eq!(left(&rooms), s(45));
        rooms.move_on(s(100));
        assert_eq!(rooms.get(RoomId(1)).unwrap().touched, s(100));
    }
}
