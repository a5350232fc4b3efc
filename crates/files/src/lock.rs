//! Locks of output files: a run appends to its file or replaces it, and keeps other runs out.

use super::read::LockedFile;
use super::write::WriteError;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Opens the file at `path` to read it and to write more to it, or creates it. Other runs are kept
/// out. The errors name the file.
///
/// # Errors
/// Returns an error if the file can't be read and written, if another run has it, and if it
/// is no regular file: some devices can be read without end.
pub fn open_locked(path: &Path) -> io::Result<LockedFile> {
    if path.exists() && !path.is_file() {
        return Err(refused(path, "no regular file"));
    }
    // Windows lets no file be cut off that is open for appending.
    let file = File::options()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(path);
    own(file.map(LockedFile::new), path, path)
}

/// Returns the path of the lock file of `path`. A file that is replaced can't carry its own lock:
/// the lock would be lost with the old file.
pub fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Locks [`lock_of`] a file. It is empty, and stays: if it were removed, one run could lock the
/// old one and another a new one.
///
/// # Errors
/// Returns an error if it can't be written, and if another run has it.
pub fn lock_beside(path: &Path) -> io::Result<LockedFile> {
    let lock = lock_of(path);
    own(lock_file(&lock), &lock, path)
}

/// Locks the file at `path`, or makes one that is empty. Returns `None` if another run has it.
///
/// # Errors
/// Returns an error if the file can be neither written nor read, or can't be made.
pub fn lock_file(path: &Path) -> io::Result<Option<LockedFile>> {
    let mut options = File::options();
    // Network file systems lock no file that is open for reading alone.
    options.create(true).write(true).truncate(false);
    let file = match options.open(path) {
        // The file may belong to another user. Reading suffices for a lock.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            File::open(path).or(Err(error))
        }
        opened => opened,
    };
    file.map(LockedFile::new)
}

/// The lock that was taken at `at` for a run that works on the file at `path`.
fn own(taken: io::Result<Option<LockedFile>>, at: &Path, path: &Path) -> io::Result<LockedFile> {
    let lock = taken.map_err(|error| named(at, error))?;
    lock.ok_or_else(|| refused(path, "in use by another run"))
}

fn refused(path: &Path, why: &str) -> io::Error {
    io::Error::other(format!("{} is {why}", path.display()))
}

/// An error of the same kind that names the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), WriteError::new(path, error))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::fs;

    /// The lock was once removed at the end of a run. One that had just opened it had the old
    /// file, the next one the new.
    #[test]
    fn one_run_replaces_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        let first = lock_beside(&path).unwrap();
        let second = File::options().write(true).open(lock_of(&path)).unwrap();
        let refused = lock_beside(&path).unwrap_err().to_string();
        assert!(refused.ends_with("weights is in use by another run"));
        drop(first);
        let second = LockedFile::new(second).unwrap();
        assert!(lock_beside(&path).is_err());
        drop(second);
        assert!(lock_beside(&path).is_ok());
        let error = lock_beside(&folder.path().join("missing").join("weights")).unwrap_err();
        assert!(error.to_string().ends_with("weights.lock"), "{error}");
    }

    /// Another user's lock file may be readable alone. Root may write it too.
    #[test]
    fn a_file_that_can_only_be_read_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let first = lock_file(&path).unwrap();
        assert!(first.is_some() && lock_file(&path).unwrap().is_none());
        drop(first);
        assert!(lock_file(&path).unwrap().is_some());
        assert!(lock_file(&path.with_file_name("none").join("lock")).is_err());
    }
}
