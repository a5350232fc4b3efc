//! Tables of the evaluation from files.

use super::Engine;
use crate::eval::{EvalTables, TablesError};
use crate::rules::Rule;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Files are read up to here: several times the size of any tables.
const LARGEST: u64 = 1 << 20;

/// Why a file can't be evaluated with.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The system says no.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A folder or a device, which could keep its reader waiting forever.
    #[error("there is no plain file with this name")]
    NoFile,
    /// It holds something else.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

/// The tables in a file, as [`EvalTables::to_bytes`] writes them.
///
/// # Errors
/// When it can't be read or holds anything else.
pub fn read_tables(path: &Path) -> Result<EvalTables, EvaluationError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(EvaluationError::NoFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(EvalTables::from_bytes(&bytes)?)
}

/// Tells the tables that are evaluated with from others.
pub(super) fn mark() -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for rule in Rule::ALL {
        hasher.update(&EvalTables::of(rule).to_bytes());
    }
    hasher.finalize()
}

impl Engine {
    /// Evaluates with the tables in a file from the next search on, and so does
    /// every other engine of the process. Returns the rule they are for.
    ///
    /// # Errors
    /// When the file can't be read or holds anything else. Nothing has changed
    /// then.
    pub fn load_evaluation(&mut self, path: &Path) -> Result<Rule, EvaluationError> {
        let tables = read_tables(path)?;
        let rule = tables.rule;
        tables.install();
        self.forget();
        Ok(rule)
    }
}
