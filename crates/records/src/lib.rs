//! Games in files: SGF, PSQ, RenLib, RenjuNet's XML, text and others.
//!
//! Everything that asks for a position or a game reads through [`open`].
//! Nothing here opens a file or searches.

mod date;
mod door;
mod drawing;
mod encoding;
mod fault;
mod file_format;
mod foreign;
mod loss;
mod memory;
mod opening_file;
mod pgn;
mod place;
mod property;
pub mod psq;
mod record;
mod record_tree;
mod remark;
pub mod renlib;
mod rif;
mod rule_name;
pub mod sgf;
mod stone_name;
pub mod text;
mod xml;
pub mod yixin;

pub use date::Date;
pub use door::{Content, Expected, GameFile, OpenError, Source, open, open_position, recognise};
pub use drawing::DrawingError;
pub use encoding::{AmbiguousError, Encoding, ParseEncodingError};
pub use fault::{Fault, FaultKind, FaultPlace};
pub use file_format::FileFormat;
pub use foreign::{ForeignFileError, expect_no_foreign};
pub use loss::Loss;
pub use memory::{MemoryError, expect_memory};
pub use opening_file::{OpeningFileError, read_openings};
pub use place::{Place, lines};
pub use record::{GameRecord, RecordedMove, ReplayError};
pub use record_tree::{Notes, RecordNode, RecordTree, TreeError};
pub use remark::{Remark, RemarkKind, first_remarks};
pub use rif::RifError;
pub use xml::XmlError;
