//! The file that a fit writes after every epoch, so that it can be resumed.

use super::adam::Checkpoint;
use crate::files::{self, WriteError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The checkpoints of the fits of one run, kept in a file if there is a path.
pub struct CheckpointFile<'a> {
    path: Option<&'a Path>,
    contents: Contents,
    /// The file holds something else, which the next epoch will overwrite.
    overwrites: bool,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    /// Everything that decides the result of the run.
    #[serde(rename = "ingredients")]
    fingerprint: String,
    /// Checkpoints by the name of the fit.
    fits: BTreeMap<String, Checkpoint>,
}

impl<'a> CheckpointFile<'a> {
    /// Reads the checkpoints of a run with this fingerprint. A file that can't be
    /// read or is of another run counts as empty.
    pub fn open(path: Option<&'a Path>, fingerprint: String) -> CheckpointFile<'a> {
        let found = path.and_then(|path| fs::read(path).ok());
        let contents = found
            .as_deref()
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .filter(|contents: &Contents| contents.fingerprint == fingerprint);
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
        let (name, latest) = fits.min_by_key(|(_, checkpoint)| checkpoint.curve.len())?;
        let epochs = latest.curve.len();
        Some(format!("{path}: resuming after epoch {epochs} of {name}"))
    }

    /// Returns the checkpoint of a fit.
    pub fn get(&self, name: &str) -> Option<Checkpoint> {
        self.contents.fits.get(name).cloned()
    }

    /// Writes the checkpoint of a fit.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn save(&mut self, name: &str, checkpoint: &Checkpoint) -> Result<(), WriteError> {
        let Some(path) = self.path else {
            return Ok(());
        };
        let fits = &mut self.contents.fits;
        fits.insert(name.to_owned(), checkpoint.clone());
        files::replace_with(path, |draft| {
            Ok(serde_json::to_writer(draft, &self.contents)?)
        })
        .map_err(|error| WriteError::new(path, error))
    }
}
