//! Files that are written whole or not at all.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// What a file is written to before it has its name.
pub type Draft = BufWriter<NamedTempFile<File>>;

/// Has `write` fill a draft that then takes the place of `path`: a program that
/// is killed in between, or a disk that is full, leaves the old file.
///
/// The draft stands in the same folder under a name that nobody has. The new
/// file is for whoever may read what the user makes.
///
/// # Errors
/// What `write` says, or the system.
pub fn replace_with<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut Draft) -> Result<T, E>,
) -> Result<T, E> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    // The crate's own way would make it its owner's alone.
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

/// [`replace_with`] for what is at hand as a whole.
///
/// # Errors
/// When it can't be written.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    replace_with(path, |draft| draft.write_all(contents))
        .with_context(|| format!("can't write {}", path.display()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let put = |text: &str| replace(&path, text.as_bytes());
        put("old").unwrap();
        // A user's file of the name that drafts had once.
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
}
