//! The table of positions within a transaction.

use super::diagram::Diagram;
use super::entry::{Entry, ValueBound};
use super::error::DatabaseError;
use quincunx_engine::rules::Point;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use std::cell::Cell;

/// The entry under a key, whose columns [`entry_of`] reads.
const GET: &str = "SELECT label, value, depth, bound, mark, text FROM positions WHERE key = ?1";

/// The entries from a key on.
const FROM: &str = "SELECT key, label, value, depth, bound, mark, text FROM positions
     WHERE key >= ?1 ORDER BY key";

/// The rest of an `INSERT`, whose verb says how a known entry is treated.
const INTO: &str = "INTO positions (key, label, value, depth, bound, mark, text)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// The key and the entry of a position.
pub(super) type KeyedEntry = (Vec<u8>, Entry);

/// The table of positions, and its summary.
pub(super) struct Table<'c> {
    connection: &'c Connection,
    summary: Cell<Summary>,
}

/// The number of rows, and the sum of their checksums, by which damage is found that leaves the
/// structure of the file sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) positions: u64,
    checksum: i64,
}

impl Summary {
    pub(super) fn add(&mut self, key: &[u8], entry: &Entry) {
        self.positions += 1;
        self.checksum = self.checksum.wrapping_add(checksum(key, entry));
    }

    fn remove(&mut self, key: &[u8], entry: &Entry) {
        self.positions = self.positions.saturating_sub(1);
        self.checksum = self.checksum.wrapping_sub(checksum(key, entry));
    }
}

impl<'c> Table<'c> {
    /// The table of a database, with the summary that is stored.
    pub(super) fn of(connection: &'c Connection) -> Result<Table<'c>, DatabaseError> {
        let query = "SELECT positions, checksum FROM summary";
        let summary = connection.prepare_cached(query)?.query_row([], |row| {
            Ok(Summary {
                positions: row.get(0)?,
                checksum: row.get(1)?,
            })
        })?;
        Ok(Table {
            connection,
            summary: Cell::new(summary),
        })
    }

    /// The summary with the changes made here.
    pub(super) fn summary(&self) -> Summary {
        self.summary.get()
    }

    /// Stores the summary.
    pub(super) fn store_summary(&self) -> Result<(), DatabaseError> {
        let Summary {
            positions,
            checksum,
        } = self.summary();
        let update = "UPDATE summary SET positions = ?1, checksum = ?2";
        self.execute(update, params![positions, checksum])?;
        Ok(())
    }

    /// The entry under a key, if there is one.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Entry>, DatabaseError> {
        let mut statement = self.connection.prepare_cached(GET)?;
        let found = statement.query_row([key], |row| Ok(entry_of(row, 0)));
        found.optional()?.transpose()
    }

    /// The entries one move after a position.
    pub(super) fn children(&self, diagram: &Diagram) -> Result<Vec<(Point, Entry)>, DatabaseError> {
        let mut children = Vec::new();
        for (point, key) in diagram.keys_after() {
            children.extend(self.get(&key)?.map(|entry| (point, entry)));
        }
        Ok(children)
    }

    /// Stores an entry, in place of `known` where there is one.
    pub(super) fn replace(
        &self,
        key: &[u8],
        known: Option<&Entry>,
        entry: &Entry,
    ) -> Result<(), DatabaseError> {
        self.insert("INSERT OR REPLACE", key, entry)?;
        self.count(|summary| {
            if let Some(known) = known {
                summary.remove(key, known);
            }
            summary.add(key, entry);
        });
        Ok(())
    }

    /// Adds what is new of a position. Returns true if a field was different.
    pub(super) fn learn(&self, key: &[u8], news: Entry) -> Result<bool, DatabaseError> {
        if self.insert("INSERT OR IGNORE", key, &news)? {
            self.count(|summary| summary.add(key, &news));
            return Ok(false);
        }
        let known = self.get(key)?.unwrap_or_default();
        let mut entry = known.clone();
        let is_replaced = entry.learn(news);
        if entry != known {
            self.replace(key, Some(&known), &entry)?;
        }
        Ok(is_replaced)
    }

    /// Removes an entry.
    pub(super) fn remove(&self, key: &[u8], known: &Entry) -> Result<(), DatabaseError> {
        if self.execute("DELETE FROM positions WHERE key = ?1", [key])? {
            self.count(|summary| summary.remove(key, known));
        }
        Ok(())
    }

    /// Visits the rows whose keys begin with this prefix, in their order.
    pub(super) fn for_each(
        &self,
        prefix: &[u8],
        mut visit: impl FnMut(&[u8], Result<Entry, DatabaseError>) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let mut statement = self.connection.prepare_cached(FROM)?;
        let mut rows = statement.query([prefix])?;
        while let Some(row) = rows.next()? {
            let key = row.get_ref(0)?.as_blob().map_err(|_| DatabaseError::Key)?;
            if !key.starts_with(prefix) {
                break;
            }
            visit(key, entry_of(row, 1))?;
        }
        Ok(())
    }

    fn insert(&self, verb: &str, key: &[u8], entry: &Entry) -> Result<bool, DatabaseError> {
        let insert = format!("{verb} {INTO}");
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let parameters = params![
            key,
            entry.label.map(String::from),
            entry.value,
            entry.depth,
            entry.bound as u8,
            text(&entry.mark),
            text(&entry.text),
        ];
        self.execute(&insert, parameters)
    }

    fn count(&self, change: impl FnOnce(&mut Summary)) {
        let mut summary = self.summary.get();
        change(&mut summary);
        self.summary.set(summary);
    }

    /// Executes a statement. Returns true if it has changed a row.
    fn execute(&self, statement: &str, parameters: impl Params) -> Result<bool, DatabaseError> {
        let mut statement = self.connection.prepare_cached(statement)?;
        Ok(statement.execute(parameters)? > 0)
    }
}

/// The entry of a row, whose columns begin with this one.
fn entry_of(row: &Row<'_>, first: usize) -> Result<Entry, DatabaseError> {
    let label: Option<String> = row.get(first)?;
    let mut letters = label.iter().flat_map(|label| label.chars());
    let (letter, rest) = (letters.next(), letters.next());
    if letter.is_some() != label.is_some() || rest.is_some() {
        return Err(DatabaseError::Damaged);
    }
    let bounds = [
        ValueBound::None,
        ValueBound::Upper,
        ValueBound::Lower,
        ValueBound::Exact,
    ];
    let bound: usize = row.get(first + 3)?;
    Ok(Entry {
        label: letter,
        value: row.get(first + 1)?,
        depth: row.get(first + 2)?,
        bound: *bounds.get(bound).ok_or(DatabaseError::Damaged)?,
        mark: row.get::<_, Option<String>>(first + 4)?.unwrap_or_default(),
        text: row.get::<_, Option<String>>(first + 5)?.unwrap_or_default(),
    })
}

/// The checksum of a row.
fn checksum(key: &[u8], entry: &Entry) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(&entry.label.map_or(0, u32::from).to_le_bytes());
    hasher.update(&entry.value.to_le_bytes());
    hasher.update(&entry.depth.to_le_bytes());
    hasher.update(&[entry.bound as u8]);
    for text in [&entry.mark, &entry.text] {
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().into()
}
