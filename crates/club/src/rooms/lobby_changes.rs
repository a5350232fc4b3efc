//! The difference between two states of the lobby. Visitors get the whole once, and then changes.

use super::message::{ListChange, LobbyChanges, LobbyView, PersonView, RoomSummary};
use super::number::{RoomId, TournamentId};
use super::tournament_message::TournamentSummary;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The shortest interval between two messages about the lobby.
pub(super) const LOBBY_EVERY: Duration = Duration::from_secs(1);

/// The lobby as it was sent last, and whether it has changed since.
#[derive(Default)]
pub(super) struct Lobby {
    pub(super) has_changed: bool,
    sent_at: Duration,
    view: LobbyView,
    /// The message with all of it; empty before the first.
    pub(super) text: Arc<str>,
}

impl Lobby {
    pub(super) fn is_due(&self, now: Duration) -> bool {
        let is_time = now.saturating_sub(self.sent_at) >= LOBBY_EVERY;
        self.text.is_empty() || self.has_changed && is_time
    }

    /// Takes another state over, with its message. Returns the changes from the one before.
    pub(super) fn replace(
        &mut self,
        now: Duration,
        view: LobbyView,
        text: Arc<str>,
    ) -> Option<LobbyChanges> {
        let changes = LobbyChanges::between(&self.view, &view);
        (self.has_changed, self.sent_at) = (false, now);
        (self.view, self.text) = (view, text);
        changes
    }
}

/// An item of a list of the lobby.
trait Listed: Clone + PartialEq {
    type Key: Clone + Ord;

    fn key(&self) -> Self::Key;

    /// Returns true if another item of the same key needs no message.
    fn is_like(&self, other: &Self) -> bool {
        self == other
    }
}

impl Listed for RoomSummary {
    type Key = RoomId;

    fn key(&self) -> RoomId {
        self.room
    }

    fn is_like(&self, other: &RoomSummary) -> bool {
        *self
            == RoomSummary {
                stones: self.stones,
                moves: self.moves.clone(),
                ..other.clone()
            }
    }
}

impl Listed for TournamentSummary {
    type Key = TournamentId;

    fn key(&self) -> TournamentId {
        self.tournament
    }
}

impl Listed for PersonView {
    type Key = String;

    fn key(&self) -> String {
        self.name.clone()
    }
}

impl LobbyChanges {
    /// The changes from one state to the next; none if nothing has changed.
    pub(super) fn between(old: &LobbyView, new: &LobbyView) -> Option<LobbyChanges> {
        let live = list_change(&old.live, &new.live);
        let is_put = |room: RoomId| {
            let put = live.iter().flat_map(|change| &change.put);
            put.into_iter().any(|(_, it)| it.room == room)
        };
        let before: BTreeMap<RoomId, &Option<String>> =
            (old.live.iter()).map(|it| (it.room, &it.moves)).collect();
        let is_same = |it: &RoomSummary| before.get(&it.room) == Some(&&it.moves);
        let stones = (new.live.iter()).filter(|it| !is_same(it) && !is_put(it.room));
        let stones = stones.map(|it| (it.room, it.stones, it.moves.clone()));
        let changes = LobbyChanges {
            open: list_change(&old.open, &new.open),
            stones: stones.collect(),
            live,
            tournaments: list_change(&old.tournaments, &new.tournaments),
            here: list_change(&old.here, &new.here),
            visitors: (old.visitors != new.visitors).then_some(new.visitors),
        };
        (changes != LobbyChanges::default()).then_some(changes)
    }
}

fn list_change<T: Listed>(old: &[T], new: &[T]) -> Option<ListChange<T::Key, T>> {
    let old_places: BTreeMap<T::Key, usize> = old.iter().map(T::key).zip(0..).collect();
    let keys: BTreeSet<T::Key> = new.iter().map(T::key).collect();
    let gone = old.iter().map(T::key).filter(|key| !keys.contains(key));
    let gone: Vec<T::Key> = gone.collect();
    // Items that stay come in the order that they had.
    let mut next = 0;
    let mut put = Vec::new();
    for (place, item) in new.iter().enumerate() {
        match old_places.get(&item.key()) {
            Some(old_place) if *old_place >= next && old[*old_place].is_like(item) => {
                next = *old_place + 1;
            }
            _ => put.push((place, item.clone())),
        }
    }
    let has_changed = !gone.is_empty() || !put.is_empty();
    has_changed.then_some(ListChange { gone, put })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a change as a page does.
    fn apply<T: Listed>(list: &mut Vec<T>, change: Option<ListChange<T::Key, T>>) {
        if let Some(ListChange { gone, put }) = change {
            let is_out = |it: &T| {
                gone.contains(&it.key()) || put.iter().any(|(_, item)| item.key() == it.key())
            };
            list.retain(|it| !is_out(it));
            for (place, item) in put {
                list.insert(place, item);
            }
        }
    }

    #[test]
    fn changes_lead_from_any_list_to_any_other() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut list: Vec<PersonView> = Vec::new();
        let mut parts = 0;
        for _ in 0..2000 {
            let mut next = list.clone();
            for _ in 0..random.usize(..4) {
                let name = format!("P{}", random.u8(..20));
                next.retain(|it| it.name != name);
                if random.bool() {
                    let bot = random.bool();
                    next.insert(random.usize(..=next.len()), PersonView { name, bot });
                }
            }
            let change = list_change(&list, &next);
            parts += usize::from(change.as_ref().is_some_and(|it| it.put.len() < next.len()));
            apply(&mut list, change);
            assert_eq!(list, next);
            assert_eq!(list_change(&list, &next), None);
        }
        assert!(parts > 1000, "{parts}");
    }
}
