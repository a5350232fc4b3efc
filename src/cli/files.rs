//! The files of a command, declared before it begins: no file is lost by a slip of the pen, and
//! no work begins whose result can't be written.

use super::exit::{ensure_usage, usage};
use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::fs;
use std::path::{self, Path, PathBuf};

/// The files that a command reads, and those that it writes.
#[derive(Default)]
pub(crate) struct Files<'a> {
    reads: Vec<&'a Path>,
    writes: Vec<(&'a Path, Output)>,
}

/// The requirements of a written file.
#[derive(Clone, Copy)]
enum Output {
    /// It is replaced, with `force` also if it exists.
    Replaced { force: bool },
    /// A run is kept in it, and resumed from it.
    Run,
    /// The command has requirements of its own.
    Other,
}

impl<'a> Files<'a> {
    /// Declares files that are read. A path of no file, such as a line of moves, does no harm.
    pub(crate) fn read(
        paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    ) -> Self {
        let reads = paths.into_iter().map(AsRef::as_ref).collect();
        let writes = Vec::new();
        Files { reads, writes }
    }

    /// Declares files that are replaced: pipes, devices and new files, and with `force` files that
    /// exist.
    pub(crate) fn replace(self, paths: impl IntoIterator<Item = &'a PathBuf>, force: bool) -> Self {
        self.write(paths, Output::Replaced { force })
    }

    /// Declares the file of a run. Some devices can be read without end, so it is a regular file.
    pub(crate) fn run(self, path: &'a PathBuf) -> Self {
        self.write([path], Output::Run)
    }

    /// Declares files that are written under requirements of the command's own.
    pub(crate) fn others(self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.write(paths, Output::Other)
    }

    fn write(mut self, paths: impl IntoIterator<Item = &'a PathBuf>, output: Output) -> Self {
        let paths = paths.into_iter().map(|path| (path.as_path(), output));
        self.writes.extend(paths);
        self
    }

    /// Refuses to write to a file that is read or written otherwise, to one that can't be written,
    /// and to overwrite one without `force`.
    pub(crate) fn check(&self) -> Result<()> {
        for (index, &(path, output)) in self.writes.iter().enumerate() {
            let name = path.display();
            let others = self.writes.iter().enumerate();
            let others = others.filter(|&(other, _)| other != index);
            // A run reads its file, too.
            let runs = others.filter(|(_, it)| matches!(it.1, Output::Run));
            let mut reads = runs.map(|(_, it)| it.0).chain(self.reads.iter().copied());
            ensure!(
                !reads.any(|read| is_same_file(path, read)),
                "{name} is read: choose another file to write"
            );
            let mut earlier = self.writes[..index].iter();
            ensure_usage!(
                !earlier.any(|(other, _)| is_same_file(path, other)),
                "{name} is named twice: choose two files"
            );
            match output {
                Output::Replaced { force } => ensure_free(path, force)?,
                Output::Run => ensure_regular(path)?,
                Output::Other => {}
            }
        }
        Ok(())
    }
}

/// Refuses to overwrite a file without `force`, and a file that can't be written. Pipes and devices
/// have no contents that could be lost.
fn ensure_free(path: &Path, force: bool) -> Result<()> {
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

fn ensure_regular(path: &Path) -> Result<()> {
    ensure_named(path)?;
    ensure!(
        !path.exists() || path.is_file(),
        "{} is no regular file",
        path.display()
    );
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

/// Returns whether two paths lead to the same file. Pipes and devices can take two outputs.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let is_device_or_folder = one.exists() && !one.is_file();
    !is_device_or_folder && target(one).is_some() && target(one) == target(other)
}
