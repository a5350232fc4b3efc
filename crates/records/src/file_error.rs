//! The kind and location of an error in a file, for front ends that translate it.

use super::drawing::DrawingError;
use super::lines::TextPosition;
use super::psq::PsqError;
use super::reader::OpenError;
use super::record::ReplayError;
use super::record_tree::TreeError;
use super::renlib::LibraryError;
use super::rif::RifError;
use super::sgf::{PropertyProblem, SgfError};
use super::yixin::SavedError;
use quincunx_engine::game::{MoveError, SetUpError};
use quincunx_engine::position::notation::{MovesError, MovesProblem, ParseLineError};

/// The kind of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileErrorKind {
    /// The encoding is ambiguous, and the moves depend on it.
    Encoding,
    /// The text ends too early, or contains neither a move nor a value where one is expected.
    Syntax,
    /// The file is a record of another game.
    OtherGame,
    /// The board's size is impossible.
    Size,
    /// The rule is unknown.
    Rule,
    /// A point is off the board.
    OffBoard,
    /// A point has a stone already.
    Taken,
    /// A move is forbidden, or comes after the end of the game.
    Move,
    /// A move is missing, or some are in brackets, so that the game is ambiguous.
    Unclear,
    /// The stones that are set up are impossible, or come too late.
    SetUp,
    /// The file has no game of this number.
    NoGame,
    /// Other files are packed in the file.
    Archive,
    /// The file has a known format without moves, such as a picture.
    OtherFormat,
    /// The file is of no known format.
    Unknown,
}

/// The location of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Location {
    /// A line, from one, and if known a character of it, from one.
    Line {
        /// The line.
        line: usize,
        /// The character.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        column: Option<usize>,
    },
    /// At a byte, from zero.
    Byte {
        /// The byte.
        byte: usize,
    },
    /// At a move, from one.
    Move {
        /// The move.
        number: usize,
    },
}

/// An error in a file, by kind and location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Its kind.
    pub kind: FileErrorKind,
    /// Its place, where it has one.
    pub location: Option<Location>,
}

impl From<TextPosition> for Location {
    fn from(place: TextPosition) -> Location {
        Location::Line {
            line: place.line as usize,
            column: Some(place.column as usize),
        }
    }
}

impl FileError {
    const fn nowhere(kind: FileErrorKind) -> FileError {
        FileError {
            kind,
            location: None,
        }
    }

    fn at(kind: FileErrorKind, place: impl Into<Location>) -> FileError {
        FileError {
            kind,
            location: Some(place.into()),
        }
    }

    fn in_line(kind: FileErrorKind, line: usize) -> FileError {
        FileError::at(kind, Location::Line { line, column: None })
    }
}

