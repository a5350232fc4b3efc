//! What is known of positions, kept in a file: a label, a value, a comment, and
//! the mark a GUI shows on the last move's point.
//!
//! Floor 6. Turned and mirrored positions are one, and so are those that the
//! same stones make in another order. The file is a
//! [redb](https://docs.rs/redb) database: each change is on the disk when the
//! call returns, and a process that is killed leaves the changes before.

mod entry;
mod key;

pub use entry::{Bound, Entry};

use crate::position::Position;
use crate::rules::Point;
use key::key;
use redb::TableDefinition;
use std::path::Path;

/// Positions by their keys, entries as JSON: new fields do no harm.
const POSITIONS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("positions");

/// Why a database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file is no database, can't be written, or is in use.
    #[error("{0}")]
    Store(Box<redb::Error>),
    /// An entry was written by something else.
    #[error("an entry makes no sense: {0}")]
    Entry(#[from] serde_json::Error),
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
        Ok(self
            .get_all(std::iter::once(position.clone()))?
            .pop()
            .flatten())
    }

    /// What is known after each move, where anything is.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn children(&self, position: &Position) -> Result<Vec<(Point, Entry)>, DatabaseError> {
        let points: Vec<Point> = position
            .size()
            .iter()
            .filter(|&point| position.is_empty(point))
            .collect();
        let after = points.iter().map(|&point| {
            let mut after = position.clone();
            after.play(point);
            after
        });
        let entries = self.get_all(after)?;
        let known = points.into_iter().zip(entries);
        Ok(known
            .filter_map(|(point, entry)| Some((point, entry?)))
            .collect())
    }

    fn get_all(
        &self,
        positions: impl Iterator<Item = Position>,
    ) -> Result<Vec<Option<Entry>>, DatabaseError> {
        let transaction = self.store.begin_read().map_err(store)?;
        let table = transaction.open_table(POSITIONS).map_err(store)?;
        positions
            .map(
                |position| match table.get(&*key(&position)).map_err(store)? {
                    Some(bytes) => Ok(Some(serde_json::from_slice(bytes.value())?)),
                    None => Ok(None),
                },
            )
            .collect()
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
        let mut entry = self.get(position)?.unwrap_or_default();
        change(&mut entry);
        let bytes = serde_json::to_vec(&entry)?;
        self.write(|table| {
            let key = key(position);
            if entry == Entry::default() {
                table.remove(&*key)?;
            } else {
                table.insert(&*key, &*bytes)?;
            }
            Ok(())
        })?;
        Ok(entry)
    }

    /// Removes every position that is reached from `position` through known
    /// ones and whose entry `doomed` holds for, and `position` itself if it
    /// does. Returns how many.
    ///
    /// # Errors
    /// When the file can't be read or written.
    pub fn remove_all(
        &self,
        position: &Position,
        doomed: impl Fn(&Entry) -> bool,
    ) -> Result<usize, DatabaseError> {
        let mut keys = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![position.clone()];
        while let Some(position) = open.pop() {
            let key = key(&position);
            if !seen.insert(key.clone()) {
                continue;
            }
            if self.get(&position)?.is_some_and(|entry| doomed(&entry)) {
                keys.push(key);
            }
            for (point, _) in self.children(&position)? {
                let mut after = position.clone();
                after.play(point);
                open.push(after);
            }
        }
        self.write(|table| {
            for key in &keys {
                table.remove(&**key)?;
            }
            Ok(())
        })?;
        Ok(keys.len())
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

    fn write(
        &self,
        work: impl FnOnce(&mut redb::Table<'_, &[u8], &[u8]>) -> Result<(), redb::StorageError>,
    ) -> Result<(), DatabaseError> {
        let transaction = self.store.begin_write().map_err(store)?;
        let mut table = transaction.open_table(POSITIONS).map_err(store)?;
        work(&mut table).map_err(store)?;
        drop(table);
        transaction.commit().map_err(store)
    }
}
