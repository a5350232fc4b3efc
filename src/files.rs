//! Files that are written completely or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file that does not have its final name yet.
pub type Draft = BufWriter<NamedTempFile<File>>;

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
/// permissions that the user's files get by default.
///
/// # Errors
/// Returns an error of `write` or of the file system.
pub(crate) fn replace_with<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut Draft) -> Result<T, E>,
) -> Result<T, E> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    // The crate's default would make the file readable by its owner alone.
    let draft = Builder::new().make_in(folder.unwrap_or(Path::new(".")), |path| {
        File::create_new(path)
    })?;
    let mut draft = BufWriter::new(draft);
    let written = write(&mut draft)?;
    draft.flush()?;
    let draft = draft.into_inner().map_err(io::Error::from)?;
    draft.persist(path).map_err(io::Error::from)?;
    Ok(written)
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

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("book.txt");
        let error = replace(&path, b"").unwrap_err();
        assert_eq!(error.to_string(), format!("can't write {}", path.display()));
    }
}
