//! Whole databases: merging, splitting, and finding broken entries.

use super::destination::Destination;
use super::diagram::Diagram;
use super::error::DatabaseError;
use super::progress::{ImportStep, ImportWatch, never_stop};
use super::store::{Database, TransferCount};
use super::table::{KeyedEntry, Table};
use quincunx_engine::position::Position;
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
            let total = table.summary().positions;
            let mut done = TransferCount::default();
            other.write(|others| {
                table.for_each(&[], |key, entry| {
                    Diagram::from_key(key).ok_or(DatabaseError::Key)?;
                    done.replaced += u64::from(others.learn(key, entry?)?);
                    done.positions += 1;
                    ImportStep::Write.tell(done.positions, total, watch)
                })
            })?;
            Ok(done)
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
            let own = table.get(&root.key())?;
            let mut known: Vec<_> = own.map(|own| (root.key(), own)).into_iter().collect();
            let mut seen = HashSet::new();
            let mut open = vec![root];
            while let Some(diagram) = open.pop() {
                for (point, entry) in table.children(&diagram)? {
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
        let (checked, _) = self.read(look)?;
        Ok(checked)
    }

    /// Removes the broken entries. Returns the result of the check.
    ///
    /// # Errors
    /// When the file can't be read or written; then nothing has changed.
    pub fn fix(&self) -> Result<CheckReport, DatabaseError> {
        self.write(|table| {
            let (checked, broken) = look(table)?;
            for (key, entry) in &broken {
                table.remove(key, entry)?;
            }
            Ok(checked)
        })
    }
}

/// Checks every entry. Returns the broken ones, too.
fn look(table: &Table<'_>) -> Result<(CheckReport, Vec<KeyedEntry>), DatabaseError> {
    let mut checked = CheckReport::default();
    let mut broken = Vec::new();
    table.for_each(&[], |key, entry| {
        match (Diagram::from_key(key), entry) {
            (Some(_), Ok(_)) => checked.sound += 1,
            (_, entry) => broken.push((key.to_vec(), entry.unwrap_or_default())),
        }
        Ok(())
    })?;
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
        let unknown = [good.clone(), vec![0; 3]].concat();
        database
            .write(|table| {
                for key in [&cut, &Vec::new(), &unknown] {
                    table.replace(key, None, &Entry::default())?;
                }
                Ok(())
            })
            .unwrap();
        let found = CheckReport {
            sound: 1,
            broken: 3,
        };
        assert_eq!(database.check().unwrap(), found);
        let names = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            // The journal of the open database stands beside it.
            let is_own = |name: std::ffi::OsString| name != "positions.db-journal";
            files
                .filter(|it| is_own(it.as_ref().unwrap().file_name()))
                .count()
        };
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
