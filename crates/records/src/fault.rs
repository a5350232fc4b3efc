//! What is wrong with a file, by kind and place, for fronts that say it in other languages.

use super::door::OpenError;
use super::drawing::DrawingError;
use super::place::Place;
use super::psq::PsqError;
use super::record::ReplayError;
use super::record_tree::TreeError;
use super::renlib::LibraryError;
use super::rif::RifError;
use super::sgf::{PropertyProblem, SgfError};
use super::yixin::SavedError;
use quincunx_engine::game::{MoveError, SetUpError};
use quincunx_engine::position::notation::{MovesError, MovesProblem, ParseLineError};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// The encoding is not known, and decides.
    Encoding,
    /// The text breaks off, or something else stands where a move or a value should.
    Syntax,
    /// The file is a record of another game.
    OtherGame,
    /// There is no such board.
    Size,
    /// There is no such rule.
    Rule,
    /// A point is off the board.
    OffBoard,
    /// A point has a stone already.
    Taken,
    /// A move is forbidden, or comes after the end of the game.
    Move,
    /// A move is missing between two, or some stand in brackets: which game it is, is not clear.
    Unclear,
    /// The stones that are set up are impossible, or come too late.
    SetUp,
    /// The file has no game of this number.
    NoGame,
    /// Other files are packed in the file.
    Archive,
    /// The file is of a known kind that has no moves, such as a picture.
    Foreign,
    /// The file is of no known format.
    Unknown,
}

/// Where a fault stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPlace {
    /// In a line, from one; at a character of it, from one, where that is known.
    Line(usize, Option<usize>),
    /// At a byte, from zero.
    Byte(usize),
    /// At a move, from one.
    Move(usize),
}

/// A fault of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// Its place, where it has one.
    pub place: Option<FaultPlace>,
}

impl From<Place> for FaultPlace {
    fn from(place: Place) -> FaultPlace {
        FaultPlace::Line(place.line as usize, Some(place.column as usize))
    }
}

impl Fault {
    const fn nowhere(kind: FaultKind) -> Fault {
        Fault { kind, place: None }
    }

    fn at(kind: FaultKind, place: impl Into<FaultPlace>) -> Fault {
        Fault {
            kind,
            place: Some(place.into()),
        }
    }

    fn in_line(kind: FaultKind, line: usize) -> Fault {
        Fault::at(kind, FaultPlace::Line(line, None))
    }
}

impl OpenError {
    /// The kind and the place of what is wrong.
    pub fn fault(&self) -> Fault {
        match self {
            OpenError::Foreign(error) if error.is_archive => Fault::nowhere(FaultKind::Archive),
            OpenError::Foreign(_) => Fault::nowhere(FaultKind::Foreign),
            OpenError::Encoding(error) => Fault::at(FaultKind::Encoding, error.place),
            OpenError::Sgf(error) => of_sgf(error),
            OpenError::Psq(error) => of_psq(error),
            OpenError::Saved(error) => of_saved(error),
            OpenError::Line(error) => of_line(error),
            OpenError::Moves(error) => of_moves(error),
            OpenError::Replay(ReplayError::SetUp(error))
            | OpenError::Tree(TreeError::SetUp(error)) => Fault::nowhere(of_set_up(error)),
            OpenError::Replay(ReplayError::Move { number, error }) => {
                Fault::at(of_move(error), FaultPlace::Move(*number))
            }
            OpenError::Tree(TreeError::Move {
                place,
                number,
                error,
            }) => {
                let place = place.map_or(FaultPlace::Move(*number), FaultPlace::from);
                Fault::at(of_move(error), place)
            }
            OpenError::OfLine { line, error } => Fault::in_line(of_line(error).kind, *line),
            OpenError::NoGame { .. } => Fault::nowhere(FaultKind::NoGame),
            // Those who ask for the kind read no files as large as that.
            OpenError::Memory(_) | OpenError::Library(LibraryError::Memory(_)) => {
                Fault::nowhere(FaultKind::Unknown)
            }
            OpenError::Rif(error) => match error {
                RifError::Xml(error) => Fault::at(FaultKind::Syntax, error.place),
                RifError::Cut(place) => Fault::at(FaultKind::Syntax, *place),
                RifError::Memory(_) | RifError::Empty => Fault::nowhere(FaultKind::Unknown),
            },
            OpenError::Drawing(error) => {
                let (DrawingError::Row { line, .. }
                | DrawingError::Height { line, .. }
                | DrawingError::Number { line, .. }
                | DrawingError::Moves { line, .. }) = error;
                Fault::in_line(FaultKind::Syntax, *line)
            }
            OpenError::Library(error) => Fault::at(FaultKind::Syntax, byte_of(error)),
            OpenError::Unknown => Fault::nowhere(FaultKind::Unknown),
        }
    }
}

fn of_sgf(error: &SgfError) -> Fault {
    match error {
        SgfError::Memory(_) => Fault::nowhere(FaultKind::Unknown),
        SgfError::Syntax(error) => Fault::at(FaultKind::Syntax, error.place),
        SgfError::Property { place, problem, .. } => {
            let kind = match problem {
                PropertyProblem::Game => FaultKind::OtherGame,
                PropertyProblem::Size | PropertyProblem::OtherSize => FaultKind::Size,
                PropertyProblem::Point(_) => FaultKind::OffBoard,
                PropertyProblem::Color => FaultKind::Syntax,
                PropertyProblem::Taken(_) => FaultKind::Taken,
                PropertyProblem::TwoMoves
                | PropertyProblem::OtherName
                | PropertyProblem::TooMany => FaultKind::Unclear,
                PropertyProblem::LateSetup | PropertyProblem::SetupInVariation => FaultKind::SetUp,
            };
            Fault::at(kind, *place)
        }
    }
}

