//! Checks of the files that a command is about to write, so that no file is lost by a slip of
//! the pen.

use super::exit::usage;
use anyhow::{Result, ensure};
use std::fs;
use std::path::{self, Path, PathBuf};

/// Refuses to overwrite a file without `force`. Pipes and devices have no contents that could be
/// lost.
pub(crate) fn ensure_free(path: &Path, force: bool) -> Result<()> {
    let found = fs::metadata(path);
    let holds_something = found.is_ok_and(|found| found.is_file() || found.is_dir());
    ensure!(
        force || !holds_something,
        "{} exists; --force overwrites it",
        path.display()
    );
    Ok(())
}

/// Refuses to overwrite a file that the command reads.
pub(crate) fn ensure_another(path: &Path, read: &Path) -> Result<()> {
    ensure!(
        !is_same_file(path, read),
        "{} is read: choose another file to write",
        path.display()
    );
    Ok(())
}

/// Refuses to write two outputs to one file, where the second would replace the first.
pub(crate) fn ensure_two(one: &Option<PathBuf>, other: &Option<PathBuf>) -> Result<()> {
    let both = one.as_deref().zip(other.as_deref());
    if let Some((one, _)) = both.filter(|(one, other)| is_same_file(one, other)) {
        return Err(usage(format!(
            "{} is named twice: choose two files",
            one.display()
        )));
    }
    Ok(())
}

/// Whether two paths lead to the same file. Pipes and devices can take two outputs.
fn is_same_file(one: &Path, other: &Path) -> bool {
    // A file that is not there yet may be named in two ways.
    let target = |path: &Path| {
        let whole = path::absolute(path).ok()?;
        let folder = fs::canonicalize(whole.parent()?).ok()?;
        let named = folder.join(whole.file_name()?);
        Some(fs::canonicalize(&named).unwrap_or(named))
    };
    let is_device_or_folder = one.exists() && !one.is_file();
    !is_device_or_folder && target(one).is_some() && target(one) == target(other)
}

/// Refuses anything but a regular file, in which a run can be kept and from which it can be
/// resumed. Some devices can be read without end.
pub(crate) fn ensure_regular(path: &Path) -> Result<()> {
    ensure!(
        !path.exists() || path.is_file(),
        "{} is no regular file",
        path.display()
    );
    Ok(())
}
