//! What an engine knows from one move to the next: its transposition table.

use super::Engine;
use super::table_file::{self, TableFile, TableFileError};
use std::path::Path;

impl Engine {
    /// How full the transposition table is with entries of the last search,
    /// per mille, and how large it is in bytes; `None` before the first.
    pub fn table_usage(&self) -> Option<(u32, usize)> {
        let table = self.worker.table()?;
        Some((table.fullness(), table.bytes()))
    }

    /// Forgets what earlier searches have found, once the running one is over.
    pub fn forget(&mut self) {
        self.worker.forget();
    }

    /// Writes what the transposition table knows to a file, whole or not at
    /// all. Returns how many positions that are.
    ///
    /// # Errors
    /// When there is no table yet, or the file can't be written.
    pub fn save_table(&mut self, path: &Path) -> Result<u64, TableFileError> {
        let table = self.worker.table().ok_or(TableFileError::Empty)?;
        table_file::save(&table, path)
    }

    /// Adds what [`Engine::save_table`] has written to the transposition table,
    /// which may have another size. Returns how many positions were read: where
    /// there is not room for all, those searched deepest stay. A search that
    /// still runs is made to answer.
    ///
    /// # Errors
    /// When the file can't be read or is something else. The table is as it was
    /// then.
    pub fn load_table(&mut self, path: &Path) -> Result<u64, TableFileError> {
        let file = TableFile::open(path)?;
        self.stop();
        let table = self.worker.prepare(self.options.table_bytes());
        file.read_into(&*table.ok_or(TableFileError::Empty)?)
    }
}
