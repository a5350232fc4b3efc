//! Conditional moves of the players of correspondence games.

use super::Club;
use super::error::VisitError;
use super::limits::Limited;
use super::pending::Pending;
use crate::rooms::error::RoomError;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::PersonId;
use quincunx_engine::rules::Point;
use std::time::Duration;

impl Club {
    /// Replaces the conditional moves of a player, after a move of theirs if there is one.
    pub(super) fn set_lines(
        &mut self,
        now: Duration,
        id: VisitorId,
        person: PersonId,
        (point, ply): (Option<Point>, usize),
        lines: &[String],
    ) -> Result<(), VisitError> {
        let room = self.room_of(id)?;
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        let seat = entry.room.seat_of(person).ok_or(VisitError::Watching)?;
        if entry.tournament_game.is_some_and(|it| !it.both_came()) {
            return Err(RoomError::NotBegun.into());
        }
        self.take(now, Limited::ConditionalMoves(person))?;
        let set = self.change(now, room, |it| it.set_lines(now, seat, (point, ply), lines));
        set.ok_or(VisitError::NoRoom)??;
        if point.is_none() {
            // The opponent does not see that anything has changed.
            self.note(now, [Pending::StoreRoom(room)]);
            let to = self.connections.of(&[person]);
            self.send_lines(room, &to);
        }
        Ok(())
    }

    /// Sends players of a room their conditional moves, on some of their connections there.
    pub(super) fn send_lines(&mut self, id: RoomId, to: &[VisitorId]) {
        let Some(entry) = self.rooms.get(id) else {
            return;
        };
        if !entry.room.takes_lines() {
            return;
        }
        let lines = entry.people().filter_map(|person| {
            let is_here = |it: &&VisitorId| {
                let visits = entry.visitors.contains(it);
                visits && self.connections.person(**it) == Some(person)
            };
            let to: Vec<VisitorId> = to.iter().filter(is_here).copied().collect();
            let lines = entry.room.lines(entry.room.seat_of(person)?);
            (!to.is_empty()).then_some((to, lines))
        });
        let lines: Vec<_> = lines.collect();
        for (to, lines) in lines {
            self.send(to, &ClubMessage::ConditionalMoves { room: id, lines });
        }
    }
}
