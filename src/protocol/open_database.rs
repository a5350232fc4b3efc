//! The database that a session has open.

#[cfg(feature = "database")]
use quincunx_database::{Database, DatabaseBook};
use quincunx_engine::engine::Book;
use std::sync::Arc;

/// The open database, which may be a book of the engine's.
#[derive(Default)]
pub(super) struct OpenDatabase {
    #[cfg(feature = "database")]
    pub(super) database: Option<Arc<Database>>,
    /// True if the database may not be changed.
    pub(super) is_read_only: bool,
    /// True if its moves are played.
    pub(super) is_used: bool,
}

impl OpenDatabase {
    /// The database as a book, where it is used as one.
    #[cfg(feature = "database")]
    pub(super) fn book(&self) -> Option<Arc<dyn Book>> {
        let database = self.database.as_ref().filter(|_| self.is_used)?;
        Some(Arc::new(DatabaseBook(Arc::clone(database))))
    }

    /// No book: this program has no databases.
    #[cfg(not(feature = "database"))]
    pub(super) fn book(&self) -> Option<Arc<dyn Book>> {
        None
    }
}
