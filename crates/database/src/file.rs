//! Positions to and from files.

use super::error::DatabaseError;
use super::progress::ImportWatch;
use super::store::{Database, TransferCount};
use super::text::is_text;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_files as files;
use quincunx_records as records;
use quincunx_records::renlib::{self, LibraryError};
use quincunx_records::{Encoding, Source, reject_other_formats};
use std::io::{self, Write};
use std::path::Path;

/// The format of a file with positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A RenLib library, which has positions of one rule and board. Texts that are not UTF-8
    /// are read with this encoding, by default Latin-1.
    Library(Rule, BoardSize, Option<Encoding>),
    /// Text with one position per line. All positions are written, or those of one rule
    /// and board. All are read.
    Text(Option<(Rule, BoardSize)>),
    /// Another database. All positions are read or written.
    Database,
}

impl FileFormat {
    /// Refuses a file of another kind, which an export would replace.
    ///
    /// # Errors
    /// For such a file, and if it can't be read.
    pub fn expect_own(self, path: &Path) -> io::Result<()> {
        match self {
            // Opening tells.
            FileFormat::Database => Ok(()),
            FileFormat::Text(_) => files::expect_kind(path, is_text),
            FileFormat::Library(..) => files::expect_kind(path, is_library),
        }
    }
}

impl Database {
    /// Adds the positions of a file. Its fields replace those of known entries. `watch` is
    /// called with the progress, and may stop the import.
    ///
    /// # Errors
    /// When the file can't be read or is invalid, or the import is stopped. Nothing has changed
    /// then.
    pub fn import(
        &self,
        format: FileFormat,
        path: &Path,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        match format {
            FileFormat::Database => self.import_database(path, watch),
            format => self.import_bytes(format, &files::read(path)?, path.to_str(), watch),
        }
    }

    /// Adds the positions of a file that is not another database, from its bytes. `name` is that
    /// of the file, if it has one.
    ///
    /// # Errors
    /// As [`Database::import`], and for another database, which needs a file.
    pub fn import_bytes(
        &self,
        format: FileFormat,
        bytes: &[u8],
        name: Option<&str>,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        reject_other_formats(bytes)?;
        match format {
            FileFormat::Library(rule, size, encoding) => {
                self.import_library(rule, size, bytes, encoding, watch)
            }
            FileFormat::Text(_) => {
                let done = self.import_text(bytes, watch);
                done.map_err(|error| match error {
                    DatabaseError::Text(_) => {
                        game_format(bytes, name).map_or(error, DatabaseError::Game)
                    }
                    error => error,
                })
            }
            FileFormat::Database => Err(DatabaseError::Stream),
        }
    }

    /// Writes positions in a format that is not another database.
    ///
    /// # Errors
    /// When the database can't be read or `output` not be written, and for another
    /// database, which needs a file.
    pub fn export_to(
        &self,
        format: FileFormat,
        output: &mut dyn Write,
    ) -> Result<TransferCount, DatabaseError> {
        match format {
            FileFormat::Library(rule, size, _) => self.export_library(rule, size, output),
            FileFormat::Text(only) => self.export_text(only, output),
            FileFormat::Database => Err(DatabaseError::Stream),
        }
    }

    /// Writes positions to a file. Another database keeps its other positions;
    /// any other file is replaced, whole or not at all.
    ///
    /// # Errors
    /// When the database can't be read, or the file can't be written or is this database.
    pub fn export(&self, format: FileFormat, path: &Path) -> Result<TransferCount, DatabaseError> {
        self.expect_another(path)?;
        match format {
            FileFormat::Database => self.export_database(path),
            format => files::replace_with(path, |file| self.export_to(format, file)),
        }
    }

    /// Refuses to write to the database itself, which would replace it.
    pub(super) fn expect_another(&self, path: &Path) -> Result<(), DatabaseError> {
        if self.is_at(path) {
            return Err(DatabaseError::Itself);
        }
        Ok(())
    }
}

/// The bytes at the start of a file that tell its format.
const START: usize = 200;

/// The format of a file that has games.
fn game_format(bytes: &[u8], name: Option<&str>) -> Option<records::FileFormat> {
    let source = Source {
        bytes: &bytes[..bytes.len().min(START)],
        name,
        encoding: None,
    };
    let format = records::recognise(source).ok()?.format;
    format.filter(|&format| format != records::FileFormat::Text)
}

/// Returns true if a file that starts like this is a library.
fn is_library(start: &[u8]) -> bool {
    let refused = renlib::read(start, None).err();
    !matches!(
        refused,
        Some(LibraryError::Header | LibraryError::Version(..))
    )
}
