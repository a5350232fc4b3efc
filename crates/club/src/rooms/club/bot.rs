//! Keys that the club gives: to engines with an account, and to people who have lost theirs.

use super::Club;
use super::error::VisitError;
use crate::rooms::admin::AdminError;
use crate::rooms::device_key::DeviceKey;
use crate::rooms::message::ClubMessage;
use crate::rooms::name::NameError;
use crate::rooms::number::VisitorId;
use crate::rooms::person::{PersonId, person_of};
use std::time::Duration;

/// The most accounts for engines that one person makes.
const OF_ONE_MAKER: usize = 5;

impl Club {
    /// Makes an account for an engine, and returns its token: a key like that of a person.
    ///
    /// # Errors
    /// When the name is none, or taken.
    pub fn make_bot(&mut self, name: &str, maker: Option<PersonId>) -> Result<String, NameError> {
        let token = self.draw_key();
        let id = person_of(&token).ok_or(NameError::Taken)?;
        self.people.add_bot(id, name, maker)?;
        self.keep_person(id);
        log::info!("person={id} event=bot");
        Ok(token)
    }

    /// The same for a visitor who has a name, and who answers for it.
    pub(super) fn make_own_bot(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        name: &str,
    ) -> Result<(), VisitError> {
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        if self.people.is_bot(person) {
            return Err(VisitError::Bot);
        }
        if self.people.bots_of(person).count() >= OF_ONE_MAKER {
            return Err(VisitError::TooManyBots);
        }
        self.check_quota(now, id)?;
        let token = self.make_bot(name, Some(person))?;
        self.take_quota(now, id)?;
        let name = name.to_owned();
        self.send(vec![id], &ClubMessage::Token { name, token });
        Ok(())
    }

    /// Gives a person another key in the place of a lost one, and returns it. Connections by
    /// the old key end.
    ///
    /// # Errors
    /// When no person has the name.
    pub fn replace_key(&mut self, name: &str) -> Result<String, AdminError> {
        let (id, _) = self.people.by_name(name).ok_or(AdminError::Person)?;
        let key = self.draw_key();
        let hash = person_of(&key).ok_or(AdminError::Person)?;
        self.set_keys(id, vec![DeviceKey::new(hash, 0)]);
        log::info!("person={id} event=key_replaced");
        Ok(key)
    }

    /// A random key.
    fn draw_key(&mut self) -> String {
        format!("{:016x}{:016x}", (self.random)(), (self.random)())
    }
}
