//! A club in an SQLite file: what was stored survives the end of the program, however it comes.
//!
//! One connection writes, another reads while the club goes on, and so can other programs.
//! `schema.sql`, `correspondence.sql`, `dialogue.sql` and `person.sql` describe the tables.

mod error;
mod feed;
mod heartbeat;
mod read;
mod rows;
mod set_back;
mod sleeping;
mod write;

use super::address::AddressRange;
use super::club::{StoreWrite, StoredClub};
use super::person::PersonId;
pub use error::StoreError;
use heartbeat::{Heartbeat, keep_private};
pub use read::StoreReader;
use read::folder_of;
use rows::{SELECT_GAMES, SELECT_PEOPLE, for_each_row};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::NamedTempFile;

/// The steps that lead to the tables of this version. The `user_version` of a file is the number
/// of its steps.
const MIGRATIONS: [&str; 4] = [
    include_str!("schema.sql"),
    include_str!("correspondence.sql"),
    include_str!("dialogue.sql"),
    include_str!("person.sql"),
];

/// The `application_id` of a club, which tells it from databases of other programs.
const APPLICATION: i32 = i32::from_be_bytes(*b"Qclu");

/// The size of a page.
const PAGE: u64 = 4096;

/// The time for which another program may lock the file before a write fails.
const BUSY: Duration = Duration::from_secs(2);

/// The number of prepared statements that are cached: all of them.
const STATEMENTS: usize = 32;

/// A club in a file.
pub struct ClubStore {
    connection: Connection,
    path: PathBuf,
    heartbeat: Option<Heartbeat>,
}

impl ClubStore {
    /// Opens the file, or creates it; without a path the club is kept in memory. The
    /// time when clocks ran last is in a file beside it, `PATH.pulse`.
    ///
    /// # Errors
    /// When a file is something else, in use, or can't be written.
    pub fn open(path: Option<&Path>) -> Result<ClubStore, StoreError> {
        let Some(path) = path else {
            return ClubStore::in_memory();
        };
        // SQLite takes some names for URIs.
        let path = std::path::absolute(path)?;
        let has_pulse = Heartbeat::path(&path).exists();
        let mut heartbeat = Heartbeat::open(&path)?;
        match ClubStore::open_file(&path, &mut heartbeat) {
            Ok(connection) => Ok(ClubStore {
                connection,
                path,
                heartbeat: Some(heartbeat),
            }),
            Err(error) => {
                drop(heartbeat);
                if !has_pulse {
                    // It may not have come to be.
                    _ = fs::remove_file(Heartbeat::path(&path));
                }
                Err(error)
            }
        }
    }

