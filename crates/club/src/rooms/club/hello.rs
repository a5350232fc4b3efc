//! Authentication of a visitor, by a key or by a code of another device.

use super::error::VisitError;
use super::{Admission, Club};
use crate::rooms::address::AddressRange;
use crate::rooms::message::{ClubMessage, ClubWelcome, VERSION};
use crate::rooms::number::VisitorId;
use crate::rooms::person::{PersonId, person_of};
use quincunx_board::LEVELS;
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::Rule;
use std::time::Duration;

impl Club {
    /// Welcomes a visitor as the person of their key, or of the code of another device.
    pub(super) fn authenticate(
        &mut self,
        now: Duration,
        id: VisitorId,
        version: u32,
        key: &str,
        code: Option<&str>,
    ) -> Result<(), VisitError> {
        if version != VERSION {
            return Err(VisitError::Version);
        }
        let hash = person_of(key).ok_or(VisitError::Key)?;
        if let Some(code) = code {
            let visitor = self.connections.get(id).ok_or(VisitError::NoHello)?;
            let is_from_there = |range: &AddressRange| range.contains(visitor.from);
            if self.bans.iter().any(is_from_there) {
                return Err(VisitError::Banned);
            }
            self.use_code(now, visitor.from, code, hash)?;
        }
        if self.people.is_former(hash) {
            return Err(VisitError::Forgotten);
        }
        let person = self.people.by_key(hash).ok_or(VisitError::OldKey)?;
        let visitor = self.connections.get(id).ok_or(VisitError::NoHello)?;
        let is_from_there = |range: &AddressRange| range.contains(visitor.from);
        if self.people.is_banned(person) || self.bans.iter().any(is_from_there) {
            return Err(VisitError::Banned);
        }
        let admission = visitor.admission;
        match admission {
            Admission::Known(retry) if self.people.get(person).is_none() => {
                return Err(VisitError::TooManyVisitors(retry));
            }
            Admission::Players(retry) if !self.rooms.plays(person) => {
                return Err(VisitError::TooManyVisitors(retry));
            }
            _ => (),
        }
        let visitor = self.connections.get_mut(id).ok_or(VisitError::NoHello)?;
        (visitor.person, visitor.key) = (Some(person), Some(hash));
        self.end_surplus(person, id);
        if self.connections.mark_online(person) {
            self.handle_reconnect(now, person);
        }
        self.note_device(now, person, hash);
        let welcome = ClubWelcome {
            version: VERSION,
            program: concat!("Quincunx ", env!("CARGO_PKG_VERSION")).into(),
            name: self.people.name(person),
            account: self.people.account(person),
            rules: Rule::ALL.to_vec(),
            openings: OpeningRule::ALL.to_vec(),
            levels: LEVELS.map(|(level, name)| (level, name.into())).to_vec(),
            rooms: self.own_rooms(now, person),
            address: self.address.clone(),
            contacts: self.contacts_view(person),
        };
        self.send(vec![id], &ClubMessage::Welcome(welcome));
        self.send_lobby(now, id);
        self.send_challenges(now, person, &[id]);
        self.welcome_to_correspondence(id, person);
        // Their rooms are listed again.
        self.lobby.has_changed = true;
        Ok(())
    }

    /// Evicts a connection of a person who exceeds the limit with a new one.
    fn end_surplus(&mut self, person: PersonId, new: VisitorId) {
        if let Some(surplus) = self.connections.beyond_limit(person, new) {
            self.disconnect(vec![surplus], &VisitError::TooManyPages.message());
        }
    }
}
