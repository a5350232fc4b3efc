//! Contacts between people: who may challenge and play a person, and who is blocked.

use super::error::VisitError;
use super::{Club, Entry, RoomQuery};
use crate::rooms::contacts::{ContactPolicy, Contacts, MOST_BLOCKED};
use crate::rooms::message::{ClubMessage, ContactsView};
use crate::rooms::number::VisitorId;
use crate::rooms::person::PersonId;
use std::time::Duration;

impl Club {
    /// The contact preferences of a person.
    fn contacts(&self, person: PersonId) -> Option<&Contacts> {
        self.people.get(person).map(|it| &it.contacts)
    }

    pub(super) fn contact_policy(&self, person: PersonId) -> ContactPolicy {
        self.contacts(person)
            .map(|it| it.policy)
            .unwrap_or_default()
    }

    /// Returns true if a person has blocked another, or the maker of the other's account.
    pub(super) fn has_blocked(&self, person: PersonId, other: PersonId) -> bool {
        let maker = self.people.answers_for(other);
        let blocked = self.contacts(person).map(|it| &it.blocked);
        blocked.is_some_and(|it| it.contains(&other) || it.contains(&maker))
    }

    /// Refuses a person whom another has blocked.
    ///
    /// # Errors
    /// Returns an error if `other` has blocked `person`.
    pub(super) fn check_contact(
        &self,
        person: PersonId,
        other: PersonId,
    ) -> Result<(), VisitError> {
        match self.has_blocked(other, person) {
            true => Err(VisitError::Declined),
            false => Ok(()),
        }
    }

    /// Refuses the free seat to a person whom its player does not want to play.
    ///
    /// # Errors
    /// Returns an error if a player of the room has blocked the person, or plays people with a
    /// name only.
    pub(super) fn check_opponent(&self, person: PersonId, entry: &Entry) -> Result<(), VisitError> {
        for host in entry.people() {
            self.check_contact(person, host)?;
            let wants_name = self.contact_policy(host) == ContactPolicy::Named;
            if wants_name && host != person && !self.people.has_name(person) {
                return Err(VisitError::NamedOnly);
            }
        }
        Ok(())
    }

    /// Returns true if a person may be paired with the player of a room as strangers: neither has
    /// blocked the other, and the player accepts the person.
    pub(super) fn may_be_paired(&self, person: PersonId, entry: &Entry) -> bool {
        let has_blocked = |host| self.has_blocked(person, host);
        !entry.people().any(has_blocked) && self.check_opponent(person, entry).is_ok()
    }

    /// The contact preferences of a person as their page shows them.
    pub(super) fn contacts_view(&self, person: PersonId) -> ContactsView {
        let blocked = self.contacts(person).map(|it| &it.blocked);
        let names = blocked
            .into_iter()
            .flatten()
            .map(|id| self.people.name(*id));
        let mut blocked: Vec<String> = names.collect();
        blocked.sort();
        ContactsView {
            policy: self.contact_policy(person),
            blocked,
        }
    }

    /// Sends a person's contact preferences to all of their connections.
    pub(super) fn send_contacts(&mut self, person: PersonId) {
        let view = ClubMessage::Contacts(self.contacts_view(person));
        let to = self.connections.of(&[person]);
        self.send(to, &view);
    }

    /// Sends their preferences to the people who have blocked a person of another name now.
    pub(super) fn send_contacts_about(&mut self, renamed: PersonId) {
        let has_blocked = |person: &PersonId| {
            let contacts = self.contacts(*person);
            contacts.is_some_and(|it| it.blocked.contains(&renamed))
        };
        let people: Vec<PersonId> = self.connections.people().filter(has_blocked).collect();
        for person in people {
            self.send_contacts(person);
        }
    }

    /// Sets who may challenge and play a person. Challenges that are not accepted any more are
    /// declined.
    pub(super) fn set_contact_policy(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        policy: ContactPolicy,
    ) -> Result<(), VisitError> {
        if self.contact_policy(person) == policy {
            return Ok(());
        }
        self.admit(now, id, person)?;
        self.people.enter(person).contacts.policy = policy;
        self.keep_person(person);
        if policy == ContactPolicy::None {
            self.decline_challenges(person, |_, _| true);
        }
        self.send_contacts(person);
        Ok(())
    }

    /// Blocks a person, or lifts the block. Their challenges are declined.
    pub(super) fn block(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        (name, blocked): (&str, bool),
    ) -> Result<(), VisitError> {
        let (other, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
        if other == person {
            return Err(VisitError::BlockSelf);
        }
        let contacts = self.contacts(person);
        if contacts.is_some_and(|it| it.blocked.contains(&other)) == blocked {
            return Ok(());
        }
        if blocked && contacts.is_some_and(|it| it.blocked.len() >= MOST_BLOCKED) {
            return Err(VisitError::TooManyBlocked);
        }
        self.admit(now, id, person)?;
        let contacts = &mut self.people.enter(person).contacts;
        if blocked {
            contacts.blocked.insert(other);
        } else {
            contacts.blocked.remove(&other);
        }
        self.keep_person(person);
        if blocked {
            self.decline_challenges(person, |club, entry| {
                entry.people().any(|it| club.has_blocked(person, it))
            });
        }
        self.send_contacts(person);
        Ok(())
    }

    /// Declines some of the challenges to a person: their rooms close.
    fn decline_challenges(&mut self, person: PersonId, is_meant: impl Fn(&Club, &Entry) -> bool) {
        let declined = |room, entry: &Entry| {
            let is_declined = entry.challenges(person) && is_meant(self, entry);
            is_declined.then_some(room)
        };
        let query = RoomQuery::ChallengesTo(person);
        for room in self.rooms.pick(query, usize::MAX, declined) {
            self.load(room);
            log::info!("room={room} event=declined");
            self.remove_room(room);
        }
    }
}
