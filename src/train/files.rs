//! Files that are written whole or not at all.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes a file under a temporary name and renames it, so that a program that
/// is killed in between leaves the old file or the new one.
///
/// # Errors
/// When it can't be written.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    let draft = path.with_extension("part");
    fs::write(&draft, contents)
        .and_then(|()| fs::rename(&draft, path))
        .with_context(|| format!("can't write {}", path.display()))
}
