//! What whoever runs the club asks for.

use super::error::VisitError;
use super::{Change, Club, Entry};
use crate::rooms::admin::{AdminError, AdminRoom};
use crate::rooms::archive::FinishedGame;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::room::{Room, Stage};
use std::time::Duration;

impl Club {
    /// Every room.
    pub fn list_rooms(&self, now: Duration) -> Vec<AdminRoom> {
        let room = |(room, entry): (&RoomId, &Entry)| AdminRoom {
            summary: self.room_summary(now, *room, entry),
            stage: entry.room.stage(),
            private: entry.private,
            visitors: entry.visitors.len(),
            touched: entry.touched.as_secs(),
        };
        self.rooms.iter().map(room).collect()
    }

    /// Ends the game of a room, or closes a room that waits. It counts for nobody.
    ///
    /// # Errors
    /// When there is no such room, or its game is over.
    pub fn end_room(&mut self, now: Duration, id: RoomId) -> Result<(), AdminError> {
        let stage = self.rooms.get(&id).map(|entry| entry.room.stage());
        match stage {
            None | Some(Stage::Over) => return Err(AdminError::Room),
            Some(Stage::Waiting) => self.remove_room(id),
            Some(Stage::Playing) => _ = self.change(now, id, Room::cancel),
        }
        log::info!("room={id} event=ended_by_admin");
        Ok(())
    }

    /// Keeps somebody out, or lets them in again. Their connections end, their games go
    /// on without them. Everybody is rated anew by `games`, all that are over, of which
    /// those of people who are kept out count for nobody.
    ///
    /// # Errors
    /// When nobody has the name, or another game has ended meanwhile.
    pub fn ban(
        &mut self,
        name: &str,
        banned: bool,
        games: &[FinishedGame],
    ) -> Result<(), AdminError> {
        let last = games.last().map_or(0, |game| game.number);
        if last != self.archive.count() {
            return Err(AdminError::Meanwhile);
        }
        let (id, _) = self.people.by_name(name).ok_or(AdminError::Person)?;
        log::info!("person={id} event=ban banned={banned}");
        self.people.enter(id).banned = banned;
        self.people.rate_anew(games);
        let changed = (self.people.iter())
            .map(|(id, person)| Change::Person(id, person.clone()))
            .collect::<Vec<_>>();
        self.effects.changes.extend(changed);
        if banned {
            let theirs = self.visitors.iter().filter(|(_, it)| it.person == Some(id));
            let theirs: Vec<VisitorId> = theirs.map(|(visitor, _)| *visitor).collect();
            self.shut_out(theirs);
        }
        Ok(())
    }

    /// Ends the connections of visitors who are kept out.
    fn shut_out(&mut self, visitors: Vec<VisitorId>) {
        let error = VisitError::Banned;
        let told = ClubMessage::Error {
            code: error.code(),
            text: error.to_string(),
            retry_s: None,
        };
        self.part_with(visitors, &told);
    }
}
