//! Opening the file of a database: all of it is read first, and a damaged one is left as it is.

use super::error::DatabaseError;
use super::table::{Summary, Table};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The tables.
const SCHEMA: &str = include_str!("schema.sql");

/// The `application_id` of a database of positions.
const APPLICATION: i32 = i32::from_be_bytes(*b"Qpos");

/// The version of the tables.
const VERSION: i32 = 1;

/// The size of a page.
const PAGE: u64 = 4096;

/// The bytes 16 to 23 of the file: the size of a page, and the version of the format. Others would
/// make a writable file one that can only be read.
const FORMAT: [u8; 8] = [0x10, 0x00, 1, 1, 0, 64, 32, 32];

/// The time for which another program may lock the file.
const BUSY: Duration = Duration::from_secs(2);

/// Memory for pages, in KiB: an import writes each of them once.
const CACHE: i32 = 64 << 10;

/// Opens the file at `path`, which may be empty.
pub(super) fn create(path: &Path) -> Result<Connection, DatabaseError> {
    quincunx_files::expect_plain(path)?;
    if fs::metadata(path)?.len() > 0 {
        return open(path);
    }
    let mut connection = connect(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(connection)
}

/// Opens a file that is there only to be read.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, DatabaseError> {
    let connection = open(path)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn open(path: &Path) -> Result<Connection, DatabaseError> {
    quincunx_files::expect_plain(path)?;
    expect_format(path)?;
    let connected = connect(path);
    let verified = connected.and_then(|connection| verify(&connection).map(|()| connection));
    match verified {
        Ok(connection) => Ok(connection),
        Err(error) if error.is_of_the_system() => Err(error),
        Err(DatabaseError::Foreign) => Err(DatabaseError::Foreign),
        Err(_) => Err(DatabaseError::Damaged),
    }
}

fn connect(path: &Path) -> Result<Connection, DatabaseError> {
    // SQLite takes some names for URIs.
    let path = std::path::absolute(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // Between transactions the file is whole by itself, to be copied.
    connection.execute_batch(&format!(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA cell_size_check = ON;
         PRAGMA cache_size = -{CACHE};"
    ))?;
    Ok(connection)
}

/// Refuses a file that SQLite would not, or not as what it is.
fn expect_format(path: &Path) -> Result<(), DatabaseError> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = Vec::new();
    file.take(24).read_to_end(&mut start)?;
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    // With a journal the file is as a killed process left it, and becomes whole by it. One that
    // begins with a zero is of no use any more.
    let mut first = [0];
    let journal = File::open(journal).and_then(|mut file| file.read_exact(&mut first));
    let has_journal = journal.is_ok() && first != [0];
    if start.starts_with(b"redb") {
        Err(DatabaseError::Earlier)
    } else if !start.starts_with(b"SQLite format 3\0") {
        Err(DatabaseError::Foreign)
    } else if has_journal {
        Ok(())
    } else if !length.is_multiple_of(PAGE) || !start.ends_with(&FORMAT) {
        Err(DatabaseError::Damaged)
    } else {
        Ok(())
    }
}

/// Reads everything.
fn verify(connection: &Connection) -> Result<(), DatabaseError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number("application_id")? != APPLICATION || number("user_version")? != VERSION {
        return Err(DatabaseError::Foreign);
    }
    let tables = "SELECT group_concat(sql, ';') FROM sqlite_schema";
    let tables: String = connection.query_row(tables, [], |row| row.get(0))?;
    let check = connection.pragma_query_value(None, "quick_check", |row| row.get(0));
    let check: String = check?;
    let is_sound = check == "ok" && tables.split(';').all(|table| SCHEMA.contains(table));
    let table = Table::of(connection)?;
    let mut summary = Summary::default();
    let mut last = Vec::new();
    let mut is_sorted = true;
    table.for_each(&[], |key, entry| {
        summary.add(key, &entry?);
        is_sorted &= *last < *key;
        last.clear();
        last.extend(key);
        Ok(())
    })?;
    match is_sound && is_sorted && summary == table.summary() {
        true => Ok(()),
        false => Err(DatabaseError::Damaged),
    }
}
