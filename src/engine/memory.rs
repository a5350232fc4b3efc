//! What an engine knows from one move to the next: its transposition table, and
//! how it comes to know more on the opponent's time.

use super::clock::Bounds;
use super::evaluation;
use super::options::TableSize;
use super::table_file::{self, TableFile, TableFileError};
use super::{Engine, Task};
use std::path::Path;
use std::time::Instant;

impl Engine {
    /// Goes on to search the position as it is, the opponent to move, so that
    /// much is known of it once the opponent has moved. Nothing is told of that.
    /// It ends with the next task, with [`Engine::stop`], or when the position
    /// changes. A search that still runs is dropped.
    ///
    /// Does nothing where [`Options::pondering`](super::Options::pondering) does not ask for it, where the
    /// game is over, and below full strength.
    pub fn ponder(&mut self) {
        let is_over = self.position.won() || self.position.empty_points() <= 1;
        if self.options.pondering && !is_over && self.options.level().is_none() {
            self.stop();
            let job = self.job(Task::Move, Bounds::UNLIMITED, Instant::now());
            self.search(job);
        }
    }

    /// Ends pondering; a search for an answer goes on.
    pub fn stop_pondering(&mut self) {
        if self
            .running
            .as_ref()
            .is_some_and(|running| running.is_pondering)
        {
            self.stop();
        }
    }

    /// How full the transposition table is with entries of the last search,
    /// per mille, and how large it is in bytes; `None` before the first.
    pub fn table_usage(&self) -> Option<(u32, usize)> {
        let table = self.worker.table()?;
        Some((table.fullness(), table.bytes()))
    }

    /// Forgets what earlier searches have found, once the running one is over.
    pub fn forget(&mut self) {
        self.stop_pondering();
        self.worker.forget();
    }

    /// Writes what the transposition table knows to a file, whole or not at
    /// all. Returns how many positions that are.
    ///
    /// # Errors
    /// When there is no table yet, or the file can't be written.
    pub fn save_table(&mut self, path: &Path) -> Result<u64, TableFileError> {
        self.stop_pondering();
        let table = self.worker.table().ok_or(TableFileError::Empty)?;
        table_file::save(&table, evaluation::mark(), path)
    }

    /// Adds what [`Engine::save_table`] has written to the transposition table,
    /// which may have another size. Returns how many positions were read: where
    /// there is not room for all, those searched deepest stay. A search that
    /// still runs is made to answer.
    ///
    /// # Errors
    /// When the file can't be read, is something else, or comes from searches
    /// with other evaluation tables. The table is as it was then.
    pub fn load_table(&mut self, path: &Path) -> Result<u64, TableFileError> {
        let file = TableFile::open(path, evaluation::mark())?;
        self.stop();
        // A new one for all the file may hold; an old one stays only if the next
        // search keeps it too.
        let table = self.worker.prepare(TableSize {
            new: self.options.table_bytes(),
            ..self.table_size()
        });
        file.read_into(&*table.ok_or(TableFileError::Empty)?)
    }
}
