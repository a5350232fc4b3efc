//! The people of a club, with their names and bans.

use super::contacts::Contacts;
use super::device_key::DeviceKey;
use super::message::Account;
use super::name::{NameError, clean, letters, looks, outline};
use super::person::PersonId;
use super::reserved::is_reserved;
use super::vacation::Vacation;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

/// The length of names.
const NAME_LENGTH: RangeInclusive<usize> = 2..=20;

/// The name of people who were forgotten.
pub(super) const FORMER: &str = "Former player";

/// The prefix of the names of guests.
const GUEST: &str = "guest";

/// The number of bytes of their number in the names of guests: more than the fewest only where
/// another has the shorter name.
const GUEST_BYTES: RangeInclusive<usize> = 4..=32;

/// A person who has taken a name or a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// True if the person is banned.
    pub banned: bool,
    /// True if it is an engine.
    pub bot: bool,
    /// The person who has made this account of an engine, unless that was an administrator.
    pub maker: Option<PersonId>,
    /// The keys, one for each device; without any, the one that hashes to the person's number.
    pub(super) keys: Vec<DeviceKey>,
    /// The hashes of keys that were replaced or ended.
    pub(super) void: Vec<PersonId>,
    /// True if the person was forgotten: of an account only its games are left.
    pub(super) former: bool,
    /// Their contact preferences.
    pub contacts: Contacts,
    /// Their last vacation from correspondence games.
    pub vacation: Vacation,
    /// The secret in the address of their feed: 32 hexadecimal digits.
    pub feed: Option<String>,
}

impl Person {
    /// A person with this name.
    pub fn new(name: String) -> Person {
        Person {
            name,
            banned: false,
            bot: false,
            maker: None,
            keys: Vec::new(),
            void: Vec::new(),
            former: false,
            contacts: Contacts::default(),
            vacation: Vacation::default(),
            feed: None,
        }
    }
}

/// The people of a club.
#[derive(Debug, Default)]
pub struct People {
    pub(super) by_id: HashMap<PersonId, Person>,
    /// The owners of names, by the name without blanks and capitals.
    by_name: HashMap<String, PersonId>,
    /// The owners of names, by skeleton. There may be several from before looks counted.
    by_look: HashMap<String, BTreeSet<PersonId>>,
    /// The people whose names have the same outline.
    by_outline: HashMap<String, BTreeSet<PersonId>>,
    /// The owners of keys that are not the first ones.
    pub(super) by_key: HashMap<PersonId, PersonId>,
}

impl People {
    /// The name of a person, even of a guest.
    pub fn name(&self, id: PersonId) -> String {
        match self.by_id.get(&id) {
            Some(person) => person.name.clone(),
            None => self.guest_name(id),
        }
    }

    /// The shortest name of a guest that no other has.
    fn guest_name(&self, id: PersonId) -> String {
        let mut names = GUEST_BYTES.map(|bytes| guest(id, bytes));
        let free = names.find(|name| !self.by_name.contains_key(&letters(name)));
        free.unwrap_or_else(|| guest(id, *GUEST_BYTES.end()))
    }

    /// The record of a person.
    pub fn get(&self, id: PersonId) -> Option<&Person> {
        self.by_id.get(&id)
    }

    /// The person with this name.
    pub(super) fn by_name(&self, name: &str) -> Option<(PersonId, &Person)> {
        let id = *self.by_name.get(&letters(name))?;
        Some((id, self.by_id.get(&id)?))
    }

    /// All persons who are known.
    pub fn iter(&self) -> impl Iterator<Item = (PersonId, &Person)> {
        self.by_id.iter().map(|(id, person)| (*id, person))
    }

    /// Returns true if a person is banned.
    pub(super) fn is_banned(&self, id: PersonId) -> bool {
        self.by_id.get(&id).is_some_and(|person| person.banned)
    }

    /// Returns true if it is the account of an engine.
    pub(super) fn is_bot(&self, id: PersonId) -> bool {
        self.by_id.get(&id).is_some_and(|person| person.bot)
    }

    /// The person who answers for an account: the maker of an engine's, or the person.
    pub(super) fn answers_for(&self, id: PersonId) -> PersonId {
        let maker = self.by_id.get(&id).and_then(|person| person.maker);
        maker.unwrap_or(id)
    }

    /// The accounts of engines that a person has made.
    pub(super) fn bots_of(&self, maker: PersonId) -> impl Iterator<Item = PersonId> {
        let theirs = move |(_, person): &(&PersonId, &Person)| person.maker == Some(maker);
        self.by_id.iter().filter(theirs).map(|(id, _)| *id)
    }

    /// The banned people.
    pub fn banned(&self) -> HashSet<PersonId> {
        let banned = self.by_id.iter().filter(|(_, person)| person.banned);
        banned.map(|(id, _)| *id).collect()
    }

    /// Returns true if a person is more than a guest.
    pub(super) fn has_name(&self, id: PersonId) -> bool {
        let person = self.by_id.get(&id);
        person.is_some_and(|person| !person.former && !is_guests(id, &person.name))
    }

