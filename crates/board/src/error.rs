//! Why a message to a session of any kind could not be followed.

use super::hosted::HostedSession;
use super::message::ServerMessage;
use quincunx_analysis::diagram::AnimationError;
use quincunx_analysis::puzzle::ParsePuzzleError;
use quincunx_engine::game::swap::{ChoiceError, ParseOpeningRuleError};
use quincunx_engine::game::{MoveError, SetUpError};
use quincunx_engine::position::notation::MovesError;
use quincunx_engine::rules::{ParsePointError, ParseRuleError, ParseSizeError, Point};
use quincunx_gravity::{PlayError, SizeError};
use quincunx_records::psq::PsqError;
use quincunx_records::{FileErrorKind, Location, OpenError, ParseDateError, ParseEncodingError};

/// Why a message could not be followed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BoardError {
    #[error("the page speaks version {0} of the messages: reload it")]
    Version(u32),
    #[error("the first message is hello")]
    NoHello,
    #[error(transparent)]
    Point(#[from] ParsePointError),
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    #[error(transparent)]
    Opening(#[from] ParseOpeningRuleError),
    #[error("a level is from 0 to {1}, not {0}")]
    Level(u8, u8),
    #[error("opening rules, handicaps and moves start from the empty board")]
    OpeningMoves,
    #[error("a handicap is at most {0} stones")]
    Handicap(usize),
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    #[error(transparent)]
    Moves(#[from] MovesError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("the board has changed meanwhile")]
    Stale,
    #[error("the engine is to move")]
    NotYourTurn,
    #[error("an opening step is due")]
    Opens,
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    #[error("the opening rule does not allow a stone on this point")]
    OpeningPoint,
    #[error("this can't be done now")]
    NotNow,
    #[error("there is no such position in the game")]
    NoNode,
    #[error("the game has no room for more")]
    Full,
    #[error("a remark has at most {0} bytes")]
    LongComment(usize),
    #[error("an analysis has 1 to {0} lines")]
    Lines(usize),
    #[error(transparent)]
    File(#[from] OpenError),
    #[error(transparent)]
    Encoding(#[from] ParseEncodingError),
    #[error("this version of the program can't read the game")]
    NoSave,
    #[error("a data URL of a file is in base64")]
    DataUrl,
    #[error("a RenLib library begins with an empty board of at most 15 by 15")]
    NoLibrary,
    /// The game is none that PSQ can hold.
    #[error(transparent)]
    NoPsq(PsqError),
    #[error(transparent)]
    Date(#[from] ParseDateError),
    #[error(transparent)]
    Picture(#[from] AnimationError),
    #[error("the engine could not search this position")]
    Engine,
    /// The size of a board for four in a row.
    #[error(transparent)]
    GravitySize(#[from] SizeError),
    #[error(transparent)]
    Drop(#[from] PlayError),
    #[error(transparent)]
    Puzzle(#[from] ParsePuzzleError),
    #[error("a puzzle has at most {0} bytes")]
    LongPuzzle(usize),
    /// The limits of the strengths of persons and puzzles.
    #[error("{0}")]
    Strength(String),
    #[error("no stone can be put on {0}")]
    NoStone(Point),
}

impl BoardError {
    /// The kind of error, for those who translate.
    fn code(&self) -> &'static str {
        match self {
            BoardError::Version(_) => "version",
            BoardError::NoHello => "no_hello",
            BoardError::Point(_) => "point",
            BoardError::Rule(_) => "rule",
            BoardError::Size(_) => "size",
            BoardError::Opening(_) => "opening",
            BoardError::Level(..) => "level",
            BoardError::OpeningMoves => "opening_moves",
            BoardError::Handicap(_) => "handicap",
            BoardError::SetUp(SetUpError::Won(_)) => "set_up_won",
            BoardError::SetUp(SetUpError::Stuck(_)) => "set_up_stuck",
            BoardError::SetUp(SetUpError::Stone { error, .. }) | BoardError::Move(error) => {
                match error {
                    MoveError::Taken(_) => "taken",
                    MoveError::Forbidden(..) => "forbidden",
                    MoveError::Over(_) => "over",
                    MoveError::OffBoard(_) => "point",
                }
            }
            BoardError::Stale => "stale",
            BoardError::NotYourTurn => "not_your_turn",
            BoardError::Opens => "opens",
            BoardError::Choice(_) => "choice",
            BoardError::OpeningPoint => "opening_point",
            BoardError::NotNow => "not_now",
            BoardError::NoNode => "no_node",
            BoardError::Full => "full",
            BoardError::LongComment(_) => "long_comment",
            BoardError::Lines(_) => "lines",
            BoardError::Moves(_) | BoardError::Encoding(_) | BoardError::DataUrl => "file",
            BoardError::File(error) => match error.file_error().kind {
                FileErrorKind::Encoding => "file_encoding",
                FileErrorKind::Syntax => "file",
                FileErrorKind::OtherGame => "file_other_game",
                FileErrorKind::Size => "file_size",
                FileErrorKind::Rule => "file_rule",
                FileErrorKind::OffBoard => "file_off_board",
                FileErrorKind::Taken => "file_taken",
                FileErrorKind::Move => "file_move",
                FileErrorKind::Unclear => "file_unclear",
                FileErrorKind::SetUp => "file_set_up",
                FileErrorKind::NoGame => "file_no_game",
                FileErrorKind::Archive => "file_archive",
                FileErrorKind::OtherFormat => "file_foreign",
                FileErrorKind::Unknown => "file_unknown",
            },
            BoardError::Date(_) => "date",
            BoardError::Picture(_) => "picture",
            BoardError::NoPsq(_) => "no_psq",
            BoardError::NoLibrary => "no_library",
            BoardError::NoSave => "no_save",
            BoardError::Engine => "engine",
            BoardError::GravitySize(_) => "gravity_size",
            BoardError::Drop(_) => "drop",
            BoardError::Puzzle(_) | BoardError::LongPuzzle(_) => "puzzle",
            BoardError::Strength(_) => "strength",
            BoardError::NoStone(_) => "move",
        }
    }
}

impl BoardError {
    /// The reply of a session.
    pub(super) fn reply<S: HostedSession>(&self) -> S::Reply {
        S::error(self.code(), self.to_string())
    }

    /// The location of the error in a file.
    fn place(&self) -> Option<Location> {
        match self {
            BoardError::File(error) => error.file_error().location,
            _ => None,
        }
    }
}

impl From<BoardError> for ServerMessage {
    fn from(error: BoardError) -> ServerMessage {
        ServerMessage::Error {
            code: error.code(),
            place: error.place(),
            text: error.to_string(),
        }
    }
}
