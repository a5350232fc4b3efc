//! Accounts of engines.

use super::Club;
use super::error::VisitError;
use super::visit::person_of;
use crate::rooms::message::ClubMessage;
use crate::rooms::name::NameError;
use crate::rooms::number::VisitorId;
use crate::rooms::person::PersonId;
use std::time::Duration;

/// The most accounts for engines that one person makes.
const OF_ONE_MAKER: usize = 5;

impl Club {
    /// Makes an account for an engine, and returns its token: a key like that of a person.
    ///
    /// # Errors
    /// When the name is none, or taken.
    pub fn make_bot(&mut self, name: &str, maker: Option<PersonId>) -> Result<String, NameError> {
        let token = format!("{:016x}{:016x}", (self.draw)(), (self.draw)());
        let id = person_of(&token).ok_or(NameError::Taken)?;
        self.people.rename(id, name)?;
        let person = self.people.enter(id);
        (person.bot, person.maker) = (true, maker);
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
        self.take_quota(now, id)?;
        let token = self.make_bot(name, Some(person))?;
        let name = name.to_owned();
        self.say(vec![id], &ClubMessage::Token { name, token });
        Ok(())
    }
}
