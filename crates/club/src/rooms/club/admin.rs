//! Commands of the administrator.

use super::error::VisitError;
use super::{Club, Entry, StoreWrite};
use crate::rooms::address::AddressRange;
use crate::rooms::admin::{AdminCommand, AdminError, AdminRoom, AdminVisitor, json_lines};
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::PersonId;
use crate::rooms::ratings::RatingRecomputation;
use crate::rooms::room::{Room, Stage};
use crate::rooms::suspicion::{Suspicion, Suspicious};
use std::time::Duration;

impl Club {
    /// Executes a command of the administrator. Changes are noted in the audit log. Returns the
    /// answer, or `None` if it comes from the store.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the command can't be executed.
    pub fn administer(
        &mut self,
        now: Duration,
        command: &AdminCommand,
    ) -> Result<Option<String>, AdminError> {
        let text = self.execute(now, command)?;
        if text.is_some()
            && let Some(entry) = command.audit_entry()
        {
            self.effects.writes.push(StoreWrite::Audit(now, entry));
        }
        Ok(text)
    }

    /// Executes a command. Returns the answer, or `None` if it comes from the store.
    fn execute(
        &mut self,
        now: Duration,
        command: &AdminCommand,
    ) -> Result<Option<String>, AdminError> {
        let text = match command {
            AdminCommand::List => return Ok(Some(json_lines(self.list_rooms(now)))),
            AdminCommand::Tournaments => {
                return Ok(Some(json_lines(self.list_tournaments(usize::MAX))));
            }
            AdminCommand::Bans => return Ok(Some(json_lines(&self.bans))),
            AdminCommand::Visitors => return Ok(Some(json_lines(self.list_visitors()))),
            AdminCommand::Suspicious
            | AdminCommand::Audit
            | AdminCommand::Check
            | AdminCommand::Backup { .. }
            | AdminCommand::Export => return Ok(None),
            AdminCommand::End { room } => match self.end_room(now, *room)? {
                Stage::Waiting => format!("Room {room} waited for a player, and is closed."),
                _ => format!("The game of room {room} has ended without a result."),
            },
            AdminCommand::Close { room } => {
                self.close_room(now, *room)?;
                format!("Room {room} is closed.")
            }
            AdminCommand::EndTournament { tournament } => {
                self.end_tournament(now, *tournament)?;
                format!("Tournament {tournament} has ended.")
            }
            AdminCommand::ContinueTournament { tournament } => {
                self.continue_tournament(now, *tournament)?;
                format!("Tournament {tournament} goes on: its rounds begin by themselves.")
            }
            AdminCommand::CloseEntry { tournament } => {
                self.close_entry(now, *tournament, true)?;
                format!("The entry of tournament {tournament} is closed.")
            }
            AdminCommand::OpenEntry { tournament } => {
                self.close_entry(now, *tournament, false)?;
                format!("The entry of tournament {tournament} is open.")
            }
            AdminCommand::Ban { name } => {
                let names = listed(&self.ban(name, true)?);
                format!("{names} banned, and all games are rated anew.")
            }
            AdminCommand::Unban { name } => {
                let names = listed(&self.ban(name, false)?);
                format!("{names} let in again, and all games are rated anew.")
            }
            AdminCommand::BanAddress { range } => {
                let ended = self.ban_addresses(*range, true);
                format!("{range} is banned; connections ended: {ended}.")
            }
            AdminCommand::UnbanAddress { range } => {
                self.ban_addresses(*range, false);
                format!("{range} is let in again.")
            }
            AdminCommand::Rename { name, to } => {
                let [before, after] = self.rename_person(now, name, to)?;
                format!("{before} is called {after} now.")
            }
            AdminCommand::Bot { name } => self.make_bot(name, None)?,
            AdminCommand::Key { name } => self.replace_key(name)?,
            AdminCommand::Forget { name } => {
                self.forget_person(now, name)?;
                format!("{name} is forgotten.")
            }
        };
        Ok(Some(text + "\n"))
    }

    /// Every live room, and the correspondence rooms in memory.
    fn list_rooms(&self, now: Duration) -> Vec<AdminRoom> {
        let room = |(room, entry): (RoomId, &Entry)| AdminRoom {
            summary: self.room_summary(now, room, entry),
            stage: entry.room.stage(),
            private: entry.private,
            visitors: entry.visitors.len(),
            touched: entry.touched.as_secs(),
        };
        self.rooms
            .iter()
            .chain(self.rooms.awake())
            .map(room)
            .collect()
    }