    /// The account of a person with a name.
    pub(super) fn named_mut(&mut self, id: PersonId) -> Option<&mut Person> {
        let has_name = self.has_name(id);
        self.by_id.get_mut(&id).filter(|_| has_name)
    }

    /// The kind of a person's account.
    pub fn account(&self, id: PersonId) -> Account {
        if self.is_bot(id) {
            Account::Engine
        } else if self.has_name(id) {
            Account::Person
        } else {
            Account::Guest
        }
    }

    /// Adds a person that a database knows.
    pub fn insert(&mut self, id: PersonId, person: Person) {
        if !person.former {
            self.add_name(id, &person.name);
        }
        let hashes = person.keys.iter().map(|key| key.hash);
        let hashes = hashes.chain(person.void.iter().copied());
        self.by_key.extend(hashes.map(|hash| (hash, id)));
        self.by_id.insert(id, person);
    }

    fn add_name(&mut self, id: PersonId, name: &str) {
        self.by_name.entry(letters(name)).or_insert(id);
        for look in looks(name) {
            self.by_look.entry(look).or_default().insert(id);
        }
        self.by_outline.entry(outline(name)).or_default().insert(id);
    }

    pub(super) fn remove_name(&mut self, id: PersonId, name: &str) {
        let letters = letters(name);
        if self.by_name.get(&letters) == Some(&id) {
            self.by_name.remove(&letters);
        }
        for look in looks(name) {
            remove(&mut self.by_look, look, id);
        }
        remove(&mut self.by_outline, outline(name), id);
    }

    /// The other people whose names differ from a person's only by accents, digits, signs or
    /// letters that are repeated.
    pub fn alike(&self, id: PersonId) -> impl Iterator<Item = PersonId> {
        let outline = self.by_id.get(&id).map(|person| outline(&person.name));
        // A name of digits alone has no outline.
        let outline = outline.filter(|it| !it.is_empty() && self.has_name(id));
        let owners = outline.and_then(|it| self.by_outline.get(&it));
        let others = owners.into_iter().flatten().copied();
        others.filter(move |it| *it != id && self.has_name(*it))
    }

    /// A person, who is a guest from now on if nothing was known of them.
    pub fn enter(&mut self, id: PersonId) -> &mut Person {
        let name = self.name(id);
        if !self.by_id.contains_key(&id) {
            self.add_name(id, &name);
        }
        self.by_id.entry(id).or_insert_with(|| Person::new(name))
    }

    /// Checks a new name for a person, and returns it as [`People::rename`] would store it.
    ///
    /// # Errors
    /// When the name is none, or another person's.
    pub fn check_name(&self, id: PersonId, name: &str) -> Result<String, NameError> {
        self.check(id, name, self.is_bot(id))
    }

    fn check(&self, id: PersonId, name: &str, is_bot: bool) -> Result<String, NameError> {
        let name = clean(name, NAME_LENGTH)?;
        let others = |look: &String| {
            let owners = self.by_look.get(look).into_iter().flatten();
            owners.into_iter().any(|owner| *owner != id)
        };
        let is_of_guest = |look: &String| looks(GUEST).iter().any(|it| look.starts_with(it));
        let names = looks(&name);
        if is_reserved(&name, is_bot)
            || names.iter().any(others)
            || (names.iter().any(is_of_guest) && !is_guests(id, &name))
        {
            return Err(NameError::Taken);
        }
        Ok(name)
    }

    /// Gives a person another name.
    ///
    /// # Errors
    /// When the name is none, or another person's.
    pub fn rename(&mut self, id: PersonId, name: &str) -> Result<(), NameError> {
        let name = self.check_name(id, name)?;
        self.replace_name(id, name);
        Ok(())
    }

    fn replace_name(&mut self, id: PersonId, name: String) {
        let old = std::mem::replace(&mut self.enter(id).name, name.clone());
        self.remove_name(id, &old);
        self.add_name(id, &name);
    }

    /// Adds the account of an engine.
    ///
    /// # Errors
    /// Returns an error if the name is invalid, reserved or another person's.
    pub(super) fn add_bot(
        &mut self,
        id: PersonId,
        name: &str,
        maker: Option<PersonId>,
    ) -> Result<(), NameError> {
        let name = self.check(id, name, true)?;
        self.replace_name(id, name);
        let person = self.enter(id);
        (person.bot, person.maker) = (true, maker);
        Ok(())
    }
}

/// Removes a person from an index of names.
fn remove(index: &mut HashMap<String, BTreeSet<PersonId>>, key: String, id: PersonId) {
    if let Some(owners) = index.get_mut(&key) {
        owners.remove(&id);
        if owners.is_empty() {
            index.remove(&key);
        }
    }
}

/// The name of a guest with this many bytes of their number.
fn guest(id: PersonId, bytes: usize) -> String {
    let digits = id.0.iter().take(bytes).map(|byte| format!("{byte:02x}"));
    format!("{GUEST}-{}", digits.collect::<String>())
}

