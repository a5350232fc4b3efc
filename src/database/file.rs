//! Positions to and from files.

use super::{Database, DatabaseError};
use crate::files::replace_with;
use crate::rules::{BoardSize, Rule};
use std::fs;
use std::path::Path;

/// How positions stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A RenLib library: positions of one rule and board.
    Library(Rule, BoardSize),
    /// Text, a position a line: all, or those of one rule and board. What is
    /// read is always all.
    Text(Option<(Rule, BoardSize)>),
    /// Another database: all positions.
    Database,
}

/// What came of reading or writing positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transferred {
    /// How many positions were read or written.
    pub positions: u64,
    /// How many had no place there: what follows a pass in a library, and
    /// stones that no game can have put there.
    pub left_out: u64,
}

impl Database {
    /// Takes over the positions of a file. What it says replaces what was
    /// known, the rest stays.
    ///
    /// # Errors
    /// When the file can't be read or makes no sense; then nothing has changed.
    pub fn import(&self, format: Format, path: &Path) -> Result<Transferred, DatabaseError> {
        match format {
            Format::Library(rule, size) => self.import_library(rule, size, &fs::read(path)?),
            Format::Text(_) => self.import_text(&fs::read(path)?),
            Format::Database => self.import_database(path),
        }
    }

    /// Writes positions to a file, which then has all of them or is as before.
    /// Other positions stay in a database, and in no other file.
    ///
    /// # Errors
    /// When the database can't be read or the file not be written.
    pub fn export(&self, format: Format, path: &Path) -> Result<Transferred, DatabaseError> {
        match format {
            Format::Library(rule, size) => {
                replace_with(path, |file| self.export_library(rule, size, file))
            }
            Format::Text(only) => replace_with(path, |file| self.export_text(only, file)),
            Format::Database => self.export_database(path),
        }
    }
}
