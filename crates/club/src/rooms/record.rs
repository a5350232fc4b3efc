//! A room as a database keeps it.

use super::clock::TimeLeft;
use super::outcome::Outcome;
use super::person::Occupant;
use super::room::{Room, Stage};
use super::setup::RoomSetup;
use quincunx_board::Choice;
use quincunx_engine::game::swap::Seat;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A room as a database keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoomRecord {
    setup: RoomSetup,
    seats: [Option<Occupant>; 2],
    stage: Stage,
    moves: String,
    choices: Vec<Choice>,
    settled: Option<usize>,
    outcome: Option<Outcome>,
    left: [TimeLeft; 2],
    began: Option<Duration>,
    spent: Duration,
    acted: [bool; 2],
    draw_offer: Option<Seat>,
    offered_at: [Option<usize>; 2],
    undo_wish: Option<Seat>,
    #[serde(default)]
    asked_at: [Option<usize>; 2],
    rematch_wish: Option<Seat>,
    games: u32,
}

/// The record is not of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game can have these moves")]
pub struct RecordError;

impl RoomRecord {
    /// The start of the running clock; zero while it is paused.
    pub(super) fn began(&self) -> Duration {
        self.began.unwrap_or_default()
    }

    /// Sets that time back.
    pub(super) fn set_back(&mut self, by: Duration) {
        self.began = self.began.map(|began| began.saturating_sub(by));
    }
}

impl Room {
    /// The room as a database keeps it.
    pub fn record(&self) -> RoomRecord {
        RoomRecord {
            setup: self.setup,
            seats: self.seats,
            stage: self.stage,
            moves: self.game.position().move_text(),
            choices: self.choices.clone(),
            settled: self.settled,
            outcome: self.outcome,
            left: self.left,
            began: self.began,
            spent: self.spent,
            acted: self.acted,
            draw_offer: self.draw_offer,
            offered_at: self.offered_at,
            undo_wish: self.undo_wish,
            asked_at: self.asked_at,
            rematch_wish: self.rematch_wish,
            games: self.games,
        }
    }

    /// The room of a record.
    ///
    /// # Errors
    /// When the moves of the record can't be played.
    pub fn restore(record: RoomRecord) -> Result<Room, RecordError> {
        let RoomSetup { rule, size, .. } = record.setup;
        let mut room = Room {
            seats: record.seats,
            stage: record.stage,
            choices: record.choices.clone(),
            settled: record.settled,
            outcome: record.outcome,
            left: record.left,
            began: record.began,
            spent: record.spent,
            acted: record.acted,
            draw_offer: record.draw_offer,
            offered_at: record.offered_at,
            undo_wish: record.undo_wish,
            asked_at: record.asked_at,
            rematch_wish: record.rematch_wish,
            games: record.games,
            ..Room::new(record.setup)
        };
        let moves = Position::from_moves(rule, size, &record.moves).map_err(|_| RecordError)?;
        let points: Vec<Point> = moves.moves().map(|(_, point)| point).collect();
        for point in points {
            room.game.play(point).map_err(|_| RecordError)?;
        }
        Ok(room)
    }
}
