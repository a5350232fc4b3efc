//! The database itself: entries by the keys of their positions.

use super::checked::{self, guarded};
use super::diagram::Diagram;
use super::entry::Entry;
use super::error::{DatabaseError, redb_error};
use super::progress::{ImportStep, ImportWatch};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_files::NewFile;
use redb::{ReadableTable, TableDefinition, TableHandle as _};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Entries by the keys of their positions. They are JSON, so that fields can be
/// added.
pub(super) const POSITIONS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("positions");

/// The number of positions that were read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Empty after a failure of the file system, as redb does nothing any more after one. The
    /// next call opens the file again.
    store: Mutex<Option<redb::Database>>,
    /// Opens the file again.
    open: fn(&Path) -> Result<redb::Database, DatabaseError>,
    /// The file, links followed.
    path: PathBuf,
}

impl Database {
    /// Opens the database, or creates it atomically. The whole file is verified first, and a
    /// damaged one is left unchanged.
    ///
    /// # Errors
    /// When the file is something else, damaged, in use, or can't be written.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        if !path.exists() {
            // Half a database could never be opened.
            let new = NewFile::new(path)?;
            drop(Database::at(new.draft())?);
            new.keep()?;
        }
        Database::at(path)
    }

    /// Opens the file, which may be empty.
    fn at(path: &Path) -> Result<Database, DatabaseError> {
        let database = Database::of(checked::create(path)?, checked::open, path)?;
        database.expect_own()?;
        Ok(database)
    }

    /// Sees to it that the database has the table of positions, and fails where it is another
    /// program's.
    fn expect_own(&self) -> Result<(), DatabaseError> {
        self.with_store(|store| {
            let transaction = store.begin_write().map_err(redb_error)?;
            let tables = transaction.list_tables().map_err(redb_error)?;
            let names: Vec<String> = tables.map(|table| table.name().to_owned()).collect();
            // Another program's has others, and gets no table from this one.
            let is_own = names.iter().any(|name| name == POSITIONS.name());
            if !is_own && !names.is_empty() {
                return Err(DatabaseError::Foreign);
            }
            // Reading begins with a table that is there.
            transaction.open_table(POSITIONS).map_err(redb_error)?;
            transaction.commit().map_err(redb_error)
        })
    }

    /// Opens a file that is there only to be read, an empty one excepted. All of it is read. What
    /// is changed is lost when the database is closed.
    ///
    /// # Errors
    /// When the file is missing, something else, damaged, or in use.
    pub fn open_to_read(path: &Path) -> Result<Database, DatabaseError> {
        let store = checked::open_to_read(path)?;
        let database = Database::of(store, checked::open_to_read, path)?;
        database.expect_own()?;
        Ok(database)
    }

    /// The database that redb has opened at `path`.
    fn of(
        store: redb::Database,
        open: fn(&Path) -> Result<redb::Database, DatabaseError>,
        path: &Path,
    ) -> Result<Database, DatabaseError> {
        Ok(Database {
            store: Mutex::new(Some(store)),
            open,
            path: fs::canonicalize(path)?,
        })
    }

    fn with_store<T>(
        &self,
        work: impl FnOnce(&redb::Database) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let mut slot = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match slot.take() {
            Some(store) => store,
            None => (self.open)(&self.path)?,
        };
        let done = guarded(|| work(&store));
        if done.as_ref().is_err_and(DatabaseError::ends_the_store) {
            // Closing writes, too.
            let _ = guarded(|| {
                drop(store);
                Ok(())
            });
        } else {
            *slot = Some(store);
        }
        done
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
        self.read(|table| entry(table, &key))
    }

    /// The entries one move after `position`.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn children(&self, position: &Position) -> Result<Vec<(Point, Entry)>, DatabaseError> {
        self.read(|table| children(table, &Diagram::of(position)))
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
            let mut entry = entry(table, &key)?.unwrap_or_default();
            change(&mut entry);
            if entry == Entry::default() {
                table.remove(&*key).map_err(redb_error)?;
            } else {
                let bytes = serde_json::to_vec(&entry)?;
                table.insert(&*key, &*bytes).map_err(redb_error)?;
            }
            Ok(entry)
        })
    }

    /// The number of positions.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        use redb::ReadableTableMetadata as _;
        self.read(|table| table.len().map_err(redb_error))
    }

    /// The rules and boards, with the number of positions of each.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn boards(&self) -> Result<Vec<(Rule, BoardSize, u64)>, DatabaseError> {
        self.read(|table| {
            let mut boards: Vec<(Rule, BoardSize, u64)> = Vec::new();
            for pair in table.iter().map_err(redb_error)? {
                let (key, _) = pair.map_err(redb_error)?;
                let diagram = Diagram::from_key(key.value()).ok_or(DatabaseError::Key)?;
                let board = (diagram.rule(), diagram.size());
                match boards.last_mut() {
                    // Keys are sorted, and begin with the rule and the board.
                    Some((rule, size, count)) if (*rule, *size) == board => *count += 1,
                    _ => boards.push((board.0, board.1, 1)),
                }
            }
            Ok(boards)
        })
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
        mut news: Vec<(Vec<u8>, Entry)>,
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
        let learned = self.learn(news.into_iter().map(Ok), total, watch)?;
        Ok(TransferCount {
            positions,
            replaced: replaced + learned.replaced,
            ..learned
        })
    }

    /// Merges entries into those under the same keys, in one transaction. There are
    /// `total` entries.
    pub(super) fn learn(
        &self,
        news: impl IntoIterator<Item = Result<(Vec<u8>, Entry), DatabaseError>>,
        total: u64,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        self.write(|table| {
            let (mut positions, mut replaced) = (0, 0);
            for news in news {
                let (key, news) = news?;
                let mut known = entry(table, &key)?.unwrap_or_default();
                replaced += u64::from(known.learn(news));
                let bytes = serde_json::to_vec(&known)?;
                table.insert(&*key, &*bytes).map_err(redb_error)?;
                positions += 1;
                ImportStep::Write.tell(positions, total, watch)?;
            }
            Ok(TransferCount {
                positions,
                left_out: 0,
                reduced: 0,
                replaced,
            })
        })
    }

    /// Visits the positions whose keys have this prefix.
    pub(super) fn for_each(
        &self,
        prefix: &[u8],
        mut visit: impl FnMut(Diagram, Entry) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        self.read(|table| {
            for pair in table.range(prefix..).map_err(redb_error)? {
                let (key, bytes) = pair.map_err(redb_error)?;
                if !key.value().starts_with(prefix) {
                    break;
                }
                let (diagram, entry) = decode(key.value(), bytes.value())?;
                visit(diagram, entry)?;
            }
            Ok(())
        })
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&redb::ReadOnlyTable<&[u8], &[u8]>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.with_store(|store| {
            let transaction = store.begin_read().map_err(redb_error)?;
            let table = transaction.open_table(POSITIONS).map_err(redb_error)?;
            work(&table)
        })
    }

    /// Does `work` in one transaction, which is rolled back if it fails.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&mut redb::Table<'_, &[u8], &[u8]>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.with_store(|store| {
            let mut transaction = store.begin_write().map_err(redb_error)?;
            // Otherwise a damaged file can't be told from one whose last commit was cut short.
            transaction.set_two_phase_commit(true);
            let mut table = transaction.open_table(POSITIONS).map_err(redb_error)?;
            let done = work(&mut table)?;
            drop(table);
            transaction.commit().map_err(redb_error)?;
            Ok(done)
        })
    }
}

/// The entry under a key, if there is one.
pub(super) fn entry(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<Option<Entry>, DatabaseError> {
    match table.get(key).map_err(redb_error)? {
        Some(bytes) => Ok(Some(serde_json::from_slice(bytes.value())?)),
        None => Ok(None),
    }
}

/// The entries one move after a position.
pub(super) fn children(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    diagram: &Diagram,
) -> Result<Vec<(Point, Entry)>, DatabaseError> {
    let mut children = Vec::new();
    for (point, key) in diagram.keys_after() {
        children.extend(entry(table, &key)?.map(|entry| (point, entry)));
    }
    Ok(children)
}

/// Decodes a key and its value.
pub(super) fn decode(key: &[u8], bytes: &[u8]) -> Result<(Diagram, Entry), DatabaseError> {
    let diagram = Diagram::from_key(key).ok_or(DatabaseError::Key)?;
    Ok((diagram, serde_json::from_slice(bytes)?))
}
