//! Drafts that replace a file once they are complete.

use super::read::{expect_plain, try_lock};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// The end of the names of drafts.
const DRAFT: &str = ".draft";
/// The random characters in the names of drafts.
const RANDOM: usize = 6;
/// The maximum number of characters of a file's name that its drafts have.
const MOST_OF_NAME: usize = 60;

/// The number of links that are followed before they are taken for a circle.
const MOST_LINKS: usize = 40;

/// Why a file can't be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {}", path.display())]
pub struct WriteError {
    path: PathBuf,
    source: io::Error,
}

impl WriteError {
    /// Creates the error of writing to `path`.
    pub fn new(path: &Path, source: io::Error) -> WriteError {
        WriteError {
            path: path.to_owned(),
            source,
        }
    }
}

/// Calls `write` with a draft that then replaces the file at `path`. If the program
/// is killed meanwhile, the machine crashes, or the disk is full, the old file stays.
///
/// The draft is in the same folder under a unique name. The new file has the
/// permissions that the user's files get by default. Where `path` is a link, what it
/// points at is replaced. What is no regular file, such as a device or a pipe, is
/// written to as it is.
///
/// # Errors
/// Returns an error of `write` or of the file system.
pub fn replace_with<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    if fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir()) {
        let mut file = BufWriter::new(File::options().write(true).open(path)?);
        let written = write(&mut file)?;
        file.flush()?;
        return Ok(written);
    }
    let target = target_of(path)?;
    let mut draft = BufWriter::new(draft_of(&target)?);
    let written = write(&mut draft)?;
    draft.flush()?;
    let draft = draft.into_inner().map_err(io::Error::from)?;
    // After a crash of the machine the name could stand for a file that is still empty.
    draft.as_file().sync_all()?;
    draft.persist(target).map_err(io::Error::from)?;
    Ok(written)
}

/// Makes an empty draft of a file. As long as it is open it is locked.
fn draft_of(target: &Path) -> io::Result<NamedTempFile> {
    // The crate's default would make the file readable by its owner alone.
    let draft = Builder::new()
        .prefix(&draft_prefix(target))
        .rand_bytes(RANDOM)
        .suffix(DRAFT)
        .make_in(folder_of(target), |path| File::create_new(path))?;
    try_lock(draft.as_file());
    Ok(draft)
}

/// A new file that others fill by its name, such as a database, and that appears once it is
/// complete. It is removed with the value unless it is kept.
#[derive(Debug)]
pub struct NewFile {
    draft: TempPath,
    target: PathBuf,
}

impl NewFile {
    /// Makes an empty draft of the file at `path`, and removes drafts that killed runs have left.
    /// If `path` is a symbolic link, the file is its target.
    ///
    /// # Errors
    /// Returns an error if it can't be made.
    pub fn new(path: &Path) -> io::Result<NewFile> {
        remove_drafts(path);
        let target = target_of(path)?;
        // The draft is closed, so that a database can lock it.
        let draft = draft_of(&target)?.into_temp_path();
        Ok(NewFile { draft, target })
    }

    /// The path of the draft.
    pub fn draft(&self) -> &Path {
        &self.draft
    }

    /// Gives the draft its name.
    ///
    /// # Errors
    /// Returns an error if it can't be renamed, or a file has the name by now.
    pub fn keep(self) -> io::Result<()> {
        Ok(self.draft.persist_noclobber(self.target)?)
    }
}

