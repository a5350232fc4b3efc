//! Output files that a later run resumes. A run appends to its file or replaces it, and locks it
//! against other runs.

use super::read::LockedFile;
use super::write::WriteError;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A growing file that only this run has open. Its errors name the file.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: LockedFile,
}

impl GrowingFile {
    /// Opens the file at `path`, or creates it, and returns its contents. It is not changed until
    /// something is cut off or written.
    ///
    /// # Errors
    /// Returns an error if the file can't be read and written, if another run has it, and if it
    /// is no regular file: some devices can be read without end.
    pub fn open(path: &Path) -> io::Result<(GrowingFile, Vec<u8>)> {
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
        let file = own(file.map(LockedFile::new), path, path)?;
        let path = path.to_owned();
        let mut file = GrowingFile { path, file };
        let mut held = Vec::new();
        let read = file.file.read_to_end(&mut held);
        read.map_err(|error| file.named(error))?;
        Ok((file, held))
    }

    /// Keeps the first `length` bytes and cuts off the others. Later writes come after them.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn keep(&mut self, length: usize) -> io::Result<()> {
        let length = length as u64;
        let cut = self.file.set_len(length);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(drop).map_err(|error| self.named(error))
    }

    fn named(&self, error: io::Error) -> io::Error {
        named(&self.path, error)
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        flushed.map_err(|error| self.named(error))
    }
}

/// Returns the path of the lock file of `path`. A file that is replaced can't carry its own lock:
/// the lock would be lost with the old file.
pub fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Locks [`lock_of`] a file. The lock file is empty and is never removed: otherwise one run could
/// lock the removed file and another a new one.
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
        // A run of another user may have made it. What can be read can be locked as well.
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
    use std::error::Error;
    use std::fs;

    #[test]
    fn what_is_cut_off_makes_room_for_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let go_on = |kept: usize, rest: &str| {
            let (mut file, held) = GrowingFile::open(&path).unwrap();
            file.keep(kept).unwrap();
            file.write_all(rest.as_bytes()).unwrap();
            held
        };
        assert_eq!(go_on(0, "one\ntwo\nthr"), b"");
        assert_eq!(go_on(8, "three\n"), b"one\ntwo\nthr");
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        // A run that finds something else in the file leaves it as it is.
        drop(GrowingFile::open(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
    }

    #[test]
    fn one_run_has_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let first = GrowingFile::open(&path).unwrap();
        let refused = GrowingFile::open(&path).unwrap_err().to_string();
        assert!(refused.ends_with("lines is in use by another run"));
        drop(first);
        assert!(GrowingFile::open(&path).is_ok());
    }

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

    /// Of another user's lock file no more than that may be known. Root may write it too.
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

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = GrowingFile::open(folder.path()).unwrap_err().to_string();
        let name = folder.path().display();
        assert_eq!(error, format!("{name} is no regular file"));
        let path = folder.path().join("missing").join("lines");
        let error = GrowingFile::open(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("can't write {}", path.display()));
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.source().is_some(), "the reason is lost");
    }
}