/// Returns true if a name is one that a person has as a guest.
fn is_guests(id: PersonId, name: &str) -> bool {
    let bytes = name.len().saturating_sub(GUEST.len() + 1) / 2;
    GUEST_BYTES.contains(&bytes) && name == guest(id, bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ANNA: PersonId = PersonId([1; 32]);
    const BELA: PersonId = PersonId([2; 32]);

    #[test]
    fn names_are_clean_and_unique() {
        let mut people = People::default();
        assert_eq!(people.name(ANNA), "guest-01010101");
        people.rename(ANNA, "  Anna \t Maria ").unwrap();
        assert_eq!(people.name(ANNA), "Anna Maria");
        for (name, error) in [
            ("anna-maria", NameError::Taken),
            ("ANNAMARIA", NameError::Taken),
            ("Guest-01010101", NameError::Taken),
            ("engine", NameError::Taken),
            ("former player", NameError::Taken),
            ("B", NameError::Length),
            (&"B".repeat(21), NameError::Length),
            ("<script>", NameError::Letters),
            ("Be\u{202e}la", NameError::Letters),
            ("Be\u{200b}la", NameError::Letters),
            ("-Bela", NameError::Letters),
            ("Bela\0", NameError::Letters),
        ] {
            assert_eq!(people.rename(BELA, name), Err(error), "{name:?}");
        }
        for name in [
            "Béla",
            "ベラー",
            "Бела",
            "벨라 2",
            "Vũ Thị",
            "五子棋 3",
            "Ann Lee",
            "b.e_l-a",
            "Be\u{301}la",
        ] {
            people.rename(BELA, name).unwrap();
        }
        assert_eq!(people.name(BELA), "Béla", "letters are composed");
        // The old name is free again, and one's own can be written otherwise.
        people.rename(ANNA, "ANNA maria").unwrap();
        people.rename(ANNA, "Anna").unwrap();
        people.rename(BELA, "Anna Maria").unwrap();
        assert_eq!(people.by_name("annamaria").unwrap().0, BELA);
    }

    /// A person whose number begins like another's once had the same name as a guest, and what was
    /// meant for the other.
    #[test]
    fn guests_have_names_of_their_own() {
        let mut people = People::default();
        let mut number = ANNA.0;
        number[31] = 7;
        number[4] = 0xab;
        let impostor = PersonId(number);
        people.enter(ANNA);
        assert_eq!(people.name(impostor), "guest-01010101ab");
        people.enter(impostor);
        assert_eq!(people.name(impostor), "guest-01010101ab");
        assert!(!people.has_name(ANNA) && !people.has_name(impostor));
        assert_eq!(people.by_name("guest-01010101").unwrap().0, ANNA);
        assert_eq!(
            people.rename(impostor, "guest-01010101"),
            Err(NameError::Taken)
        );
        // In a database from before both had the same name.
        let mut old = People::default();
        let person = people.get(ANNA).unwrap().clone();
        old.insert(ANNA, person.clone());
        old.insert(impostor, person);
        assert_eq!(old.by_name("guest-01010101").unwrap().0, ANNA);
        old.rename(impostor, "Carl").unwrap();
        assert_eq!(old.by_name("guest-01010101").unwrap().0, ANNA);
        old.rename(ANNA, "Anna").unwrap();
        assert!(old.has_name(ANNA) && old.by_name("guest-01010101").is_none());
    }

    #[test]
    fn names_that_look_alike_are_one() {
        let mut people = People::default();
        for (name, like) in [
            ("alice", "\u{430}lice"),
            ("alice", "ALICE"),
            ("alice", "a1ice"),
            ("Paul", "PauI"),
            ("Paul", "Pau1"),
            ("Paul", "Раul"),
            ("Arnold", "Amold"),
            ("Bob 0", "ВоbO"),
            ("カロ", "力口"),
            ("Anna", "Ａｎｎａ"),
            // The small letter of a sigma depends on where it stands.
            ("ΝΙΚΟΣ", "νικοσ"),
        ] {
            for (one, other) in [(name, like), (like, name)] {
                people.rename(ANNA, one).unwrap();
                let taken = people.rename(BELA, other);
                assert_eq!(taken, Err(NameError::Taken), "{other} beside {one}");
                people.rename(ANNA, "Somebody").unwrap();
            }
        }
        // Accents and tones tell names apart.
        people.rename(ANNA, "Hà").unwrap();
        people.rename(BELA, "Hạ").unwrap();
        assert_eq!(people.by_name("hà").unwrap().0, ANNA);
        for name in [
            "\u{3164}\u{3164}",
            "Еngine",
            "qu\u{456}ncunx",
            "gu\u{435}st-01010101",
        ] {
            assert!(people.rename(BELA, name).is_err(), "{name}");
        }
        // Names from before looks counted stay, and are found.
        let person = |name: &str| Person::new(name.to_owned());
        let mut people = People::default();
        people.insert(ANNA, person("alice"));
        people.insert(BELA, person("\u{430}lice"));
        assert_eq!(people.by_name("alice").unwrap().0, ANNA);
        people.rename(BELA, "Bela").unwrap();
        assert_eq!(people.rename(BELA, "\u{430}lice"), Err(NameError::Taken));
        assert_eq!(people.by_name("alice").unwrap().0, ANNA);
    }
}
