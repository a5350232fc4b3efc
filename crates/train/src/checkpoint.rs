//! The file that a fit writes with every point of its loss curve, so that it can be
//! resumed: a line with a checksum, and the state as `postcard` writes it.

use super::adam::{Checkpoint, EpochLoss};
use super::curve::LossPoint;
use quincunx_files::{self as files, WriteError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The first bytes of the files of all versions.
const NAME: &str = "quincunx checkpoint ";

/// Whether a file with this start holds checkpoints, of any version.
pub(crate) fn is_checkpoint(start: &[u8]) -> bool {
    start.starts_with(NAME.as_bytes())
}

/// The version of the file, raised with every change to what is in it. The checksum of what
/// follows the line comes next.
const VERSION: &str = "3 ";

/// The state of a fit: everything that is needed to resume it.
pub(crate) trait FitState: Clone + Serialize + DeserializeOwned {
    /// A point of the loss curve.
    type Point: LossPoint;
    /// Returns the loss curve so far.
    fn curve(&self) -> &[Self::Point];
}

impl FitState for Checkpoint {
    type Point = EpochLoss;

    fn curve(&self) -> &[EpochLoss] {
        &self.curve
    }
}

/// The checkpoints of the fits of one run, kept in a file if there is a path.
pub(crate) struct CheckpointFile<'a, S> {
    path: Option<&'a Path>,
    contents: Contents<S>,
    /// Why the file can't be used. The next checkpoint overwrites it.
    unusable: Option<&'static str>,
}

#[derive(Serialize, Deserialize)]
struct Contents<S> {
    /// Everything that decides the result of the run.
    fingerprint: String,
    /// Checkpoints by the name of the fit.
    fits: BTreeMap<String, S>,
}

impl<'a, S: FitState> CheckpointFile<'a, S> {
    /// Reads the checkpoints of a run with this fingerprint. A file that is damaged or of
    /// another run counts as empty. Drafts of it that a killed run has left are removed.
    ///
    /// # Errors
    /// Returns an error if the file is no checkpoint, or can't be read or written.
    pub(crate) fn open(
        path: Option<&'a Path>,
        fingerprint: String,
    ) -> Result<CheckpointFile<'a, S>, WriteError> {
        let mut found = None;
        if let Some(path) = path {
            files::expect_kind(path, is_checkpoint)
                .map_err(|error| WriteError::new(path, error))?;
            files::expect_writable(path)?;
            found = fs::read(path).ok().filter(|bytes| !bytes.is_empty());
        }
        let (contents, unusable) = match found.as_deref().map(parse::<S>) {
            None => (None, None),
            Some(Err(reason)) => (None, Some(reason)),
            Some(Ok(read)) if read.fingerprint != fingerprint => (None, Some("is of another fit")),
            Some(Ok(read)) => (Some(read), None),
        };
        Ok(CheckpointFile {
            path,
            unusable,
            contents: contents.unwrap_or_else(|| Contents {
                fingerprint,
                fits: BTreeMap::new(),
            }),
        })
    }

    /// Returns what a user should know about the file, if anything.
    pub(crate) fn note(&self) -> Option<String> {
        let path = self.path?.display();
        if let Some(reason) = self.unusable {
            return Some(format!("{path} {reason}; this fit starts anew"));
        }
        let fits = self.contents.fits.iter();
        let (name, latest) = fits.min_by_key(|(_, state)| state.curve().len())?;
        let (unit, number) = (S::Point::UNIT, latest.curve().last()?.number());
        Some(format!("{path}: resuming after {unit} {number} of {name}"))
    }

    /// Returns the state that a fit was in.
    pub(crate) fn get(&self, name: &str) -> Option<S> {
        self.contents.fits.get(name).cloned()
    }

    /// Writes the state of a fit.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub(crate) fn save(&mut self, name: &str, state: &S) -> Result<(), WriteError> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let fits = &mut self.contents.fits;
        fits.insert(name.to_owned(), state.clone());
        let contents = postcard::to_stdvec(&self.contents).map_err(io::Error::other);
        contents
            .and_then(|contents| {
                files::replace_with(path, |draft| {
                    writeln!(draft, "{NAME}{VERSION}{:08x}", crc32fast::hash(&contents))?;
                    draft.write_all(&contents)
                })
            })
            .map_err(|error| WriteError::new(path, error))
    }
}

/// The contents of a checkpoint file, or what is wrong with it.
fn parse<S: FitState>(bytes: &[u8]) -> Result<Contents<S>, &'static str> {
    let rest = bytes.strip_prefix(NAME.as_bytes()).ok_or("is damaged")?;
    let rest = rest
        .strip_prefix(VERSION.as_bytes())
        .ok_or("is of another version")?;
    let end = rest.iter().position(|&byte| byte == b'\n');
    let (checksum, contents) = rest.split_at(end.ok_or("is damaged")?);
    let contents = &contents[1..];
    if checksum != format!("{:08x}", crc32fast::hash(contents)).as_bytes() {
        return Err("is damaged");
    }
    postcard::from_bytes(contents).map_err(|_| "is damaged")
}
