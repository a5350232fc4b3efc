//! How far an import is, for those who wait for it and may stop it.

use super::error::DatabaseError;
use std::ops::ControlFlow;

/// A step of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// It makes sense of the file.
    Read,
    /// It writes the positions.
    Write,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportProgress {
    /// The step of the import.
    pub step: ImportStep,
    /// The lines, moves or positions that are done.
    pub done: u64,
    /// How many there are in this step.
    pub total: u64,
}

/// Hears of each position, and says whether the import goes on.
pub type ImportWatch<'a> = &'a mut dyn FnMut(ImportProgress) -> ControlFlow<()>;

impl ImportStep {
    /// Tells how far this step is.
    ///
    /// # Errors
    /// When the import is to stop.
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

/// Lets everything go on.
pub(super) fn never_stop(_: ImportProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
