//! The database itself: entries by the keys of their positions.

use super::diagram::Diagram;
use super::entry::Entry;
use super::error::DatabaseError;
use super::open;
use super::progress::{ImportStep, ImportWatch};
use super::table::{KeyedEntry, Table};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_files::NewFile;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The number of positions that were read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferCount {
    /// The number of positions read or written.
    pub positions: u64,
    /// The number of positions left out: those after a pass in a library, those that no game can
    /// reach, and those of another rule or board than the file's.
    pub left_out: u64,
    /// The number of positions written incompletely: libraries have comments and marks, but no
    /// values, depths, or labels other than won and lost.
    pub reduced: u64,
    /// The number of entries that replaced a different one, of the database or from earlier in the
    /// file.
    pub replaced: u64,
}

/// `2 positions, 0 left out`, and how many were reduced or replaced, if any.
impl fmt::Display for TransferCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TransferCount {
            positions,
            left_out,
            reduced,
            replaced,
        } = self;
        write!(f, "{positions} positions, {left_out} left out")?;
        if *reduced > 0 {
            write!(f, ", {reduced} without their values, depths or labels")?;
        }
        if *replaced > 0 {
            write!(f, ", {replaced} in place of other entries")?;
        }
        Ok(())
    }
}

/// A database of positions.
pub struct Database {
    connection: Mutex<Connection>,
    /// The file, links followed.
    path: PathBuf,
}

impl Database {
    /// Opens the database, or creates it atomically. The whole file is verified first, and a
    /// damaged one is left unchanged.
    ///
    /// # Errors
    /// When the file is something else, damaged, or can't be read and written.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        if !path.exists() {
            // Half a database could never be opened.
            let new = NewFile::new(path)?;
            drop(open::create(new.draft())?);
            new.keep()?;
        }
        Database::of(open::create(path)?, path)
    }

    /// Opens a file that is there only to be read. The whole file is verified first.
    ///
    /// # Errors
    /// When the file is missing, something else, or damaged.
    pub fn open_to_read(path: &Path) -> Result<Database, DatabaseError> {
        Database::of(open::open_to_read(path)?, path)
    }

    fn of(connection: Connection, path: &Path) -> Result<Database, DatabaseError> {
        // To make and remove a journal for each change takes three times as long.
        connection.pragma_update(None, "journal_mode", "persist")?;
        Ok(Database {
            connection: Mutex::new(connection),
            path: fs::canonicalize(path)?,
        })
    }

    /// Returns true if this is the database in the file at `path`.
    pub fn is_at(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| path == self.path)
    }

    /// The entry of `position`, if there is one.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn get(&self, position: &Position) -> Result<Option<Entry>, DatabaseError> {
        let key = Diagram::of(position).key();
        self.read(|table| table.get(&key))
    }

    /// The entries one move after `position`.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn children(&self, position: &Position) -> Result<Vec<(Point, Entry)>, DatabaseError> {
        self.read(|table| table.children(&Diagram::of(position)))
    }

    /// Changes the entry of `position` and returns it. An entry that says nothing
    /// any more is removed.
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
            let known = table.get(&key)?;
            let mut entry = known.clone().unwrap_or_default();
            change(&mut entry);
            match &known {
                Some(known) if entry == Entry::default() => table.remove(&key, known)?,
                None if entry == Entry::default() => (),
                known => table.replace(&key, known.as_ref(), &entry)?,
            }
            Ok(entry)
        })
    }

    /// The number of positions.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        self.read(|table| Ok(table.summary().positions))
    }

    /// The rules and boards, with the number of positions of each.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn boards(&self) -> Result<Vec<(Rule, BoardSize, u64)>, DatabaseError> {
        let mut boards: Vec<(Rule, BoardSize, u64)> = Vec::new();
        self.for_each(&[], |diagram, _| {
            let board = (diagram.rule(), diagram.size());
            match boards.last_mut() {
                // Keys are sorted, and begin with the rule and the board.
                Some((rule, size, count)) if (*rule, *size) == board => *count += 1,
                _ => boards.push((board.0, board.1, 1)),
            }
            Ok(())
        })?;
        Ok(boards)
    }

    /// Returns true if the database has no position.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// Sorts entries by their keys and merges them, in one transaction.
    pub(super) fn learn_all(
        &self,
        mut news: Vec<KeyedEntry>,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        // Neighbours share pages. Of one position what came last still counts.
        news.sort_by(|(one, _), (other, _)| one.cmp(other));
        let positions = news.len() as u64;
        let mut replaced = 0;
        news.dedup_by(|(later, again), (key, entry)| {
            let is_same = later == key;
            if is_same {
                replaced += u64::from(entry.join(std::mem::take(again)));
            }
            is_same
        });
        let total = news.len() as u64;
        self.write(|table| {
            for (number, (key, news)) in (1..).zip(news) {
                replaced += u64::from(table.learn(&key, news)?);
                ImportStep::Write.tell(number, total, watch)?;
            }
            Ok(())
        })?;
        Ok(TransferCount {
            positions,
            replaced,
            ..TransferCount::default()
        })
    }

    /// Visits the positions whose keys have this prefix.
    pub(super) fn for_each(
        &self,
        prefix: &[u8],
        mut visit: impl FnMut(Diagram, Entry) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        self.read(|table| {
            table.for_each(prefix, |key, entry| {
                let diagram = Diagram::from_key(key).ok_or(DatabaseError::Key)?;
                visit(diagram, entry?)
            })
        })
    }

    /// Reads one state of the database.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Table<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.within(TransactionBehavior::Deferred, work)
    }

    /// Does `work` in one transaction, which is rolled back if it fails.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Table<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.within(TransactionBehavior::Immediate, |table| {
            let done = work(table)?;
            table.store_summary()?;
            Ok(done)
        })
    }

    fn within<T>(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Table<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let lock = self.connection.lock();
        let connection = lock.unwrap_or_else(PoisonError::into_inner);
        let transaction = Transaction::new_unchecked(&connection, behavior)?;
        let done = work(&Table::of(&transaction)?)?;
        transaction.commit()?;
        Ok(done)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let connection = self.connection.get_mut();
        let connection = connection.unwrap_or_else(PoisonError::into_inner);
        // Removes the journal, unless another program needs it.
        _ = connection.pragma_update(None, "journal_mode", "delete");
    }
}