    fn open_file(path: &Path, heartbeat: &mut Heartbeat) -> Result<Connection, StoreError> {
        if !path.exists() {
            create(path)?;
        }
        expect_club(path)?;
        keep_private(path)?;
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if id != APPLICATION {
            return Err(StoreError::Foreign);
        }
        let check = connection.pragma_query_value(None, "quick_check", |row| row.get(0));
        let check: String = check?;
        if check != "ok" {
            return Err(StoreError::Damaged(check.replace('\n', " ")));
        }
        migrate(&mut connection)?;
        let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get(0));
        let mode: String = mode?;
        if mode != "wal" {
            // A backup. The heartbeat beside it is that of the file whose place it has taken.
            heartbeat.clear()?;
        }
        // Others read while the club writes.
        connection.pragma_update(None, "journal_mode", "wal")?;
        Ok(connection)
    }

    fn in_memory() -> Result<ClubStore, StoreError> {
        static CLUBS: AtomicU64 = AtomicU64::new(0);
        let number = CLUBS.fetch_add(1, Ordering::Relaxed);
        // A name of its own, by which the reader finds it.
        let path = PathBuf::from(format!("file:/club-{number}?vfs=memdb"));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(&path, flags)?;
        migrate(&mut connection)?;
        Ok(ClubStore {
            connection,
            path,
            heartbeat: None,
        })
    }

    /// Opens a connection that reads while this one writes.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn reader(&self) -> Result<StoreReader, StoreError> {
        let connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(StoreReader::new(connection))
    }

    /// Everything that is stored.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn load(&mut self) -> Result<StoredClub, StoreError> {
        let mut stored = StoredClub {
            heartbeat: self.last_heartbeat()?,
            last_change: self.last_change()?,
            sleeping: Some(Box::new(self.reader()?)),
            grace: self
                .seconds("SELECT max(until) FROM grace")?
                .unwrap_or_default(),
            ..StoredClub::default()
        };
        let connection = &self.connection;
        // Correspondence rooms sleep.
        let query = "SELECT room, state FROM rooms WHERE due IS NULL ORDER BY room";
        for_each_row(connection, query, [], |mut cells| {
            stored.rooms.push((cells.name()?, cells.json()?));
            Ok(())
        })?;
        for_each_row(connection, SELECT_PEOPLE, [], |cells| {
            stored.people.push(cells.account()?);
            Ok(())
        })?;
        let banned = stored.people.iter().filter(|(_, person)| person.banned);
        let banned: HashSet<PersonId> = banned.map(|(id, _)| *id).collect();
        let query = format!("{SELECT_GAMES} ORDER BY number");
        for_each_row(connection, &query, [], |cells| {
            let game = cells.game()?;
            stored.ratings.add(&game, |id| banned.contains(&id));
            stored.archive.add(game);
            Ok(())
        })?;
        for_each_row(connection, "SELECT range FROM bans", [], |mut cells| {
            stored.bans.insert(cells.name::<AddressRange>()?);
            Ok(())
        })?;
        let query = "SELECT tournament, state FROM tournaments ORDER BY tournament";
        for_each_row(connection, query, [], |mut cells| {
            stored.tournaments.push((cells.name()?, cells.json()?));
            Ok(())
        })?;
        Ok(stored)
    }

    /// The time of the last heartbeat.
    fn last_heartbeat(&mut self) -> Result<Option<Duration>, StoreError> {
        match &mut self.heartbeat {
            Some(heartbeat) => Ok(heartbeat.read()?),
            None => Ok(None),
        }
    }

    /// The last change of a correspondence room, if there is no heartbeat.
    fn last_change(&mut self) -> Result<Option<Duration>, StoreError> {
        match self.last_heartbeat()? {
            Some(_) => Ok(None),
            None => self.seconds("SELECT max(touched) FROM rooms WHERE due IS NOT NULL"),
        }
    }

    /// The time that a query of one cell finds, in seconds.
    fn seconds(&self, query: &str) -> Result<Option<Duration>, StoreError> {
        let seconds: Option<u64> = self.connection.query_row(query, [], |row| row.get(0))?;
        Ok(seconds.map(Duration::from_secs))
    }

    /// Stores changes, all of them or none. They are on the disk when this returns.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn commit(&self, changes: &[StoreWrite]) -> Result<(), StoreError> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = Transaction::new_unchecked(&self.connection, behavior)?;
        for change in changes {
            write::write(&transaction, change)?;
        }
        Ok(transaction.commit()?)
    }

    /// Moves the log of changes into the file, which is whole by itself then.
    ///
    /// # Errors
    /// When the file can't be written. Nothing is lost.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(checkpoint, [], |_| Ok(()))?)
    }

    /// Notes that clocks run at this time. The note survives a crash of the program, not of the
    /// machine.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn heartbeat(&mut self, now: Duration) -> Result<(), StoreError> {
        match &mut self.heartbeat {
            Some(heartbeat) => Ok(heartbeat.write(now)?),
            None => Ok(()),
        }
    }
}

/// Creates the file of a club, which appears once it is whole. Only its owner may read it.
fn create(path: &Path) -> Result<(), StoreError> {
    let draft = NamedTempFile::new_in(folder_of(path))?.into_temp_path();
    migrate(&mut connect(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE)?)?;
    draft.persist_noclobber(path).map_err(io::Error::from)?;
    Ok(())
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A commit is on the disk, on macOS too. Pages are checked when they are read.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
         PRAGMA cell_size_check = ON;",
    )?;
    Ok(connection)
}

/// Brings the tables up to this version, in one transaction.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: usize = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let steps = MIGRATIONS.get(version..).ok_or(StoreError::Later)?;
    if steps.is_empty() {
        return Ok(());
    }
    for step in steps {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", MIGRATIONS.len())?;
    Ok(transaction.commit()?)
}

/// Refuses files that SQLite would take for a new database or for a whole one.
fn expect_club(path: &Path) -> Result<(), StoreError> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = Vec::new();
    file.take(20).read_to_end(&mut start)?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    // With a log a page may be incomplete, and is written again from there.
    let has_log = fs::metadata(&log).is_ok_and(|it| it.len() > 0);
    if length == 0 {
        Err(StoreError::Empty)
    } else if start.starts_with(b"redb") {
        Err(StoreError::Earlier)
    } else if start.get(18) == Some(&1) && has_log {
        // SQLite would apply the changes of the other file to the backup.
        Err(StoreError::OtherLog(log.into()))
    } else if !length.is_multiple_of(PAGE) && !has_log {
        Err(StoreError::Damaged("it was cut off".to_owned()))
    } else {
        Ok(())
    }
}
