//! Codes by which a person comes to another device, because keys must not be in links.

use crate::rooms::person::PersonId;
use std::collections::HashMap;
use std::time::Duration;

/// The time for which a code is valid.
pub(super) const VALID: Duration = Duration::from_secs(300);

/// Codes by which a person is the same on another device, each for one use.
#[derive(Debug, Default)]
pub(super) struct Codes(HashMap<String, (PersonId, Duration)>);

impl Codes {
    /// Adds a code of a person, and makes the earlier ones invalid.
    pub(super) fn add(&mut self, now: Duration, code: String, person: PersonId) {
        self.0
            .retain(|_, (owner, ends)| *owner != person && now < *ends);
        self.0.insert(code, (person, now + VALID));
    }

    /// The person of a valid code.
    pub(super) fn find(&self, now: Duration, code: &str) -> Option<PersonId> {
        let (person, ends) = self.0.get(code)?;
        (now < *ends).then_some(*person)
    }

    /// Removes the codes of a person.
    pub(super) fn remove_of(&mut self, person: PersonId) {
        self.0.retain(|_, (owner, _)| *owner != person);
    }
}
