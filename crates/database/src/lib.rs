//! A database of positions in a file: for each a label, a value, a comment, and
//! the mark that a GUI shows on the point of the last move.
//!
//! Positions that differ only by symmetry or by the order of moves are
//! one. The file is an [SQLite](https://sqlite.org) database, with the tables of `schema.sql`: each
//! change is on the disk when the call returns, and a process that is killed keeps the changes made
//! before.

mod book;
mod destination;
mod diagram;
mod entry;
mod error;
mod file;
mod library;
mod open;
mod progress;
mod store;
mod sweep;
mod table;
mod text;
mod upkeep;

pub use book::{Advice, DatabaseBook};
pub use destination::Destination;
pub use entry::{Entry, ValueBound};
pub use error::{DatabaseError, LineError, TextError};
pub use file::FileFormat;
pub use progress::{ImportProgress, ImportStep, ImportWatch};
pub use quincunx_records::renlib::LibraryError;
pub use store::{Database, TransferCount};
pub use sweep::SweepAction;
pub use text::is_text;
pub use upkeep::CheckReport;
