//! The file that a fit writes with every point of its loss curve, so that it can be
//! resumed.

use super::adam::{Checkpoint, EpochLoss};
use super::curve::LossPoint;
use quincunx_files::{self as files, WriteError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
    /// The file holds something else, which the next checkpoint will overwrite.
    overwrites: bool,
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
    /// Reads the checkpoints of a run with this fingerprint. A file that can't be
    /// read or is of another run counts as empty.
    pub fn open(path: Option<&'a Path>, fingerprint: String) -> CheckpointFile<'a, S> {
        let found = path.and_then(|path| fs::read(path).ok());
        let contents = found
            .as_deref()
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .filter(|contents: &Contents<S>| contents.fingerprint == fingerprint);
        CheckpointFile {
            path,
            overwrites: found.is_some() && contents.is_none(),
            contents: contents.unwrap_or_else(|| Contents {
                fingerprint,
                fits: BTreeMap::new(),
            }),
        }
    }

    /// Returns what a user should know about the file, if anything.
    pub fn note(&self) -> Option<String> {
        let path = self.path?.display();
        if self.overwrites {
            return Some(format!("{path} is of another fit; this one starts anew"));
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
        files::replace_with(path, |draft| {
            Ok(serde_json::to_writer(draft, &self.contents)?)
        })
        .map_err(|error| WriteError::new(path, error))
    }
}