    /// The visitors.
    fn list_visitors(&self) -> Vec<AdminVisitor> {
        let visitors = self.connections.visitors.values();
        let visitor = |it: &super::Visitor| AdminVisitor {
            name: it.person.map(|person| self.people.name(person)),
            address: it.from,
            room: it.room,
        };
        visitors.map(visitor).collect()
    }

    /// Ends the game of a room, or closes a room that waits. It does not count. Returns the stage
    /// that the room was in.
    ///
    /// # Errors
    /// When there is no such room, or its game is over.
    pub fn end_room(&mut self, now: Duration, id: RoomId) -> Result<Stage, AdminError> {
        self.load(id);
        let entry = self.rooms.get(id).ok_or(AdminError::Room)?;
        let stage = entry.room.stage();
        match stage {
            Stage::Over => return Err(AdminError::Room),
            Stage::Waiting => self.remove_room(id),
            Stage::Playing => _ = self.change(now, id, Room::cancel),
        }
        log::info!("room={id} event=ended_by_admin");
        Ok(stage)
    }

    /// Closes a room. A game that is played there is not rated.
    fn close_room(&mut self, now: Duration, id: RoomId) -> Result<(), AdminError> {
        self.load(id);
        self.change(now, id, Room::cancel)
            .ok_or(AdminError::NoRoom)?;
        self.remove_room(id);
        log::info!("room={id} event=closed_by_admin");
        Ok(())
    }

    /// Gives a person another name. Returns the old and the new one.
    fn rename_person(
        &mut self,
        now: Duration,
        name: &str,
        to: &str,
    ) -> Result<[String; 2], AdminError> {
        let (id, person) = self.people.by_name(name).ok_or(AdminError::Person)?;
        let before = person.name.clone();
        self.people.rename(id, to)?;
        log::info!("person={id} event=renamed_by_admin");
        self.show_name(now, id);
        Ok([before, self.people.name(id)])
    }

    /// Bans a person or lifts the ban, with the accounts of their engines. Their connections end,
    /// and their games go on without them. A [`RatingRecomputation`] removes their effect on
    /// ratings. Returns their names.
    ///
    /// # Errors
    /// When no person has the name.
    pub fn ban(&mut self, name: &str, banned: bool) -> Result<Vec<String>, AdminError> {
        let (id, _) = self.people.by_name(name).ok_or(AdminError::Person)?;
        log::info!("person={id} event=ban banned={banned}");
        let accounts: Vec<PersonId> = self.people.bots_of(id).chain([id]).collect();
        for account in &accounts {
            self.people.enter(*account).banned = banned;
            self.keep_person(*account);
        }
        if banned {
            let theirs = self.connections.of(&accounts);
            self.disconnect_with_error(theirs, &VisitError::Banned);
        }
        let names = accounts
            .iter()
            .rev()
            .map(|account| self.people.name(*account));
        Ok(names.collect())
    }

    /// Bans a range of addresses, or lifts the ban. Returns the number of connections that end.
    pub fn ban_addresses(&mut self, range: AddressRange, banned: bool) -> usize {
        let mut ended = 0;
        log::info!("range={range} event=ban banned={banned}");
        if banned {
            self.bans.insert(range);
            let from_there = self.connections.which(|it| range.contains(it.from));
            ended = from_there.len();
            self.disconnect_with_error(from_there, &VisitError::Banned);
        } else {
            self.bans.remove(&range);
        }
        self.effects.writes.push(StoreWrite::Ban(range, banned));
        ended
    }

    /// Lists rated games that look arranged.
    pub fn suspicious(&self, suspicion: &Suspicion) -> Vec<Suspicious> {
        suspicion.list(&self.people)
    }

    /// Begins the recomputation of all ratings from all games. The club runs meanwhile.
    pub fn recomputation(&self) -> RatingRecomputation {
        RatingRecomputation::new(self.people.banned())
    }

    /// Adopts recomputed ratings. Returns the recomputation if it lacks games that have ended since.
    /// Discards it if the list of banned people has changed, which starts another one.
    pub fn take_over(&mut self, recomputation: RatingRecomputation) -> Option<RatingRecomputation> {
        if recomputation.banned != self.people.banned() {
            return None;
        }
        if recomputation.last != self.archive.count() {
            return Some(recomputation);
        }
        self.ratings = recomputation.ratings;
        self.lobby.has_changed = true;
        None
    }

    /// Ends the connections of visitors with an error.
    pub(super) fn disconnect_with_error(&mut self, visitors: Vec<VisitorId>, error: &VisitError) {
        let reason = ClubMessage::Error {
            code: error.code().into(),
            text: error.to_string(),
            retry_s: None,
        };
        self.disconnect(visitors, &reason);
    }
}

/// Returns the names as the subject of a sentence, with its verb.
fn listed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(", "))
}
