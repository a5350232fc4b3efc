//! The time when clocks ran last, in a file beside the club.
//!
//! After a crash of the program the running turn is charged until the last heartbeat. So the
//! interval is the error of a clock, and nothing simpler has one of 5 ms: the system notes no time
//! of a program's end, and a row of the database would cost an fsync, or lose as much as a batch.
//! A write in place of 21 bytes stays in the page cache, which survives the program, not the
//! machine.

use super::error::StoreError;
use quincunx_files::LockedFile;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The heartbeat of a club. Its lock keeps other servers out, and lets programs in that read the
/// database.
#[derive(Debug)]
pub(super) struct Heartbeat(LockedFile);

impl Heartbeat {
    /// The path of the heartbeat of a club.
    pub(super) fn path(database: &Path) -> PathBuf {
        let mut path = PathBuf::from(database).into_os_string();
        path.push(".pulse");
        path.into()
    }

    /// Opens the file, which only its owner may read, and locks it.
    pub(super) fn open(database: &Path) -> Result<Heartbeat, StoreError> {
        let path = Heartbeat::path(database);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        keep_private(&path)?;
        let locked = LockedFile::new(file).ok_or(StoreError::InUse(path))?;
        Ok(Heartbeat(locked))
    }

    pub(super) fn read(&mut self) -> io::Result<Option<Duration>> {
        let mut text = String::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_string(&mut text)?;
        Ok(text.trim().parse().ok().map(Duration::from_millis))
    }

    pub(super) fn write(&mut self, now: Duration) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        // The length is constant, so that nothing of an older time is left.
        self.0
            .write_all(format!("{:020}\n", now.as_millis()).as_bytes())
    }

    /// Removes the time.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.0.set_len(0)?;
        self.sync()
    }

    /// Has the last write survive a crash of the machine.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// Takes the right to read a file from all but its owner.
pub(super) fn keep_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    let _ = path;
    Ok(())
}
