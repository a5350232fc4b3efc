//! The keys of people: one for each device, so that one can be ended without the others.

use super::device_key::DeviceKey;
use super::people::{FORMER, People};
use super::person::PersonId;

/// The largest number of void keys of a person that are remembered, so that their devices get the
/// reason of the refusal.
const MOST_VOID: usize = 50;

impl People {
    /// The person whose key hashes to this, unless the key was replaced or ended.
    pub fn by_key(&self, hash: PersonId) -> Option<PersonId> {
        let owner = self.by_key.get(&hash).unwrap_or(&hash);
        let Some(person) = self.by_id.get(owner) else {
            return Some(*owner);
        };
        let is_first = person.keys.is_empty() && !person.former && *owner == hash;
        let is_valid = is_first || person.keys.iter().any(|key| key.hash == hash);
        is_valid.then_some(*owner)
    }

    /// Returns true if a key is or was that of a person.
    pub(super) fn knows_key(&self, hash: PersonId) -> bool {
        self.by_key.contains_key(&hash) || self.by_id.contains_key(&hash)
    }

    /// The keys of a person.
    pub(super) fn keys(&self, id: PersonId) -> Vec<DeviceKey> {
        let keys = self.by_id.get(&id).map(|person| person.keys.clone());
        let keys = keys.filter(|keys| !keys.is_empty());
        keys.unwrap_or_else(|| vec![DeviceKey::new(id, 0)])
    }

    /// Gives a person these keys instead of all others, which are void from now on.
    pub(super) fn set_keys(&mut self, id: PersonId, keys: Vec<DeviceKey>) {
        let before = self.keys(id);
        let is_valid = |hash: &PersonId| keys.iter().any(|key| key.hash == *hash);
        let person = self.enter(id);
        let void = before.iter().map(|key| key.hash).filter(|it| !is_valid(it));
        person.void.extend(void);
        let surplus = person.void.len().saturating_sub(MOST_VOID);
        let forgotten: Vec<PersonId> = person.void.drain(..surplus).collect();
        person.keys = keys;
        let hashes = person.keys.iter().map(|key| key.hash);
        let known: Vec<PersonId> = hashes.chain(person.void.iter().copied()).collect();
        for hash in forgotten {
            self.by_key.remove(&hash);
        }
        self.by_key.extend(known.into_iter().map(|hash| (hash, id)));
    }

    /// Notes a visit with a key. Returns whether that is news: once a day.
    pub(super) fn note_visit(&mut self, id: PersonId, hash: PersonId, day: u64) -> bool {
        let keys = self
            .by_id
            .get_mut(&id)
            .into_iter()
            .flat_map(|it| &mut it.keys);
        let mut keys = keys.filter(|key| key.hash == hash && key.seen < day);
        let key = keys.next();
        key.map(|key| key.seen = day).is_some()
    }

    /// Forgets the name and the keys of a person. Returns the name.
    pub(super) fn forget(&mut self, id: PersonId) -> String {
        let person = self.enter(id);
        (person.former, person.maker) = (true, None);
        (person.keys, person.void) = (Vec::new(), Vec::new());
        (person.vacation, person.feed) = Default::default();
        let name = std::mem::replace(&mut person.name, FORMER.to_owned());
        self.remove_name(id, &name);
        self.by_key.retain(|_, owner| *owner != id);
        name
    }

    /// Returns true if a person was forgotten.
    pub(super) fn is_former(&self, id: PersonId) -> bool {
        self.by_id.get(&id).is_some_and(|person| person.former)
    }
}
