//! Keys of people: a code for another device, a new key, the end of a device, and of an account.

use super::codes::VALID;
use super::error::VisitError;
use super::limits::Limited;
use super::{Club, Entry, RoomQuery, StoreWrite};
use crate::rooms::admin::AdminError;
use crate::rooms::device_key::DeviceKey;
use crate::rooms::message::{ClubMessage, DeviceView};
use crate::rooms::number::VisitorId;
use crate::rooms::person::{PersonId, person_of};
use crate::rooms::room::Stage;
use std::net::IpAddr;
use std::time::Duration;

/// The characters of codes: none is mistaken for another.
const ALPHABET: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// The number of characters of a code.
const CODE_LENGTH: usize = 8;

/// The largest number of devices of a person.
const MOST_DEVICES: usize = 10;

/// The unit of the times at which devices were seen, in seconds.
const DAY_S: u64 = 86_400;

/// A code as it was drawn, whatever is between its characters.
fn plain(code: &str) -> String {
    let letters = code.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|it| it.to_ascii_lowercase()).collect()
}

impl Club {
    /// Sends a person a code for another device.
    pub(super) fn make_code(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
    ) -> Result<(), VisitError> {
        self.refuse_bot(person)?;
        if self.people.keys(person).len() >= MOST_DEVICES {
            return Err(VisitError::TooManyDevices);
        }
        self.admit(now, id, person)?;
        let mut random = (self.random)();
        let code: String = (0..CODE_LENGTH)
            .map(|_| {
                let letter = ALPHABET[(random % ALPHABET.len() as u64) as usize];
                random /= ALPHABET.len() as u64;
                char::from(letter)
            })
            .collect();
        self.codes.add(now, code.clone(), person);
        let valid_s = VALID.as_secs();
        self.send(vec![id], &ClubMessage::Code { code, valid_s });
        Ok(())
    }

    /// Makes the new key of a device one of the person whose code is given. Wrong codes are
    /// limited by address.
    pub(super) fn use_code(
        &mut self,
        now: Duration,
        from: IpAddr,
        code: &str,
        hash: PersonId,
    ) -> Result<(), VisitError> {
        self.check(now, Limited::WrongCode(from))?;
        let code = plain(code);
        let person = self.codes.find(now, &code);
        let Some(person) = person.filter(|_| !self.people.knows_key(hash)) else {
            self.take(now, Limited::WrongCode(from))?;
            return Err(VisitError::Code);
        };
        if self.people.is_banned(person) {
            return Err(VisitError::Banned);
        }
        self.codes.remove_of(person);
        let mut keys = self.people.keys(person);
        let today = now.as_secs() / DAY_S * DAY_S;
        for key in keys.iter_mut().filter(|key| key.seen == 0) {
            key.seen = today;
        }
        keys.push(DeviceKey::new(hash, today));
        self.people.set_keys(person, keys);
        self.keep_person(person);
        log::info!("person={person} event=device_added");
        let others = self.connections.of(&[person]);
        self.send_devices(&others, person);
        Ok(())
    }

    /// Notes a visit with a key.
    pub(super) fn note_device(&mut self, now: Duration, person: PersonId, hash: PersonId) {
        if self
            .people
            .note_visit(person, hash, now.as_secs() / DAY_S * DAY_S)
        {
            self.keep_person(person);
        }
    }

    /// Sends a person the list of their devices.
    pub(super) fn send_devices(&mut self, to: &[VisitorId], person: PersonId) {
        let keys = self.people.keys(person);
        for id in to {
            let own = self.connections.get(*id).and_then(|visitor| visitor.key);
            let is_here = |hash| {
                self.connections
                    .visitors
                    .values()
                    .any(|it| it.key == Some(hash))
            };
            let view = |key: &DeviceKey| DeviceView {
                device: key.name(),
                seen: (key.seen > 0).then_some(key.seen),
                here: is_here(key.hash),
                own: own == Some(key.hash),
            };
            let devices = keys.iter().map(view).collect();
            self.send(vec![*id], &ClubMessage::Devices { devices });
        }
    }

    /// Revokes the key of a device and ends its connections.
    pub(super) fn end_device(
        &mut self,
        id: VisitorId,
        person: PersonId,
        device: &str,
    ) -> Result<(), VisitError> {
        let mut keys = self.people.keys(person);
        let at = keys.iter().position(|key| key.name() == device);
        // The last key of a person is replaced, or the account forgotten.
        let at = at.filter(|_| keys.len() > 1).ok_or(VisitError::NoDevice)?;
        keys.remove(at);
        self.set_keys(person, keys);
        log::info!("person={person} event=device_ended");
        self.send_devices(&[id], person);
        Ok(())
    }