impl OpenError {
    /// The kind and location of this error.
    pub fn file_error(&self) -> FileError {
        match self {
            OpenError::OtherFormat(error) if error.is_archive => {
                FileError::nowhere(FileErrorKind::Archive)
            }
            OpenError::OtherFormat(_) => FileError::nowhere(FileErrorKind::OtherFormat),
            OpenError::Encoding(error) => FileError::at(FileErrorKind::Encoding, error.place),
            OpenError::Sgf(error) => of_sgf(error),
            OpenError::Psq(error) => of_psq(error),
            OpenError::Saved(error) => of_saved(error),
            OpenError::Line(error) => of_line(error),
            OpenError::Moves(error) => of_moves(error),
            OpenError::Replay(ReplayError::SetUp(error))
            | OpenError::Tree(TreeError::SetUp(error)) => FileError::nowhere(of_set_up(error)),
            OpenError::Replay(ReplayError::Move { number, error }) => {
                FileError::at(of_move(error), Location::Move { number: *number })
            }
            OpenError::Tree(TreeError::Move {
                place,
                number,
                error,
            }) => {
                let place = place.map_or(Location::Move { number: *number }, Location::from);
                FileError::at(of_move(error), place)
            }
            OpenError::OfLine { line, error } => FileError::in_line(of_line(error).kind, *line),
            OpenError::NoGame { .. } => FileError::nowhere(FileErrorKind::NoGame),
            // Those who ask for the kind read no files as large as that.
            OpenError::Memory(_) | OpenError::Library(LibraryError::Memory(_)) => {
                FileError::nowhere(FileErrorKind::Unknown)
            }
            OpenError::Rif(error) => match error {
                RifError::Xml(error) => FileError::at(FileErrorKind::Syntax, error.place),
                RifError::Cut(place) => FileError::at(FileErrorKind::Syntax, *place),
                RifError::Memory(_) | RifError::Empty => FileError::nowhere(FileErrorKind::Unknown),
            },
            OpenError::Drawing(error) => {
                let (DrawingError::Row { line, .. }
                | DrawingError::Height { line, .. }
                | DrawingError::Number { line, .. }
                | DrawingError::Moves { line, .. }) = error;
                FileError::in_line(FileErrorKind::Syntax, *line)
            }
            OpenError::Library(error) => FileError::at(FileErrorKind::Syntax, byte_of(error)),
            OpenError::Unknown => FileError::nowhere(FileErrorKind::Unknown),
        }
    }
}

fn of_sgf(error: &SgfError) -> FileError {
    match error {
        SgfError::Memory(_) => FileError::nowhere(FileErrorKind::Unknown),
        SgfError::Syntax(error) => FileError::at(FileErrorKind::Syntax, error.place),
        SgfError::Property { place, problem, .. } => {
            let kind = match problem {
                PropertyProblem::Game => FileErrorKind::OtherGame,
                PropertyProblem::Size | PropertyProblem::OtherSize => FileErrorKind::Size,
                PropertyProblem::Point(_) => FileErrorKind::OffBoard,
                PropertyProblem::Color => FileErrorKind::Syntax,
                PropertyProblem::Taken(_) => FileErrorKind::Taken,
                PropertyProblem::TwoMoves
                | PropertyProblem::OtherName
                | PropertyProblem::TooMany => FileErrorKind::Unclear,
                PropertyProblem::LateSetup | PropertyProblem::SetupInVariation => {
                    FileErrorKind::SetUp
                }
            };
            FileError::at(kind, *place)
        }
    }
}

fn of_psq(error: &PsqError) -> FileError {
    match error {
        PsqError::Heading(line)
        | PsqError::NoStone { line, .. }
        | PsqError::Between { line, .. }
        | PsqError::NoName { line, .. }
        | PsqError::NoPlayers(line)
        | PsqError::NoStones(line)
        | PsqError::Cut(line) => FileError::in_line(FileErrorKind::Syntax, *line),
        PsqError::Size { line, .. } => FileError::in_line(FileErrorKind::Size, *line),
        PsqError::OffBoard { line, .. } => FileError::in_line(FileErrorKind::OffBoard, *line),
        PsqError::Taken { line, .. } => FileError::in_line(FileErrorKind::Taken, *line),
        PsqError::OutOfTurn(number) => {
            FileError::at(FileErrorKind::Unclear, Location::Move { number: *number })
        }
    }
}

fn of_saved(error: &SavedError) -> FileError {
    match error {
        SavedError::Number { place, .. } => FileError::at(FileErrorKind::Syntax, *place),
        SavedError::Stone { place, .. } => FileError::at(FileErrorKind::Move, *place),
        SavedError::Count { place, .. } => FileError::at(FileErrorKind::Unclear, *place),
        SavedError::ByteCount { .. } => {
            FileError::at(FileErrorKind::Unclear, Location::Byte { byte: 0 })
        }
        SavedError::Byte { at, .. } => {
            FileError::at(FileErrorKind::Move, Location::Byte { byte: *at })
        }
    }
}

