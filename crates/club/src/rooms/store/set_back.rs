//! A machine's clock that was set back while the club was not running.

use super::ClubStore;
use super::error::StoreError;
use super::rows::{SELECT_PEOPLE, for_each_row};
use crate::rooms::club::{StoreWrite, StoredRoom};
use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::tournament::ClubTournament;
use std::time::Duration;

impl ClubStore {
    /// Moves all times back by the same amount, so that none is after `now`: the machine's clock
    /// was set back while the club was not running. Intervals stay the same. Returns the amount.
    ///
    /// # Errors
    /// When the file can't be read or written.
    pub fn set_back_to(&mut self, now: Duration) -> Result<Duration, StoreError> {
        let heartbeat = self.last_heartbeat()?;
        let latest = [
            heartbeat,
            self.last_change()?,
            self.seconds("SELECT max(touched) FROM rooms WHERE due IS NULL")?,
            self.seconds("SELECT max(state ->> '$.room.began.secs') FROM rooms WHERE due IS NULL")?,
            self.seconds("SELECT max(state ->> '$.touched.secs') FROM tournaments")?,
        ];
        let latest = latest.into_iter().flatten().max().unwrap_or_default();
        // Stored times are seconds.
        let ahead = latest.saturating_sub(now).as_millis().div_ceil(1000) as u64;
        let ahead = Duration::from_secs(ahead);
        if ahead.is_zero() {
            return Ok(ahead);
        }
        log::warn!("event=clock_set_back seconds={}", ahead.as_secs());
        if let (Some(file), Some(heartbeat)) = (&mut self.heartbeat, heartbeat) {
            // First: from a later heartbeat all would be moved back again after a crash.
            file.write(heartbeat.saturating_sub(ahead))?;
            file.sync()?;
        }
        self.commit(&self.earlier(ahead)?)?;
        Ok(ahead)
    }

    /// The writes that move all times back by the same amount.
    fn earlier(&self, by: Duration) -> Result<Vec<StoreWrite>, StoreError> {
        let mut writes = Vec::new();
        let rooms = "SELECT room, state FROM rooms";
        for_each_row(&self.connection, rooms, [], |mut cells| {
            let (id, mut room): (RoomId, StoredRoom) = (cells.name()?, cells.json()?);
            room.set_back(by);
            writes.push(StoreWrite::Room(id, Box::new(room)));
            Ok(())
        })?;
        let tournaments = "SELECT tournament, state FROM tournaments";
        for_each_row(&self.connection, tournaments, [], |mut cells| {
            let (id, mut it): (TournamentId, ClubTournament) = (cells.name()?, cells.json()?);
            it.set_back(by);
            writes.push(StoreWrite::Tournament(id, Box::new(it)));
            Ok(())
        })?;
        for_each_row(&self.connection, SELECT_PEOPLE, [], |cells| {
            let (id, mut person) = cells.account()?;
            let before = person.vacation;
            person.vacation.set_back(by);
            if person.vacation != before {
                writes.push(StoreWrite::Person(id, person));
            }
            Ok(())
        })?;
        let grace = self.seconds("SELECT max(until) FROM grace")?;
        writes.extend(grace.map(|until| StoreWrite::Grace(until.saturating_sub(by))));
        Ok(writes)
    }
}
