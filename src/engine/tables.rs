//! Evaluation tables from files.

use super::facade::Engine;
use crate::eval::{ClassicalWeights, EvalTables, TablesError};
use crate::files;
use crate::rules::Rule;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Why evaluation tables can't be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum TablesFileError {
    /// The file can't be read, or is none.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The file holds something else.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

/// Reads evaluation tables from a file, as [`EvalTables::to_bytes`] writes them.
///
/// # Errors
/// When the file can't be read or holds anything else.
pub fn read_tables(path: &Path) -> Result<EvalTables, TablesFileError> {
    Ok(EvalTables::from_bytes(&files::read(path)?)?)
}

impl Engine {
    /// Evaluates with the tables in a file from the next search on. Returns the
    /// rule they are for; other rules keep theirs.
    ///
    /// # Errors
    /// When the file can't be read or holds anything else. Nothing has changed
    /// then.
    pub fn load_tables(&mut self, path: &Path) -> Result<Rule, TablesFileError> {
        let tables = read_tables(path)?;
        let rule = tables.rule;
        self.set_weights(rule, Arc::new(ClassicalWeights::new(tables)));
        Ok(rule)
    }
}