/// The location of an error in a library.
fn byte_of(error: &LibraryError) -> Location {
    let byte = match error {
        LibraryError::Header | LibraryError::Memory(_) => 0,
        LibraryError::Version(..) => 8,
        LibraryError::Damaged { at, .. } => *at,
    };
    Location::Byte { byte }
}

fn of_line(error: &ParseLineError) -> FileError {
    match error {
        ParseLineError::Missing => FileError::nowhere(FileErrorKind::Syntax),
        ParseLineError::Size(_) => FileError::nowhere(FileErrorKind::Size),
        ParseLineError::Rule(_) => FileError::nowhere(FileErrorKind::Rule),
        ParseLineError::Moves(error) => of_moves(error),
    }
}

fn of_moves(error: &MovesError) -> FileError {
    let kind = match error.problem {
        MovesProblem::Syntax(_) => FileErrorKind::Syntax,
        MovesProblem::OffBoard { .. } => FileErrorKind::OffBoard,
        MovesProblem::Taken(_) => FileErrorKind::Taken,
        MovesProblem::Number(_) | MovesProblem::Brackets | MovesProblem::TooMany => {
            FileErrorKind::Unclear
        }
    };
    FileError::at(kind, error.position)
}

fn of_move(error: &MoveError) -> FileErrorKind {
    match error {
        MoveError::Taken(_) => FileErrorKind::Taken,
        MoveError::OffBoard(_) => FileErrorKind::OffBoard,
        MoveError::Over(_) | MoveError::Forbidden(..) => FileErrorKind::Move,
    }
}

fn of_set_up(error: &SetUpError) -> FileErrorKind {
    match error {
        SetUpError::Stone { error, .. } => of_move(error),
        SetUpError::Won(_) | SetUpError::Stuck(_) => FileErrorKind::SetUp,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{ReadDefaults, Source, open};
    use quincunx_engine::rules::{BoardSize, Rule};

    fn fault(name: Option<&str>, text: &str) -> FileError {
        let source = Source {
            bytes: text.as_bytes(),
            name,
            encoding: None,
        };
        let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
        open(source, expected).unwrap_err().file_error()
    }

    #[test]
    fn faults_have_a_kind_and_a_place() {
        let line = |line, column| Some(Location::Line { line, column });
        for (name, text, kind, place) in [
            (None, "", FileErrorKind::Unknown, None),
            (None, "PK\x03\x04", FileErrorKind::Archive, None),
            (Some("a.sgf"), "GIF89a", FileErrorKind::OtherFormat, None),
            (
                None,
                "h8\nnonsense",
                FileErrorKind::Syntax,
                line(2, Some(1)),
            ),
            (None, "h8 h8", FileErrorKind::Taken, line(1, Some(4))),
            (None, "h8 p1", FileErrorKind::OffBoard, line(1, Some(4))),
            (
                None,
                "1. h8 i9 3. a1",
                FileErrorKind::Unclear,
                line(1, Some(10)),
            ),
            (
                None,
                "9 renju h8 p1",
                FileErrorKind::OffBoard,
                line(1, Some(12)),
            ),
            (
                None,
                "(;GM[4]SZ[15]\n;B[zz])",
                FileErrorKind::OffBoard,
                line(2, Some(2)),
            ),
            (
                None,
                "(;GM[1]SZ[19];B[aa])",
                FileErrorKind::OtherGame,
                line(1, Some(3)),
            ),
            (
                None,
                "(;GM[4]SZ[99];B[aa])",
                FileErrorKind::Size,
                line(1, Some(8)),
            ),
            (
                Some("game.psq"),
                "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n",
                FileErrorKind::Taken,
                line(3, None),
            ),
            (
                Some("game.lib"),
                "no library",
                FileErrorKind::Syntax,
                Some(Location::Byte { byte: 0 }),
            ),
        ] {
            assert_eq!(
                fault(name, text),
                FileError {
                    kind,
                    location: place
                },
                "{text:?}"
            );
        }
    }
}
