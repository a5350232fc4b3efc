//! Whole databases: merging, splitting, and finding broken entries.

use super::destination::Destination;
use super::diagram::Diagram;
use super::error::{DatabaseError, redb_error};
use super::progress::{ImportWatch, never_stop};
use super::store::{Database, TransferCount, children, decode, entry};
use quincunx_engine::position::Position;
use redb::{ReadableTable, ReadableTableMetadata as _};
use std::collections::HashSet;
use std::path::Path;

/// The result of a check of every entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The number of entries that can be read.
    pub sound: u64,
    /// The number of entries that this program has not written.
    pub broken: u64,
}

impl Database {
    /// Adds all positions of another database.
    pub(super) fn import_database(
        &self,
        path: &Path,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        self.expect_another(path)?;
        Database::open_to_read(path)?.copy_to(self, watch)
    }

    /// Adds all positions to another database, a new one if there is none. If that fails, there
    /// is no new one.
    pub(super) fn export_database(&self, path: &Path) -> Result<TransferCount, DatabaseError> {
        let destination = Destination::open(path)?;
        let done = self.copy_to(destination.database(), &mut never_stop)?;
        destination.keep()?;
        Ok(done)
    }

    fn copy_to(
        &self,
        other: &Database,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        self.read(|table| {
            let of = table.len().map_err(redb_error)?;
            let rows = table.iter().map_err(redb_error)?.map(|row| {
                let (key, bytes) = row.map_err(redb_error)?;
                let (_, entry) = decode(key.value(), bytes.value())?;
                Ok((key.value().to_vec(), entry))
            });
            other.learn(rows, of, watch)
        })
    }

    /// Adds `position` and what follows from it through known ones to another
    /// database, a new one if there is none.
    ///
    /// # Errors
    /// When a file can't be read or written, or is this database; then neither has changed.
    pub fn export_below(
        &self,
        position: &Position,
        path: &Path,
    ) -> Result<TransferCount, DatabaseError> {
        self.expect_another(path)?;
        let known = self.read(|table| {
            let root = Diagram::of(position);
            let own = entry(table, &root.key())?;
            let mut known: Vec<_> = own.map(|own| (root.key(), own)).into_iter().collect();
            let mut seen = HashSet::new();
            let mut open = vec![root];
            while let Some(diagram) = open.pop() {
                for (point, entry) in children(table, &diagram)? {
                    let mut child = diagram.clone();
                    child.play(point);
                    if seen.insert(child.key()) {
                        known.push((child.key(), entry));
                        open.push(child);
                    }
                }
            }
            Ok(known)
        })?;
        let destination = Destination::open(path)?;
        let done = destination.database().learn_all(known, &mut never_stop)?;
        destination.keep()?;
        Ok(done)
    }

    /// Checks every entry.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn check(&self) -> Result<CheckReport, DatabaseError> {
        let (checked, _) = self.read(|table| look(table))?;
        Ok(checked)
    }

    /// Removes the broken entries. Returns the result of the check.
    ///
    /// # Errors
    /// When the file can't be read or written; then nothing has changed.
    pub fn fix(&self) -> Result<CheckReport, DatabaseError> {
        self.write(|table| {
            let (checked, broken) = look(table)?;
            for key in &broken {
                table.remove(&**key).map_err(redb_error)?;
            }
            Ok(checked)
        })
    }
}

/// Checks every entry. Returns the keys of the broken ones, too.
fn look(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
) -> Result<(CheckReport, Vec<Vec<u8>>), DatabaseError> {
    let mut checked = CheckReport::default();
    let mut broken = Vec::new();
    for row in table.iter().map_err(redb_error)? {
        let (key, bytes) = row.map_err(redb_error)?;
        match decode(key.value(), bytes.value()) {
            Ok(_) => checked.sound += 1,
            Err(_) => broken.push(key.value().to_vec()),
        }
    }
    checked.broken = broken.len() as u64;
    Ok((checked, broken))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::entry::Entry;
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    #[test]
    fn what_makes_no_sense_is_found_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.db");
        let database = Database::open(&path).unwrap();
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), "h8i9").unwrap();
        let label = |entry: &mut Entry| entry.label = Some('w');
        database.change(&position, label).unwrap();
        let sound = CheckReport {
            sound: 1,
            broken: 0,
        };
        assert_eq!(database.fix().unwrap(), sound);
        let good = Diagram::of(&position).key();
        let mut cut = good.clone();
        cut.pop();
        let broken = [(&*cut, "{}"), (&[][..], "{}"), (&good[..4], "no entry")];
        let write = |table: &mut redb::Table<'_, &[u8], &[u8]>| {
            for (key, bytes) in broken {
                table.insert(key, bytes.as_bytes()).map_err(redb_error)?;
            }
            Ok(())
        };
        database.write(write).unwrap();
        let found = CheckReport {
            sound: 1,
            broken: 3,
        };
        assert_eq!(database.check().unwrap(), found);
        let names = || std::fs::read_dir(folder.path()).unwrap().count();
        let other = folder.path().join("other.db");
        // An empty database once was left behind.
        assert!(database.export_database(&other).is_err());
        assert_eq!(names(), 1);
        // One that was there stays as it was.
        drop(Database::open(&other).unwrap());
        assert!(database.export_database(&other).is_err());
        assert!(Database::open(&other).unwrap().is_empty().unwrap());
        assert_eq!(names(), 2);
        assert_eq!(database.fix().unwrap(), found);
        assert_eq!(database.check().unwrap(), sound);
        assert_eq!(database.get(&position).unwrap().unwrap().label, Some('w'));
    }
}
