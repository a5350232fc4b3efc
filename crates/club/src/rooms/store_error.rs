//! Errors of the store of a club.

use std::io;
use std::path::PathBuf;

/// An error of the store of a club.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is no database, can't be written, or is in use.
    #[error("{0}")]
    Database(Box<redb::Error>),
    /// A value is not as this program writes it.
    #[error("a value makes no sense: {0}")]
    Value(#[from] serde_json::Error),
    /// A file can't be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// There is a file already where a backup is to be made.
    #[error("{} exists: name another file for the backup, or move it away", .0.display())]
    Exists(PathBuf),
    /// The file has nothing in it, as where a disk was full when it was copied.
    #[error("the file is empty: put a backup in its place, or delete it to begin a new club")]
    Empty,
    /// The file is cut off or damaged.
    #[error(
        "the file is damaged ({0}): put a backup in its place and delete the file beside it \
         that ends in .pulse, or move it away to begin a new club"
    )]
    Damaged(String),
}

impl StoreError {
    /// Returns true if the same may be possible later, as when space is made on a full disk.
    pub fn may_pass(&self) -> bool {
        match self {
            StoreError::File(_) => true,
            StoreError::Database(error) => matches!(
                **error,
                redb::Error::Io(_) | redb::Error::PreviousIo | redb::Error::DatabaseAlreadyOpen
            ),
            _ => false,
        }
    }
}

/// Converts any of redb's errors, which has one for each kind of call.
pub(super) fn store(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}
