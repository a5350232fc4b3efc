//! Files that a command is about to write: what stands there already is not lost by a
//! slip of the pen.

use anyhow::{Result, ensure};
use std::fs;
use std::path::{self, Path};

/// Refuses to overwrite a file, unless that is wanted. Pipes and devices hold nothing
/// that could be lost.
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

/// Refuses to write over a file that is read, or will be: what it holds would be lost.
pub(crate) fn ensure_another(path: &Path, read: &Path) -> Result<()> {
    let target = |path: &Path| {
        fs::canonicalize(path)
            .or_else(|_| path::absolute(path))
            .ok()
    };
    let is_device_or_folder = path.exists() && !path.is_file();
    ensure!(
        is_device_or_folder || target(path) != target(read),
        "{} is read: choose another file to write",
        path.display()
    );
    Ok(())
}

/// Refuses what a run can't be kept in and resumed from: some devices can be read without
/// end.
pub(crate) fn ensure_regular(path: &Path) -> Result<()> {
    ensure!(
        !path.exists() || path.is_file(),
        "{} is no regular file",
        path.display()
    );
    Ok(())
}
