//! What is known of positions, kept in a file: a label, a value, a comment, and
//! the mark a GUI shows on the last move's point.
//!
//! Floor 6. Turned and mirrored positions are one, and so are those that the
//! same stones make in another order. The file is a
//! [redb](https://docs.rs/redb) database: each change is on the disk when the
//! call returns, and a process that is killed leaves the changes before.

mod book;
mod diagram;
mod entry;
mod file;
mod library;
pub mod renlib;
mod sweep;
mod text;
mod upkeep;

pub use book::Advice;
pub use entry::{Bound, Entry};
pub use file::{Format, Transferred};
pub use sweep::Fate;
pub use text::TextError;
pub use upkeep::Checked;

use crate::position::Position;
use crate::rules::{BoardSize, Point};
use diagram::Diagram;
use redb::{ReadableTable, TableDefinition};
use std::path::Path;

/// Positions by their keys, entries as JSON: new fields do no harm.
const POSITIONS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("positions");

/// Why a database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is no database, can't be written, or is in use.
    #[error("{0}")]
    Store(Box<redb::Error>),
    /// A folder or a device, which could keep its reader waiting forever.
    #[error("there is no plain file with this name")]
    NoFile,
    /// An entry was written by something else.
    #[error("an entry makes no sense: {0}")]
    Entry(#[from] serde_json::Error),
    /// A key was written by something else.
    #[error("a key makes no sense")]
    Key,
    /// A library to be read is none.
    #[error("no library: {0}")]
    Library(#[from] renlib::LibraryError),
    /// A text to be read is none.
    #[error("{0}")]
    Text(#[from] TextError),
    /// A file of another format can't be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A library has no such board.
    #[error("a library has boards up to 15x15, not {0}")]
    TooLarge(BoardSize),
}

/// redb has an error for each kind of call; all convert into one.
fn store(error: impl Into<redb::Error>) -> DatabaseError {
    DatabaseError::Store(Box::new(error.into()))
}

/// A database of positions.
pub struct Database {
    store: redb::Database,
}

impl Database {
    /// Opens the file, or makes a new one where there is none.
    ///
    /// # Errors
    /// When the file is something else, in use, or can't be written.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        let store = redb::Database::create(path).map_err(self::store)?;
        let transaction = store.begin_write().map_err(self::store)?;
        // Reading begins with a table that is there.
        transaction.open_table(POSITIONS).map_err(self::store)?;
        transaction.commit().map_err(self::store)?;
        Ok(Database { store })
    }

    /// What is known of `position`.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn get(&self, position: &Position) -> Result<Option<Entry>, DatabaseError> {
        let key = Diagram::of(position).key();
        self.read(|table| entry(table, &key))
    }

    /// What is known after each move, where anything is.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn children(&self, position: &Position) -> Result<Vec<(Point, Entry)>, DatabaseError> {
        self.read(|table| children(table, &Diagram::of(position)))
    }

    /// Changes what is known of `position`; an entry that says nothing any more
    /// is removed.
    ///
    /// # Errors
    /// When the file can't be read or written; then nothing has changed.
    pub fn change(
        &self,
        position: &Position,
        change: impl FnOnce(&mut Entry),
    ) -> Result<Entry, DatabaseError> {
        let key = Diagram::of(position).key();
        self.write(|table| {
            let mut entry = entry(table, &key)?.unwrap_or_default();
            change(&mut entry);
            if entry == Entry::default() {
                table.remove(&*key).map_err(store)?;
            } else {
                let bytes = serde_json::to_vec(&entry)?;
                table.insert(&*key, &*bytes).map_err(store)?;
            }
            Ok(entry)
        })
    }

    /// How many positions are known.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        use redb::ReadableTableMetadata as _;
        let transaction = self.store.begin_read().map_err(store)?;
        let table = transaction.open_table(POSITIONS).map_err(store)?;
        table.len().map_err(store)
    }

    /// Whether none is.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// Adds what each entry says to what is known under its key, all at once.
    /// Positions of which nothing is said are known from then on.
    fn learn(
        &self,
        news: impl IntoIterator<Item = Result<(Vec<u8>, Entry), DatabaseError>>,
    ) -> Result<Transferred, DatabaseError> {
        self.write(|table| {
            let mut positions = 0;
            for news in news {
                let (key, news) = news?;
                let mut known = entry(table, &key)?.unwrap_or_default();
                known.learn(news);
                let bytes = serde_json::to_vec(&known)?;
                table.insert(&*key, &*bytes).map_err(store)?;
                positions += 1;
            }
            Ok(Transferred {
                positions,
                left_out: 0,
            })
        })
    }

    /// Visits the positions whose keys begin like this.
    fn for_each(
        &self,
        prefix: &[u8],
        mut visit: impl FnMut(Diagram, Entry) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        self.read(|table| {
            for pair in table.range(prefix..).map_err(store)? {
                let (key, bytes) = pair.map_err(store)?;
                if !key.value().starts_with(prefix) {
                    break;
                }
                let (diagram, entry) = upkeep::sense(key.value(), bytes.value())?;
                visit(diagram, entry)?;
            }
            Ok(())
        })
    }

    fn read<T>(
        &self,
        work: impl FnOnce(&redb::ReadOnlyTable<&[u8], &[u8]>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let transaction = self.store.begin_read().map_err(store)?;
        let table = transaction.open_table(POSITIONS).map_err(store)?;
        work(&table)
    }

    /// Work that is done in full or, if it fails, not at all.
    fn write<T>(
        &self,
        work: impl FnOnce(&mut redb::Table<'_, &[u8], &[u8]>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let transaction = self.store.begin_write().map_err(store)?;
        let mut table = transaction.open_table(POSITIONS).map_err(store)?;
        let done = work(&mut table)?;
        drop(table);
        transaction.commit().map_err(store)?;
        Ok(done)
    }
}

fn entry(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<Option<Entry>, DatabaseError> {
    match table.get(key).map_err(store)? {
        Some(bytes) => Ok(Some(serde_json::from_slice(bytes.value())?)),
        None => Ok(None),
    }
}

fn children(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    diagram: &Diagram,
) -> Result<Vec<(Point, Entry)>, DatabaseError> {
    let mut children = Vec::new();
    for (point, key) in diagram.keys_after() {
        children.extend(entry(table, &key)?.map(|entry| (point, entry)));
    }
    Ok(children)
}
