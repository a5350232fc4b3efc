//! A club in a file: what was kept survives the end of the program, however it comes.

use super::archive::{Archive, FinishedGame};
use super::club::{Change, Kept, KeptRoom};
use super::number::{RoomId, TournamentId};
use super::people::Person;
use super::person::PersonId;
use super::tournament::ClubTournament;
use redb::backends::InMemoryBackend;
use redb::{Database, ReadableTable, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rooms by their numbers, as JSON.
const ROOMS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("rooms");

/// People by the hashes of their keys, as JSON.
const PEOPLE: TableDefinition<'_, [u8; 32], &[u8]> = TableDefinition::new("people");

/// Games that are over by their numbers, as JSON.
const GAMES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("games");

/// Tournaments by their numbers, as JSON.
const TOURNAMENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("tournaments");

/// Why a club can't be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is no database, can't be written, or is in use.
    #[error("{0}")]
    Database(Box<redb::Error>),
    /// A value is not as this program writes it.
    #[error("a value makes no sense: {0}")]
    Value(#[from] serde_json::Error),
    /// A file can't be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
}

/// Converts any of redb's errors, which has one for each kind of call.
fn store(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

/// A club in a file.
pub struct ClubStore {
    database: Database,
    pulse: Option<Pulse>,
}

impl ClubStore {
    /// Opens the file, or creates it; without a path the club is kept in memory. The
    /// time when clocks ran last is in a file beside it, `PATH.pulse`.
    ///
    /// # Errors
    /// When a file is something else, in use, or can't be written.
    pub fn open(path: Option<&Path>) -> Result<ClubStore, StoreError> {
        let (database, pulse) = match path {
            Some(path) => {
                let pulse = Pulse::open(path)?;
                (Database::create(path).map_err(store)?, Some(pulse))
            }
            None => {
                let memory = InMemoryBackend::new();
                let builder = Database::builder();
                (builder.create_with_backend(memory).map_err(store)?, None)
            }
        };
        let transaction = database.begin_write().map_err(store)?;
        // Reading begins with tables that are there.
        transaction.open_table(ROOMS).map_err(store)?;
        transaction.open_table(PEOPLE).map_err(store)?;
        transaction.open_table(GAMES).map_err(store)?;
        transaction.open_table(TOURNAMENTS).map_err(store)?;
        transaction.commit().map_err(store)?;
        Ok(ClubStore { database, pulse })
    }

    /// All that was kept.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn load(&mut self) -> Result<Kept, StoreError> {
        let mut kept = Kept {
            pulse: match &mut self.pulse {
                Some(pulse) => pulse.read()?,
                None => None,
            },
            ..Kept::default()
        };
        let transaction = self.database.begin_read().map_err(store)?;
        let rooms = transaction.open_table(ROOMS).map_err(store)?;
        for row in rooms.iter().map_err(store)? {
            let (id, room) = row.map_err(store)?;
            let room: KeptRoom = read(room.value())?;
            kept.rooms.push((RoomId(id.value()), room));
        }
        let people = transaction.open_table(PEOPLE).map_err(store)?;
        for row in people.iter().map_err(store)? {
            let (id, person) = row.map_err(store)?;
            let person: Person = read(person.value())?;
            kept.people.push((PersonId(id.value()), person));
        }
        let games = transaction.open_table(GAMES).map_err(store)?;
        let mut archive = Archive::default();
        for row in games.iter().map_err(store)? {
            let (_, game) = row.map_err(store)?;
            archive.add(read(game.value())?);
        }
        kept.archive = archive;
        let tournaments = transaction.open_table(TOURNAMENTS).map_err(store)?;
        for row in tournaments.iter().map_err(store)? {
            let (id, tournament) = row.map_err(store)?;
            let tournament: ClubTournament = read(tournament.value())?;
            kept.tournaments
                .push((TournamentId(id.value()), tournament));
        }
        Ok(kept)
    }

    /// Keeps changes, all of them or none. They are on the disk when this returns.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn commit(&self, changes: &[Change]) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(store)?;
        {
            let mut rooms = transaction.open_table(ROOMS).map_err(store)?;
            let mut people = transaction.open_table(PEOPLE).map_err(store)?;
            let mut games = transaction.open_table(GAMES).map_err(store)?;
            let mut tournaments = transaction.open_table(TOURNAMENTS).map_err(store)?;
            for change in changes {
                match change {
                    Change::Room(id, room) => {
                        rooms.insert(id.0, &*write(room)?).map_err(store)?;
                    }
                    Change::RoomGone(id) => {
                        rooms.remove(id.0).map_err(store)?;
                    }
                    Change::Person(id, person) => {
                        people.insert(id.0, &*write(person)?).map_err(store)?;
                    }
                    Change::Game(game) => {
                        games.insert(game.number, &*write(game)?).map_err(store)?;
                    }
                    Change::Tournament(id, it) => {
                        tournaments.insert(id.0, &*write(it)?).map_err(store)?;
                    }
                    Change::TournamentGone(id) => {
                        tournaments.remove(id.0).map_err(store)?;
                    }
                }
            }
        }
        transaction.commit().map_err(store)
    }

    /// Notes that clocks run at this time. What happens to the program is no reason to
    /// lose the note, what happens to the machine is.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn beat(&mut self, now: Duration) -> Result<(), StoreError> {
        match &mut self.pulse {
            Some(pulse) => Ok(pulse.write(now)?),
            None => Ok(()),
        }
    }

    /// Every game that is over, in the order of their ends.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn for_each_game(&self, mut visit: impl FnMut(FinishedGame)) -> Result<(), StoreError> {
        let transaction = self.database.begin_read().map_err(store)?;
        let games = transaction.open_table(GAMES).map_err(store)?;
        for row in games.iter().map_err(store)? {
            let (_, game) = row.map_err(store)?;
            visit(read(game.value())?);
        }
        Ok(())
    }

    /// The games with these numbers, as far as they are there.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn games(&self, numbers: &[u64]) -> Result<Vec<FinishedGame>, StoreError> {
        let transaction = self.database.begin_read().map_err(store)?;
        let games = transaction.open_table(GAMES).map_err(store)?;
        let mut found = Vec::new();
        for number in numbers {
            if let Some(game) = games.get(number).map_err(store)? {
                found.push(read(game.value())?);
            }
        }
        Ok(found)
    }

    /// Copies everything to another file, which must not be there, while the club goes
    /// on.
    ///
    /// # Errors
    /// When a file can't be read or written.
    pub fn back_up(&self, path: &Path) -> Result<(), StoreError> {
        File::create_new(path)?;
        let copy = Database::create(path).map_err(store)?;
        let from = self.database.begin_read().map_err(store)?;
        let to = copy.begin_write().map_err(store)?;
        {
            copy_table(&from, &to, ROOMS)?;
            copy_table(&from, &to, PEOPLE)?;
            copy_table(&from, &to, GAMES)?;
            copy_table(&from, &to, TOURNAMENTS)?;
        }
        to.commit().map_err(store)
    }
}

