//! `quincunx board --export`: the board as a folder without a server.

use anyhow::{Context, Result, bail};
use quincunx_engine::rules::Rule;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files of the module for boards.
const MODULE: [&str; 4] = [
    "quincunx.js",
    "quincunx_bg.wasm",
    "thinker.js",
    "weights.js",
];

/// The kinds of files with weights, of which there is one for each rule.
const WEIGHTS: [&str; 2] = ["line", "tables"];

/// The licences of the module and of all that it is made of. They go where it goes; no page
/// fetches them.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt"];

/// Writes the folder, and returns the number of its files. Other files in it stay. Those of an
/// earlier export are replaced, any others of the same names only with `force`.
pub(super) fn export(folder: &Path, wasm: &Path, url: Option<&str>, force: bool) -> Result<usize> {
    let read = |name: String| {
        let path = wasm.join(&name);
        let content = fs::read(&path).with_context(|| {
            let path = path.display();
            format!(
                "can't read {path}: bindings/wasm/build.sh makes the folder bindings/wasm/board"
            )
        })?;
        Ok((name, content))
    };
    let weights = Rule::ALL.into_iter().flat_map(|rule| {
        let path = move |kind| format!("weights/{rule}.{kind}");
        WEIGHTS.into_iter().map(path)
    });
    let names = MODULE.into_iter().map(str::to_owned).chain(weights);
    let engine: BTreeMap<_, _> = names.map(read).collect::<Result<_>>()?;
    let licences = LICENCES.map(str::to_owned).into_iter().map(read);
    let licences: Vec<_> = licences.collect::<Result<_>>()?;
    let mut files = quincunx_web::site(engine, url)?;
    for (name, content) in licences {
        files.insert(format!("engine/{name}"), content);
    }
    if !force {
        expect_own(folder, files.keys())?;
    }
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

/// Refuses to overwrite files that no earlier export has written, or that have changed since.
fn expect_own<'f>(folder: &Path, files: impl Iterator<Item = &'f String>) -> Result<()> {
    let mut found = files.filter(|path| folder.join(path).symlink_metadata().is_ok());
    let Some(first) = found.next() else {
        return Ok(());
    };
    let known = quincunx_web::exported(|path| fs::read(folder.join(path)).ok());
    let known = known.unwrap_or_default();
    let is_own = |path: &&String| {
        let licence = path.strip_prefix("engine/").unwrap_or_default();
        known.contains(*path) || !known.is_empty() && LICENCES.contains(&licence)
    };
    if let Some(path) = [first].into_iter().chain(found).find(|path| !is_own(path)) {
        let folder = folder.display();
        bail!(
            "{folder} has {path}, which is not of an earlier export or has changed since: choose \
             another folder, or --force overwrites it"
        );
    }
    Ok(())
}
