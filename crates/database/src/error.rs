//! Why a database can't be read or written.

use quincunx_engine::position::notation::ParseLineError;
use quincunx_engine::rules::BoardSize;
use quincunx_records::renlib::LibraryError;
use quincunx_records::{FileFormat, MemoryError, OtherFormatError};
use rusqlite::ErrorCode;

/// Why a database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file can't be read or written, or another program locks it.
    #[error("{0}")]
    Store(rusqlite::Error),
    /// The file is something else.
    #[error("no database is in this file")]
    Foreign,
    /// The file is of version 0.2 or earlier.
    #[error(
        "a database of version 0.2 or earlier, which this version does not read: export it as text \
         with that version, and import the text"
    )]
    Earlier,
    /// The file has changed since it was written.
    #[error("the database is damaged, and left as it is: use a copy, or one that is imported anew")]
    Damaged,
    /// Another database is to be written to a stream.
    #[error("a database needs a file of its own")]
    Stream,
    /// Positions are to be written to the database that they come from.
    #[error("this is the database itself")]
    Itself,
    /// An entry is not as this program writes it.
    #[error("an entry makes no sense: {0}")]
    Entry(#[from] serde_json::Error),
    /// A key is not as this program writes it.
    #[error("a key makes no sense")]
    Key,
    /// A file to be read has no positions.
    #[error(transparent)]
    OtherKind(#[from] OtherFormatError),
    /// The file to read has a game instead of positions.
    #[error(
        "this is a game in {0}: open it on the board and save it as RenLib, which has positions"
    )]
    Game(FileFormat),
    /// A file to be read is not a library.
    #[error("no library: {0}")]
    Library(#[from] LibraryError),
    /// A file to be read takes too much memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A file to be read is not a database as text.
    #[error("{0}")]
    Text(#[from] TextError),
    /// A file of another format can't be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The import was stopped. Nothing has changed.
    #[error("stopped")]
    Stopped,
    /// Libraries have no board of this size.
    #[error("a library has boards up to 15x15, not {0}")]
    TooLarge(BoardSize),
}

/// Why text is not a database.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TextError {
    /// The number of the line, from one.
    pub line: usize,
    /// The error in the line.
    pub reason: LineError,
}

/// Why a line of text is not one of a database.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line is not UTF-8.
    #[error("no text in UTF-8")]
    Encoding,
    /// The last line has no end, unlike the others.
    #[error("the file may be cut short: its last line has no end")]
    Cut,
    /// The first part of the line is not a position.
    #[error(transparent)]
    Position(#[from] ParseLineError),
    /// The second part of the line is not an entry.
    #[error("after the position: {0}")]
    Entry(#[from] serde_json::Error),
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> DatabaseError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => DatabaseError::Damaged,
            _ => DatabaseError::Store(error),
        }
    }
}

impl DatabaseError {
    /// Returns true if an error comes from the system and not from the content of the file.
    pub(super) fn is_of_the_system(&self) -> bool {
        let DatabaseError::Store(error) = self else {
            return matches!(self, DatabaseError::File(_));
        };
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::SystemIoFailure
                    | ErrorCode::CannotOpen
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::OutOfMemory
                    | ErrorCode::PermissionDenied
            )
        )
    }
}