fn copy_table<K: redb::Key + 'static>(
    from: &redb::ReadTransaction,
    to: &redb::WriteTransaction,
    table: TableDefinition<'_, K, &'static [u8]>,
) -> Result<(), StoreError> {
    let rows = from.open_table(table).map_err(store)?;
    let mut copies = to.open_table(table).map_err(store)?;
    for row in rows.iter().map_err(store)? {
        let (key, value) = row.map_err(store)?;
        copies.insert(key.value(), value.value()).map_err(store)?;
    }
    Ok(())
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    Ok(serde_json::from_slice(bytes)?)
}

fn write(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(value)?)
}

/// A file with the time when clocks ran last. It is written in place, 200 times a
/// second: what the program wrote is there after a crash of the program.
struct Pulse {
    file: File,
}

impl Pulse {
    fn open(database: &Path) -> io::Result<Pulse> {
        let mut path = PathBuf::from(database).into_os_string();
        path.push(".pulse");
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        Ok(Pulse {
            file: options.open(path)?,
        })
    }

    fn read(&mut self) -> io::Result<Option<Duration>> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_string(&mut text)?;
        Ok(text.trim().parse().ok().map(Duration::from_millis))
    }

    fn write(&mut self, now: Duration) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        // Always as long, so that nothing of an older time is left.
        self.file
            .write_all(format!("{:020}\n", now.as_millis()).as_bytes())
    }
}
