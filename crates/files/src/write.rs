//! Drafts that take the place of a file once they are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::Builder;

/// Links that are followed before they are taken to go round in a circle.
const MOST_LINKS: usize = 40;

/// A file can't be written.
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
/// is killed meanwhile, or the disk is full, the old file stays.
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
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    // The crate's default would make the file readable by its owner alone.
    let draft = Builder::new().make_in(folder.unwrap_or(Path::new(".")), |path| {
        File::create_new(path)
    })?;
    let mut draft = BufWriter::new(draft);
    let written = write(&mut draft)?;
    draft.flush()?;
    let draft = draft.into_inner().map_err(io::Error::from)?;
    draft.persist(target).map_err(io::Error::from)?;
    Ok(written)
}

/// What a path points at after all links, whether it exists or not.
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

/// Replaces the file at `path` by one with these contents, as `replace_with`
/// does.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
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
