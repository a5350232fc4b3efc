//! The connections of visitors, and the people who are online by them.

use crate::rooms::number::{RoomId, TournamentId, VisitorId};
use crate::rooms::person::PersonId;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// The most connections of a person. A page of the rooms has one.
const MOST_OF_ONE: usize = 4;

/// The admission to reserved places. Others may try again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// All people.
    All,
    /// People whom the club knows.
    Known(Duration),
    /// People with a game in progress.
    Players(Duration),
}

/// A connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visitor {
    /// The address they come from.
    pub(super) from: IpAddr,
    /// The person, once authenticated.
    pub(super) person: Option<PersonId>,
    /// The hash of the key that they were authenticated by.
    pub(super) key: Option<PersonId>,
    /// True if the connection is about to be closed: messages are ignored.
    pub(super) is_over: bool,
    pub(super) admission: Admission,
    pub(super) room: Option<RoomId>,
    /// The tournament that they look at.
    pub(super) tournament: Option<TournamentId>,
    /// True if the view that was sent to them is current.
    pub(super) has_tournament: bool,
    /// The time of the last view of a tournament that was sent.
    pub(super) tournament_at: Option<Duration>,
    /// The time of the last whole lobby that was sent.
    pub(super) lobby_at: Option<Duration>,
    /// True if they have the lobby as it was sent last, so that changes are enough.
    pub(super) has_lobby: bool,
}

/// All connections.
#[derive(Debug, Default)]
pub(super) struct Connections {
    pub(super) visitors: HashMap<VisitorId, Visitor>,
    /// The number of connections of each person who is online.
    online: HashMap<PersonId, usize>,
    /// The times at which people with a seat were disconnected.
    pub(super) disconnected_since: HashMap<PersonId, Duration>,
}

impl Connections {
    pub(super) fn get(&self, id: VisitorId) -> Option<&Visitor> {
        self.visitors.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: VisitorId) -> Option<&mut Visitor> {
        self.visitors.get_mut(&id)
    }

    /// The person of a connection, once authenticated.
    pub(super) fn person(&self, id: VisitorId) -> Option<PersonId> {
        self.get(id)?.person
    }

    /// The connections that a condition holds for.
    pub(super) fn which(&self, holds: impl Fn(&Visitor) -> bool) -> Vec<VisitorId> {
        let visitors = self.visitors.iter().filter(|(_, visitor)| holds(visitor));
        visitors.map(|(id, _)| *id).collect()
    }

    /// The connections of some people.
    pub(super) fn of(&self, people: &[PersonId]) -> Vec<VisitorId> {
        self.which(|it| it.person.is_some_and(|person| people.contains(&person)))
    }

    /// The people who are online.
    pub(super) fn people(&self) -> impl ExactSizeIterator<Item = PersonId> {
        self.online.keys().copied()
    }

    /// Returns true if a person has a connection.
    pub(super) fn is_online(&self, person: PersonId) -> bool {
        self.online.contains_key(&person)
    }

    /// Counts a connection of a person. Returns true if it is their first one.
    pub(super) fn mark_online(&mut self, person: PersonId) -> bool {
        let count = self.online.entry(person).or_default();
        *count += 1;
        *count == 1
    }

    /// Counts a connection of a person less. Returns true if it was their last one.
    pub(super) fn mark_offline(&mut self, person: PersonId) -> bool {
        let Some(count) = self.online.get_mut(&person) else {
            return false;
        };
        *count -= 1;
        let is_last = *count == 0;
        if is_last {
            self.online.remove(&person);
        }
        is_last
    }

    /// The connection, of all or from one address, that has waited longest without a hello.
    pub(super) fn oldest_without_hello(&self, from: Option<IpAddr>) -> Option<VisitorId> {
        let is_from_there = |it: &Visitor| from.is_none_or(|from| it.from == from);
        let waiting = self.which(|it| it.person.is_none() && is_from_there(it));
        waiting.into_iter().min()
    }

    /// The connection to evict, of all or from one address: one of the person with the most, if that
    /// is two or more.
    pub(super) fn surplus(&self, from: Option<IpAddr>) -> Option<VisitorId> {
        let is_from_there = |it: &Visitor| from.is_none_or(|from| it.from == from);
        let mut counts: HashMap<PersonId, usize> = HashMap::new();
        let open = self
            .visitors
            .values()
            .filter(|it| !it.is_over && is_from_there(it));
        for person in open.filter_map(|it| it.person) {
            *counts.entry(person).or_default() += 1;
        }
        let several = counts.into_iter().filter(|(_, count)| *count > 1);
        let (most, _) = several.max_by_key(|(person, count)| (*count, *person))?;
        self.first_to_evict(|id| {
            let visitor = self.visitors.get(&id);
            visitor.is_some_and(|it| it.person == Some(most) && is_from_there(it))
        })
    }

    /// The connection to evict of a person who exceeds the limit with a new one.
    pub(super) fn beyond_limit(&self, person: PersonId, new: VisitorId) -> Option<VisitorId> {
        let is_open = |it: &&Visitor| !it.is_over && it.person == Some(person);
        let count = self.visitors.values().filter(is_open).count();
        let others = |id: VisitorId| id != new && self.person(id) == Some(person);
        let first_to_evict = || self.first_to_evict(others);
        (count > MOST_OF_ONE).then(first_to_evict).flatten()
    }

    /// The oldest of some connections, those in no room first.
    fn first_to_evict(&self, is_one: impl Fn(VisitorId) -> bool) -> Option<VisitorId> {
        let open = self.visitors.iter().filter(|(_, it)| !it.is_over);
        let some = open.filter(|(id, _)| is_one(**id));
        let oldest = some.map(|(id, it)| (it.room.is_some(), *id)).min();
        oldest.map(|(_, id)| id)
    }
}
