//! Existing files: reading, locking, and refusing everything but regular files.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// The length of the start of a file that tells its kind.
const START: u64 = 4096;

/// Reads a whole file. Anything but a regular file, such as a folder, a device or a pipe, is
/// refused, because its reader could wait forever.
///
/// # Errors
/// Returns an error if the file can't be read, or is not a regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    expect_plain(path)?;
    fs::read(path)
}

/// Refuses an existing path that is not a regular file, such as a folder, a device or a pipe.
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

/// Refuses to overwrite a file of another kind, which is one with contents whose start `is_kind`
/// does not know. Anything but a regular file has no contents that could be lost.
///
/// # Errors
/// Returns an error for such a file, and if it can't be read.
pub fn expect_kind(path: &Path, is_kind: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    if start.is_empty() || is_kind(&start) {
        return Ok(());
    }
    Err(io::Error::other("a file of another kind has this name"))
}

/// A file that only this run has open. The lock ends with the value, even while a program that
/// was started meanwhile still holds a copy of the handle.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Locks a file that is open for reading or writing: Windows locks none that is open for
    /// appending alone. Returns `None` if another run has it. Where the file system knows no
    /// locks, for which each has an error of its own, other runs are not kept out.
    pub fn new(file: File) -> Option<LockedFile> {
        try_lock(&file).then_some(LockedFile(file))
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the last handle would unlock it as well.
        let _ = self.0.unlock();
    }
}

/// Locks a file until it is closed, where that can be done. Returns false if another run has it.
pub(crate) fn try_lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_kind_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let is_text = |start: &[u8]| start.starts_with(b"text");
        assert!(expect_kind(&path, is_text).is_ok());
        for (contents, accepted) in [("", true), ("text and more", true), ("other", false)] {
            fs::write(&path, contents).unwrap();
            assert_eq!(expect_kind(&path, is_text).is_ok(), accepted, "{contents}");
        }
        assert!(expect_kind(folder.path(), is_text).is_ok());
    }

    #[test]
    fn a_lock_lasts_as_long_as_its_value() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::create(folder.path().join("lock")).unwrap();
        let first = LockedFile::new(open()).unwrap();
        assert!(LockedFile::new(open()).is_none());
        // A program that is being started inherits such a copy.
        let copy = first.try_clone().unwrap();
        drop(first);
        assert!(LockedFile::new(open()).is_some());
        drop(copy);
    }
}
