//! Checks of the files that a command is about to write, so that no file is lost by a slip of
//! the pen, and no work begins whose result can't be written.

use super::exit::{ensure_usage, usage};
use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::fs;
use std::path::{self, Path, PathBuf};

/// Refuses to overwrite a file without `force`, and a file that can't be written. Pipes and devices
/// have no contents that could be lost.
pub(crate) fn ensure_free(path: &Path, force: bool) -> Result<()> {
    ensure_named(path)?;
    let name = path.display();
    ensure!(!path.is_dir(), "{name} is a folder: name a file");
    ensure!(
        force || !path.is_file(),
        "{name} exists; --force overwrites it"
    );
    if path.is_file() || !path.exists() {
        quincunx_files::expect_writable(path)?;
    }
    Ok(())
}

/// Refuses the dash, which stands for standard output elsewhere: a file of this name would
/// be made.
fn ensure_named(path: &Path) -> Result<()> {
    ensure_usage!(
        path != Path::new("-"),
        "this can't go to standard output: name a file in place of -"
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

/// Refuses a list of files that names one of them twice: what it holds would count twice.
pub(crate) fn ensure_each_once(files: &[PathBuf]) -> Result<()> {
    let mut targets = HashSet::new();
    for file in files {
        let is_new = target(file).is_none_or(|target| targets.insert(target));
        if !is_new {
            let name = file.display();
            return Err(usage(format!(
                "{name} is named twice: what it holds would count twice"
            )));
        }
    }
    Ok(())
}

/// The file that a path leads to. One that is not there yet may be named in two ways.
fn target(path: &Path) -> Option<PathBuf> {
    let whole = path::absolute(path).ok()?;
    let folder = fs::canonicalize(whole.parent()?).ok()?;
    let named = folder.join(whole.file_name()?);
    Some(fs::canonicalize(&named).unwrap_or(named))
}

/// Whether two paths lead to the same file. Pipes and devices can take two outputs.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let is_device_or_folder = one.exists() && !one.is_file();
    !is_device_or_folder && target(one).is_some() && target(one) == target(other)
}

/// Refuses anything but a regular file, in which a run can be kept and from which it can be
/// resumed. Some devices can be read without end.
pub(crate) fn ensure_regular(path: &Path) -> Result<()> {
    ensure_named(path)?;
    ensure!(
        !path.exists() || path.is_file(),
        "{} is no regular file",
        path.display()
    );
    Ok(())
}
