//! The progress of an import, for callers that show it or may stop it.

use super::error::DatabaseError;
use std::ops::ControlFlow;

/// A step of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// The file is read.
    Read,
    /// The positions are written.
    Write,
}

/// The progress of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportProgress {
    /// The step of the import.
    pub step: ImportStep,
    /// The number of lines, moves or positions that are done.
    pub done: u64,
    /// The number of all of them in this step.
    pub total: u64,
}

/// Called with the progress for each position. It returns whether the import continues.
pub type ImportWatch<'a> = &'a mut dyn FnMut(ImportProgress) -> ControlFlow<()>;

impl ImportStep {
    /// Reports the progress of a step.
    ///
    /// # Errors
    /// When the watch stops the import.
    pub(super) fn tell(
        self,
        done: u64,
        total: u64,
        watch: ImportWatch<'_>,
    ) -> Result<(), DatabaseError> {
        let step = self;
        match watch(ImportProgress { step, done, total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(DatabaseError::Stopped),
        }
    }
}

/// A watch that never stops an import.
pub(super) fn never_stop(_: ImportProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
