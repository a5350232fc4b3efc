//! Queries of correspondence rooms.

use super::read::StoreReader;
use super::rows::for_each_row;
use crate::rooms::club::{RoomQuery, SleepingRooms, StoredRoom};
use crate::rooms::number::RoomId;
use rusqlite::types::Value;
use std::time::Duration;

/// A room that can't be read counts as one that is not there.
impl SleepingRooms for StoreReader {
    fn room(&self, id: RoomId) -> Option<StoredRoom> {
        let found = select(self, "room = ?1 AND due IS NOT NULL", id.to_string(), 1);
        found.into_iter().next().map(|(_, room)| room)
    }

    fn find(&self, query: RoomQuery, most: usize) -> Vec<(RoomId, StoredRoom)> {
        let (condition, parameter) = match query {
            RoomQuery::Of(person) => (
                // With OR between the seats the index of the order is used, and every room read.
                "room IN (SELECT room FROM rooms WHERE first = ?1 AND due IS NOT NULL
                     AND (stage <> 'over' OR state ->> '$.room.rematch_wish' IS NOT NULL)
                 UNION SELECT room FROM rooms WHERE second = ?1 AND due IS NOT NULL
                     AND (stage <> 'over' OR state ->> '$.room.rematch_wish' IS NOT NULL))
                 ORDER BY due, room",
                person.to_string().into(),
            ),
            RoomQuery::MoveOf(person) => {
                ("actor = ?1 ORDER BY due, room", person.to_string().into())
            }
            RoomQuery::ChallengesTo(person) => (
                "due IS NOT NULL AND invited = ?1 AND stage = 'waiting' ORDER BY due, room",
                person.to_string().into(),
            ),
            RoomQuery::Open => (
                "due IS NOT NULL AND stage = 'waiting' AND invited IS NULL AND ?1 IS NULL
                 AND NOT state ->> '$.private' ORDER BY touched DESC, room",
                Value::Null,
            ),
            RoomQuery::MoveOfEngine => ("due = ?1 ORDER BY due, room", 0.into()),
            RoomQuery::Due(at) => ("due > 0 AND due <= ?1 ORDER BY due, room", seconds(at)),
        };
        select(self, condition, parameter, most)
    }
}

fn seconds(time: Duration) -> Value {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX).into()
}

fn select(
    reader: &StoreReader,
    condition: &str,
    parameter: impl Into<Value>,
    most: usize,
) -> Vec<(RoomId, StoredRoom)> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let query = format!("SELECT room, state FROM rooms WHERE {condition} LIMIT ?2");
    let mut found = Vec::new();
    let read = for_each_row(&reader.0, &query, (parameter.into(), most), |mut cells| {
        let id = cells.name()?;
        match cells.json() {
            Ok(room) => found.push((id, room)),
            Err(error) => log::error!("room={id} event=unreadable error={error}"),
        }
        Ok(())
    });
    if let Err(error) = read {
        log::error!("event=read_failed error={error}");
    }
    found
}
