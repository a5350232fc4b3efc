//! The file that a fit writes with every point of its loss curve, so that it can be
//! resumed: a line with a checksum, and JSON.

use super::adam::{Checkpoint, EpochLoss};
use super::curve::LossPoint;
use quincunx_files::{self as files, WriteError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How the file begins. The checksum of what follows the line comes next.
const HEADING: &str = "quincunx checkpoint 1 ";

/// How the files of earlier versions begin, which have no such line.
const EARLIER: &[u8] = b"{\"ingredients\":";

/// The state of a fit: all that it takes to go on.
pub trait FitState: Clone + Serialize + DeserializeOwned {
    /// A point of the loss curve.
    type Loss: LossPoint;
    /// Returns the loss curve so far.
    fn curve(&self) -> &[Self::Loss];
}

impl FitState for Checkpoint {
    type Loss = EpochLoss;

    fn curve(&self) -> &[EpochLoss] {
        &self.curve
    }
}

/// The checkpoints of the fits of one run, kept in a file if there is a path.
pub struct CheckpointFile<'a, S> {
    path: Option<&'a Path>,
    contents: Contents<S>,
    /// What is wrong with the file, which the next checkpoint will overwrite.
    unusable: Option<&'static str>,
}

#[derive(Serialize, Deserialize)]
struct Contents<S> {
    /// Everything that decides the result of the run.
    #[serde(rename = "ingredients")]
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
    pub fn open(
        path: Option<&'a Path>,
        fingerprint: String,
    ) -> Result<CheckpointFile<'a, S>, WriteError> {
        let mut found = None;
        if let Some(path) = path {
            files::remove_drafts(path);
            let is_checkpoint =
                |start: &[u8]| start.starts_with(HEADING.as_bytes()) || start.starts_with(EARLIER);
            files::expect_kind(path, is_checkpoint)
                .map_err(|error| WriteError::new(path, error))?;
            files::expect_writable(path)?;
            found = fs::read(path).ok().filter(|bytes| !bytes.is_empty());
        }
        let read = found.as_deref().map(parse::<S>);
        let (contents, unusable) = match read {
            None => (None, None),
            Some(None) => (None, Some("is damaged")),
            Some(Some(read)) if read.fingerprint != fingerprint => {
                (None, Some("is of another fit"))
            }
            Some(read) => (read, None),
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
    pub fn note(&self) -> Option<String> {
        let path = self.path?.display();
        if let Some(reason) = self.unusable {
            return Some(format!("{path} {reason}; this fit starts anew"));
        }
        let fits = self.contents.fits.iter();
        let (name, latest) = fits.min_by_key(|(_, state)| state.curve().len())?;
        let (unit, number) = (S::Loss::UNIT, latest.curve().last()?.number());
        Some(format!("{path}: resuming after {unit} {number} of {name}"))
    }

    /// Returns the state that a fit was in.
    pub fn get(&self, name: &str) -> Option<S> {
        self.contents.fits.get(name).cloned()
    }

    /// Writes the state of a fit.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn save(&mut self, name: &str, state: &S) -> Result<(), WriteError> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let fits = &mut self.contents.fits;
        fits.insert(name.to_owned(), state.clone());
        let written = serde_json::to_vec(&self.contents).map_err(Into::into);
        written
            .and_then(|json| {
                files::replace_with(path, |draft| {
                    writeln!(draft, "{HEADING}{:08x}", crc32fast::hash(&json))?;
                    draft.write_all(&json)
                })
            })
            .map_err(|error| WriteError::new(path, error))
    }
}

/// The contents of a checkpoint file. `None` if they are not as they were written.
fn parse<S: FitState>(bytes: &[u8]) -> Option<Contents<S>> {
    if bytes.starts_with(EARLIER) {
        return serde_json::from_slice(bytes).ok();
    }
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (heading, json) = (&bytes[..end], &bytes[end + 1..]);
    let checksum = heading.strip_prefix(HEADING.as_bytes())?;
    let is_whole = checksum == format!("{:08x}", crc32fast::hash(json)).as_bytes();
    serde_json::from_slice(json).ok().filter(|_| is_whole)
}
