//! Games in files: SGF, PSQ, RenLib, RenjuNet's XML, text and others.
//!
//! Everything that asks for a position or a game reads through [`open`].
//! Nothing here opens a file or searches.

mod date;
mod drawing;
mod encoding;
mod file_error;
mod file_format;
mod lines;
mod memory;
mod opening_file;
mod other_formats;
mod pgn;
mod property;
pub mod psq;
mod reader;
mod record;
mod record_tree;
pub mod renlib;
mod rif;
mod rule_name;
pub mod sgf;
mod stone_name;
pub mod text;
mod unsupported;
mod warning;
mod xml;
mod yixin;

pub use date::{Date, ParseDateError};
pub use drawing::DrawingError;
pub use encoding::{AmbiguousError, Encoding, ParseEncodingError};
pub use file_error::{FileError, FileErrorKind, Location};
pub use file_format::FileFormat;
pub use lines::{TextPosition, lines};
pub use memory::{MemoryError, expect_memory};
pub use opening_file::{OpeningFileError, read_openings};
pub use other_formats::{OtherFormatError, reject_other_formats};
pub use reader::{
    FileSummary, GameFile, OpenError, ReadDefaults, Source, open, open_position, recognise,
};
pub use record::{GameRecord, RecordedMove, ReplayError};
pub use record_tree::{Notes, RecordNode, RecordTree, TreeError};
pub use rif::RifError;
pub use unsupported::UnsupportedFeature;
pub use warning::{Warning, WarningKind, first_warnings};
pub use xml::XmlError;
pub use yixin::SavedError;
