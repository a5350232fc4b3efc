//! `quincunx board --export`: the board as a folder without a server.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files of the module for boards.
const MODULE: [&str; 3] = ["quincunx.js", "quincunx_bg.wasm", "thinker.js"];

/// Writes the folder, and returns how many files it has. Other files in it stay.
pub(super) fn export(folder: &Path, wasm: &Path, url: Option<&str>) -> Result<usize> {
    let read = |name: &str| {
        let path = wasm.join(name);
        let content = fs::read(&path).with_context(|| {
            let path = path.display();
            format!(
                "can't read {path}: bindings/wasm/build.sh makes the folder bindings/wasm/board"
            )
        })?;
        Ok((name.to_owned(), content))
    };
    let module = MODULE.into_iter().map(read);
    let files = quincunx_web::site(module.collect::<Result<BTreeMap<_, _>>>()?, url)?;
    for (path, content) in &files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("can't make {}", parent.display()))?;
        }
        quincunx_files::replace(&path, content)?;
    }
    Ok(files.len())
}