fn of_psq(error: &PsqError) -> Fault {
    match error {
        PsqError::Heading(line)
        | PsqError::NoStone { line, .. }
        | PsqError::Between { line, .. }
        | PsqError::NoName { line, .. }
        | PsqError::NoPlayers(line)
        | PsqError::NoStones(line)
        | PsqError::Cut(line) => Fault::in_line(FaultKind::Syntax, *line),
        PsqError::Size { line, .. } => Fault::in_line(FaultKind::Size, *line),
        PsqError::OffBoard { line, .. } => Fault::in_line(FaultKind::OffBoard, *line),
        PsqError::Taken { line, .. } => Fault::in_line(FaultKind::Taken, *line),
        PsqError::OutOfTurn(number) => Fault::at(FaultKind::Unclear, FaultPlace::Move(*number)),
    }
}

fn of_saved(error: &SavedError) -> Fault {
    match error {
        SavedError::Number { place, .. } => Fault::at(FaultKind::Syntax, *place),
        SavedError::Stone { place, .. } => Fault::at(FaultKind::Move, *place),
        SavedError::Count { place, .. } => Fault::at(FaultKind::Unclear, *place),
        SavedError::ByteCount { .. } => Fault::at(FaultKind::Unclear, FaultPlace::Byte(0)),
        SavedError::Byte { at, .. } => Fault::at(FaultKind::Move, FaultPlace::Byte(*at)),
    }
}

/// The byte that a library is no library from.
fn byte_of(error: &LibraryError) -> FaultPlace {
    FaultPlace::Byte(match error {
        LibraryError::Header | LibraryError::Memory(_) => 0,
        LibraryError::Version(..) => 8,
        LibraryError::Damaged { at, .. } => *at,
    })
}

fn of_line(error: &ParseLineError) -> Fault {
    match error {
        ParseLineError::Missing => Fault::nowhere(FaultKind::Syntax),
        ParseLineError::Size(_) => Fault::nowhere(FaultKind::Size),
        ParseLineError::Rule(_) => Fault::nowhere(FaultKind::Rule),
        ParseLineError::Moves(error) => of_moves(error),
    }
}

fn of_moves(error: &MovesError) -> Fault {
    let kind = match error.problem {
        MovesProblem::Syntax(_) => FaultKind::Syntax,
        MovesProblem::OffBoard { .. } => FaultKind::OffBoard,
        MovesProblem::Taken(_) => FaultKind::Taken,
        MovesProblem::Number(_) | MovesProblem::Brackets | MovesProblem::TooMany => {
            FaultKind::Unclear
        }
    };
    Fault::at(kind, error.position)
}

fn of_move(error: &MoveError) -> FaultKind {
    match error {
        MoveError::Taken(_) => FaultKind::Taken,
        MoveError::OffBoard(_) => FaultKind::OffBoard,
        MoveError::Over(_) | MoveError::Forbidden(..) => FaultKind::Move,
    }
}

fn of_set_up(error: &SetUpError) -> FaultKind {
    match error {
        SetUpError::Stone { error, .. } => of_move(error),
        SetUpError::Won(_) | SetUpError::Stuck(_) => FaultKind::SetUp,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Expected, Source, open};
    use quincunx_engine::rules::{BoardSize, Rule};

    fn fault(name: Option<&str>, text: &str) -> Fault {
        let source = Source {
            bytes: text.as_bytes(),
            name,
            encoding: None,
        };
        let expected = Expected::new(Rule::Freestyle, BoardSize::default());
        open(source, expected).unwrap_err().fault()
    }

    #[test]
    fn faults_have_a_kind_and_a_place() {
        let line = |line, column| Some(FaultPlace::Line(line, column));
        for (name, text, kind, place) in [
            (None, "", FaultKind::Unknown, None),
            (None, "PK\x03\x04", FaultKind::Archive, None),
            (Some("a.sgf"), "GIF89a", FaultKind::Foreign, None),
            (None, "h8\nnonsense", FaultKind::Syntax, line(2, Some(1))),
            (None, "h8 h8", FaultKind::Taken, line(1, Some(4))),
            (None, "h8 p1", FaultKind::OffBoard, line(1, Some(4))),
            (
                None,
                "1. h8 i9 3. a1",
                FaultKind::Unclear,
                line(1, Some(10)),
            ),
            (
                None,
                "9 renju h8 p1",
                FaultKind::OffBoard,
                line(1, Some(12)),
            ),
            (
                None,
                "(;GM[4]SZ[15]\n;B[zz])",
                FaultKind::OffBoard,
                line(2, Some(2)),
            ),
            (
                None,
                "(;GM[1]SZ[19];B[aa])",
                FaultKind::OtherGame,
                line(1, Some(3)),
            ),
            (
                None,
                "(;GM[4]SZ[99];B[aa])",
                FaultKind::Size,
                line(1, Some(8)),
            ),
            (
                Some("game.psq"),
                "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n",
                FaultKind::Taken,
                line(3, None),
            ),
            (
                Some("game.lib"),
                "no library",
                FaultKind::Syntax,
                Some(FaultPlace::Byte(0)),
            ),
        ] {
            assert_eq!(fault(name, text), Fault { kind, place }, "{text:?}");
        }
    }
}
