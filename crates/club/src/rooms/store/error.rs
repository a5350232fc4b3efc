//! Errors of the store of a club.

use rusqlite::ErrorCode;
use std::io;
use std::path::PathBuf;

/// An error of the store of a club.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file can't be read or written, or another program locks it.
    #[error("{0}")]
    Database(rusqlite::Error),
    /// A value is not as this program writes it.
    #[error("a value makes no sense: {0}")]
    Value(String),
    /// A file can't be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// Another server has the club.
    #[error("another server has this club: {} is locked", .0.display())]
    InUse(PathBuf),
    /// There is a file already where a backup is to be made.
    #[error("{} exists: name another file for the backup, or move it away", .0.display())]
    Exists(PathBuf),
    /// The file is empty, as where a disk was full when it was copied.
    #[error("the file is empty: put a backup in its place, or delete it to begin a new club")]
    Empty,
    /// The file is cut off or damaged.
    #[error(
        "the file is damaged ({0}): put a backup in its place and delete the file beside it \
         that ends in .pulse, or move it away to begin a new club"
    )]
    Damaged(String),
    /// The file is a backup, and beside it is the log of the file whose place it has taken.
    #[error(
        "{} belongs to another file than this backup: delete it, or move it away",
        .0.display()
    )]
    OtherLog(PathBuf),
    /// The file is a club of version 0.2 or earlier.
    #[error(
        "the file is a club of version 0.2 or earlier, which this version does not read: move it \
         away to begin a new club"
    )]
    Earlier,
    /// The file is a club of a later version.
    #[error("the file is a club of a later version of this program: update the program")]
    Later,
    /// The file is a database of another program.
    #[error("the file is a database of another program: name another file")]
    Foreign,
}

impl StoreError {
    /// Returns true if the same may be possible later, as when space is made on a full disk.
    pub fn may_pass(&self) -> bool {
        match self {
            StoreError::File(_) => true,
            StoreError::Database(error) => matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::DiskFull
                        | ErrorCode::SystemIoFailure
                        | ErrorCode::CannotOpen
                        | ErrorCode::DatabaseBusy
                        | ErrorCode::DatabaseLocked
                )
            ),
            _ => false,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Damaged("it is no database".to_owned()),
            Some(ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged("it contradicts itself".to_owned())
            }
            _ => StoreError::Database(error),
        }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> StoreError {
        StoreError::Value(error.to_string())
    }
}
