//! The entries of a person's feed, from what is stored.

use super::error::StoreError;
use super::read::StoreReader;
use super::rows::{SELECT_GAMES, for_each_row};
use crate::rooms::archive::FinishedGame;
use crate::rooms::club::{RoomQuery, SleepingRooms, StoredRoom};
use crate::rooms::feed::{FeedEntry, atom};
use crate::rooms::number::RoomId;
use crate::rooms::person::{Occupant, PersonId};
use quincunx_engine::game::swap::Seat;
use rusqlite::OptionalExtension;

/// The most entries of waiting games, and of challenges.
const WAITING: usize = 100;

/// The number of a person's last games that are looked at, and of entries of those by
/// correspondence.
const LAST_GAMES: usize = 50;
const FINISHED: usize = 20;

impl StoreReader {
    /// The Atom feed with this secret, where others know the page by `address`: the correspondence
    /// games that wait for the person's move, the challenges to them and the games that are over.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn feed(&self, secret: &str, address: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT person, name FROM people WHERE feed = ?1";
        let mut found = None;
        for_each_row(&self.0, query, [secret], |mut cells| {
            found = Some((cells.name::<PersonId>()?, cells.value::<String>()?));
            Ok(())
        })?;
        let Some((person, name)) = found else {
            return Ok(None);
        };
        let mut entries = Vec::new();
        for (query, is_challenge) in [
            (RoomQuery::MoveOf(person), false),
            (RoomQuery::ChallengesTo(person), true),
        ] {
            for (id, room) in self.find(query, WAITING) {
                entries.push(self.waiting(person, id, &room, is_challenge)?);
            }
        }
        // Each part of the union is read from the end of an index.
        let query = format!(
            "{SELECT_GAMES} WHERE number IN (
                 SELECT number FROM (SELECT number FROM games WHERE first = ?1
                     ORDER BY number DESC LIMIT ?2)
                 UNION SELECT number FROM (SELECT number FROM games WHERE second = ?1
                     ORDER BY number DESC LIMIT ?2))
             ORDER BY number DESC"
        );
        let mut games = Vec::new();
        for_each_row(&self.0, &query, (person.to_string(), LAST_GAMES), |cells| {
            games.push(cells.game()?);
            Ok(())
        })?;
        let games = games
            .into_iter()
            .filter(|game| game.setup.is_correspondence());
        for game in games.take(FINISHED) {
            entries.push(self.finished(person, &game)?);
        }
        Ok(Some(atom(&name, secret, address, &entries)))
    }

    /// The entry of a game that waits for the person, or of a challenge.
    fn waiting(
        &self,
        person: PersonId,
        id: RoomId,
        room: &StoredRoom,
        is_challenge: bool,
    ) -> Result<FeedEntry, StoreError> {
        let seats = room.room.seats.iter().flatten();
        let mut others = seats.filter(|who| **who != Occupant::Person(person));
        let opponent = match others.next() {
            Some(Occupant::Person(other)) => self.name(*other)?,
            Some(Occupant::Engine(level)) => format!("Quincunx ({level})"),
            None => String::new(),
        };
        let due = room.correspondence.map_or(0, |state| state.due);
        let setup = room.room.setup;
        let ply = room.room.move_count();
        Ok(FeedEntry {
            id: match is_challenge {
                true => format!("challenge:{id}"),
                false => format!("turn:{id}:{}:{ply}", room.room.games),
            },
            title: match is_challenge {
                true => format!("{opponent} challenges you"),
                false => format!("Your move against {opponent}"),
            },
            link: format!("#{id}"),
            updated: self.time(room.touched.as_secs())?,
            summary: format!("{}, {}, until {}", setup.rule, setup.size, self.time(due)?),
        })
    }

    /// The entry of a game that is over.
    fn finished(&self, person: PersonId, game: &FinishedGame) -> Result<FeedEntry, StoreError> {
        let own = match game.players[0] == Occupant::Person(person) {
            true => Seat::First,
            false => Seat::Second,
        };
        let opponent = &game.names[own.other() as usize];
        let title = match game.outcome.winner {
            Some(seat) if seat == own => format!("You won against {opponent}"),
            Some(_) => format!("You lost against {opponent}"),
            None => format!("Your game with {opponent} is over"),
        };
        Ok(FeedEntry {
            id: format!("game:{}", game.number),
            title,
            // A private game has no page.
            link: match game.private {
                true => String::new(),
                false => format!("#game/{}", game.number),
            },
            updated: self.time(game.ended)?,
            summary: format!(
                "{}, {}, {}",
                game.setup.rule, game.setup.size, game.outcome.reason
            ),
        })
    }

    fn name(&self, person: PersonId) -> Result<String, StoreError> {
        let query = "SELECT name FROM people WHERE person = ?1";
        let mut statement = self.0.prepare_cached(query)?;
        let name = statement.query_row([person.to_string()], |row| row.get(0));
        Ok(name.optional()?.unwrap_or_default())
    }

    /// A time in seconds since 1970, as in `2026-12-01T09:30:00Z`.
    fn time(&self, seconds: u64) -> Result<String, StoreError> {
        let query = "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', ?1, 'unixepoch')";
        let mut statement = self.0.prepare_cached(query)?;
        let seconds = i64::try_from(seconds).unwrap_or(0);
        Ok(statement.query_row([seconds], |row| row.get(0))?)
    }
}
