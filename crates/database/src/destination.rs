//! The database that positions are added to.

use super::error::DatabaseError;
use super::store::Database;
use quincunx_files::NewFile;
use std::path::Path;

/// A database that positions are added to: one that is there, or a new one, which appears once
/// all of them are in it. A new one is gone with the value unless it is kept.
pub struct Destination {
    // It is closed before the draft is removed.
    database: Database,
    new: Option<NewFile>,
}

impl Destination {
    /// Opens the database at `path`, or begins a new one if there is none.
    ///
    /// # Errors
    /// When the file is something else, damaged, in use, or can't be written.
    pub fn open(path: &Path) -> Result<Destination, DatabaseError> {
        let new = match path.exists() {
            true => None,
            false => Some(NewFile::new(path)?),
        };
        let database = Database::open(new.as_ref().map_or(path, NewFile::draft))?;
        Ok(Destination { database, new })
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Closes the database. A new one gets its name.
    ///
    /// # Errors
    /// When the new one can't be renamed, or a file has the name by now.
    pub fn keep(self) -> Result<(), DatabaseError> {
        // It writes when it is closed, too.
        drop(self.database);
        if let Some(new) = self.new {
            new.keep()?;
        }
        Ok(())
    }
}