    /// Gives a person a new key, which their page has drawn, in the place of all others.
    pub(super) fn new_key(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        key: &str,
    ) -> Result<(), VisitError> {
        self.refuse_bot(person)?;
        let hash = person_of(key).ok_or(VisitError::Key)?;
        if self.people.knows_key(hash) {
            return Err(VisitError::Key);
        }
        self.admit(now, id, person)?;
        self.take(now, Limited::NewKey(person))?;
        if let Some(visitor) = self.connections.get_mut(id) {
            visitor.key = Some(hash);
        }
        let today = now.as_secs() / DAY_S * DAY_S;
        self.people.enter(person).feed = None;
        self.set_keys(person, vec![DeviceKey::new(hash, today)]);
        log::info!("person={person} event=key_renewed");
        self.send(vec![id], &ClubMessage::Renewed);
        Ok(())
    }

    /// Gives a person these keys. Connections by others end.
    pub(super) fn set_keys(&mut self, person: PersonId, keys: Vec<DeviceKey>) {
        let is_valid = |hash| keys.iter().any(|key| Some(key.hash) == hash);
        let mut ended = self.connections.of(&[person]);
        ended.retain(|id| {
            self.connections
                .get(*id)
                .is_some_and(|it| !is_valid(it.key))
        });
        self.people.set_keys(person, keys);
        self.codes.remove_of(person);
        self.keep_person(person);
        self.disconnect_with_error(ended, &VisitError::OldKey);
    }

    /// Forgets a person at their own wish.
    pub(super) fn forget_me(&mut self, now: Duration, person: PersonId) -> Result<(), VisitError> {
        self.refuse_bot(person)?;
        if self.people.get(person).is_none() {
            return Err(VisitError::Unknown);
        }
        self.check_forgettable(person)?;
        self.forget(now, person);
        Ok(())
    }

    /// Forgets a person: of the account and of the accounts for engines that the person has made
    /// only games are left, by a former player.
    pub(super) fn forget_person(&mut self, now: Duration, name: &str) -> Result<(), AdminError> {
        let (id, _) = self.people.by_name(name).ok_or(AdminError::Person)?;
        self.check_forgettable(id).map_err(|_| AdminError::Plays)?;
        self.forget(now, id);
        Ok(())
    }

    /// Refuses where a game or a tournament needs the person, or an engine of theirs.
    fn check_forgettable(&self, person: PersonId) -> Result<(), VisitError> {
        let accounts: Vec<PersonId> = self.people.bots_of(person).chain([person]).collect();
        let plays = accounts
            .iter()
            .any(|id| self.rooms.plays(*id) || self.count_correspondence(*id)[0] > 0);
        let takes_part = accounts.iter().any(|id| self.tournaments.needs(*id));
        if plays || takes_part {
            Err(VisitError::Plays)
        } else {
            Ok(())
        }
    }

    fn forget(&mut self, now: Duration, person: PersonId) {
        let accounts: Vec<PersonId> = self.people.bots_of(person).chain([person]).collect();
        for id in accounts {
            log::info!("person={id} event=forgotten");
            let waiting = |room, entry: &Entry| {
                let is_theirs = entry.seats(id) || entry.invited == Some(id);
                (entry.room.stage() == Stage::Waiting && is_theirs).then_some(room)
            };
            for query in [RoomQuery::Of(id), RoomQuery::ChallengesTo(id)] {
                for room in self.rooms.pick(query, usize::MAX, waiting) {
                    self.load(room);
                    self.remove_room(room);
                }
            }
            for number in self.tournaments.forget(id) {
                self.keep_tournament(now, number);
            }
            let theirs = self.connections.of(&[id]);
            let name = self.people.forget(id);
            self.archive.forget(id);
            self.codes.remove_of(id);
            self.keep_person(id);
            self.effects.writes.push(StoreWrite::Forgotten(id, name));
            self.show_name(now, id);
            self.disconnect_with_error(theirs, &VisitError::Forgotten);
        }
    }

    fn refuse_bot(&self, person: PersonId) -> Result<(), VisitError> {
        if self.people.is_bot(person) {
            return Err(VisitError::Bot);
        }
        Ok(())
    }
}
