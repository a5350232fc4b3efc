//! Files that are written completely or not at all, and by one run at a time.
//!
//! Without the feature `write` files are only read and locked.

#[cfg(feature = "write")]
mod write;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
#[cfg(feature = "write")]
pub use write::{WriteError, replace, replace_with};

/// Reads a file whole. What is no regular file, such as a folder, a device or a pipe, is
/// refused: its reader could wait forever.
///
/// # Errors
/// Returns an error if the file can't be read, or is none.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    expect_plain(path)?;
    fs::read(path)
}

/// Refuses what is there but is no regular file, such as a folder, a device or a pipe.
///
/// # Errors
/// Returns an error for those.
pub fn expect_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(io::Error::other("there is no plain file with this name"))
        }
        _ => Ok(()),
    }
}

/// Keeps other runs from a file until it is closed. Returns false if another run has it.
/// Where the file system knows no locks, nobody is kept from anything.
pub fn try_lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_lasts_as_long_as_the_file_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::create(folder.path().join("lock")).unwrap();
        let first = open();
        assert!(try_lock(&first));
        assert!(!try_lock(&open()));
        drop(first);
        assert!(try_lock(&open()));
    }
}
