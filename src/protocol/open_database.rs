//! The database that a session has open.

#[cfg(feature = "database")]
use quincunx_database::Database;
#[cfg(feature = "database")]
use std::sync::Arc;

/// The open database, which is also the engine's book.
#[derive(Default)]
pub(super) struct OpenDatabase {
    #[cfg(feature = "database")]
    pub(super) database: Option<Arc<Database>>,
    /// Whether the database may not be changed.
    pub(super) is_read_only: bool,
}