fn folder_of(target: &Path) -> &Path {
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// The start of the names of a file's drafts.
fn draft_prefix(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let start: String = name.chars().take(MOST_OF_NAME).collect();
    format!(".{start}.").into()
}

/// Removes the drafts that runs which were killed have left of the file at `path`. A draft
/// that is being written stays.
pub fn remove_drafts(path: &Path) {
    let Ok(target) = target_of(path) else { return };
    remove_drafts_with(folder_of(&target), draft_prefix(&target).as_encoded_bytes());
}

/// Removes the drafts that runs which were killed have left of any file in this folder, which no
/// other run writes to. A draft that is being written stays.
pub fn remove_all_drafts(folder: &Path) {
    remove_drafts_with(folder, b".");
}

/// Removes the drafts in a folder whose names begin so.
fn remove_drafts_with(folder: &Path, prefix: &[u8]) {
    let is_draft = |name: &OsString| {
        let start = name.as_encoded_bytes().strip_suffix(DRAFT.as_bytes());
        let start = start.filter(|start| start.starts_with(prefix));
        let parts = start.and_then(|start| start.split_last_chunk::<RANDOM>());
        parts.is_some_and(|(start, random)| {
            let whole = prefix == b"." || start == prefix;
            whole && start.ends_with(b".") && random.iter().all(u8::is_ascii_alphanumeric)
        })
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_draft(&entry.file_name()) {
            // Network file systems lock no file that is open for reading alone. Where there are
            // no locks a draft may be in use.
            let draft = File::options().write(true).open(entry.path());
            if draft.is_ok_and(|file| file.try_lock().is_ok()) {
                // What can't be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Tries whether [`replace_with`] could make a draft of the file at `path`, so that a run of
/// hours fails at its start and not at its end. Removes the drafts of the file that runs which
/// were killed have left.
///
/// # Errors
/// Returns an error if it couldn't.
pub fn expect_writable(path: &Path) -> Result<(), WriteError> {
    remove_drafts(path);
    let tried = expect_plain(path).and_then(|()| draft_of(&target_of(path)?).map(drop));
    tried.map_err(|error| WriteError::new(path, error))
}

/// The target of a path after all symbolic links, whether it exists or not.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        // An absolute link takes the place of the whole path.
        target = target.with_file_name("").join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Replaces the file at `path` by one with these contents, as `replace_with` does. Removes the drafts
/// of the file that runs which were killed have left.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    remove_drafts(path);
    replace_one_of_many(path, contents)
}

/// Replaces a file as `replace` does, and leaves the drafts of runs that were killed: to look for
/// them takes long in a folder of thousands of files.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn replace_one_of_many(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    replace_with(path, |draft| draft.write_all(contents))
        .map_err(|error| WriteError::new(path, error))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let put = |text: &str| replace(&path, text.as_bytes());
        put("old").unwrap();
        // A user's file with a name that drafts had once.
        std::fs::write(path.with_extension("part"), "mine").unwrap();
        let failed: io::Result<()> = replace_with(&path, |draft| {
            draft.write_all(b"new")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        put("new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        let mine = std::fs::read_to_string(path.with_extension("part"));
        assert_eq!(mine.unwrap(), "mine");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_killed_run_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            ".book.txt.aB3dE6.draft",
            ".book.txt.old.aB3dE6.draft",
            ".book.txt.long-name.draft",
            ".cook.txt.aB3dE6.draft",
            "book.txt",
        ] {
            fs::write(path(name), name).unwrap();
        }
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
            let mut names: Vec<OsString> = entries.map(name).collect();
            names.sort();
            names
        };
        let written = replace_with(&path("book.txt"), |draft| {
            let before = names();
            remove_drafts(&path("book.txt"));
            // All but the one that is no draft any more.
            assert_eq!(names().len(), before.len() - 1);
            assert_eq!(before.len(), 6);
            draft.write_all(b"new")
        });
        written.unwrap();
        assert_eq!(fs::read_to_string(path("book.txt")).unwrap(), "new");
        let left = [
            ".book.txt.long-name.draft",
            ".book.txt.old.aB3dE6.draft",
            ".cook.txt.aB3dE6.draft",
            "book.txt",
        ];
        assert_eq!(names(), left);
    }

    #[test]
    fn a_file_that_is_replaced_leaves_no_drafts() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".game.sgf.aB3dE6.draft"), "half").unwrap();
        replace(&folder.path().join("game.sgf"), b"whole").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_can_be_written_is_found_out_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        assert!(expect_writable(&path).is_ok());
        assert!(expect_writable(folder.path()).is_err());
        assert!(expect_writable(&path.with_file_name("none").join("book")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn new_files_appear_when_they_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.db");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let killed = NewFile::new(&path).unwrap();
        fs::write(killed.draft(), "half").unwrap();
        std::mem::forget(killed);
        assert_eq!(names(), 1);
        let stopped = NewFile::new(&path).unwrap();
        assert_eq!(names(), 1);
        drop(stopped);
        assert_eq!(names(), 0);
        let [first, second] = [(); 2].map(|()| {
            let new = NewFile::new(&path).unwrap();
            let file = File::options().write(true).open(new.draft()).unwrap();
            assert!(try_lock(&file));
            (new, file)
        });
        fs::write(first.0.draft(), "whole").unwrap();
        assert!(!path.exists());
        first.0.keep().unwrap();
        assert!(second.0.keep().is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(names(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).unwrap();
        fs::write(path("deep/old"), "old").unwrap();
        symlink("deep/old", path("first")).unwrap();
        symlink(path("first"), path("second")).unwrap();
        symlink("deep/none yet", path("dangling")).unwrap();
        symlink("circle", path("circle")).unwrap();
        replace(&path("second"), b"new").unwrap();
        replace(&path("dangling"), b"made").unwrap();
        assert!(replace(&path("circle"), b"").is_err());
        let is_link = |name: &str| path(name).is_symlink();
        assert!(is_link("first") && is_link("second") && is_link("dangling"));
        assert_eq!(fs::read_to_string(path("deep/old")).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("deep/none yet")).unwrap(), "made");
    }

    #[cfg(unix)]
    #[test]
    fn devices_stay_devices() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        symlink("/dev/null", &link).unwrap();
        replace(&link, b"nothing").unwrap();
        assert!(link.is_symlink());
        let kind = fs::metadata(&link).unwrap().file_type();
        assert!(kind.is_char_device());
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("book.txt");
        let error = replace(&path, b"").unwrap_err();
        assert_eq!(error.to_string(), format!("can't write {}", path.display()));
    }
}
