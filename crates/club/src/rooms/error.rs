//! Why something that a visitor asks for is not done.

use quincunx_engine::game::MoveError;

/// The refusal of an action in a room. It changes nothing, except that a game may have ended by
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// Both players are not there yet.
    #[error("the game has not begun")]
    NotBegun,
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The other player acts next.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The board has changed since the visitor looked at it.
    #[error("the board has changed")]
    Stale,
    /// The game's rules do not allow the move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A colour has to be chosen before the next stone.
    #[error("choose first")]
    Opens,
    /// There is nothing to choose, or not this.
    #[error("this is not to be chosen now")]
    Choice,
    /// The opening rule does not allow this point, or it is equivalent to an offer by symmetry.
    #[error("the opening allows no stone here")]
    OpeningPoint,
    /// The seat has a player.
    #[error("this seat is taken")]
    Seated,
    /// The same person sits on both seats.
    #[error("you sit here already")]
    OwnGame,
    /// No draw was offered, or one was just declined.
    #[error("there is no offer to answer, or it is too early for another")]
    Offer,
    /// The engine agrees to no draw.
    #[error("the engine plays on")]
    EnginePlaysOn,
    /// Moves are not taken back in rated games and openings, nor when the time of their increments
    /// is used up.
    #[error("no move can be taken back here")]
    Undo,
    /// Both players have acted.
    #[error("the game has begun in earnest: it can be given up")]
    Begun,
    /// Conditional moves are for correspondence games, from the end of the opening on.
    #[error("conditional moves are for correspondence games, after the opening")]
    Conditional,
    /// The player who sets conditional moves acts next.
    #[error("it is your turn: send a move with your conditional moves")]
    ConditionalTurn,
    /// A player has too many lines of conditional moves.
    #[error("you can have 20 lines of conditional moves")]
    TooManyLines,
    /// The line of this number, from one, has too many moves.
    #[error("line {0} is too long: a line has 30 moves at most")]
    LongLine(usize),
    /// The line of this number can't be played.
    #[error(
        "line {0} can't be played: lines alternate moves of your opponent and answers of yours"
    )]
    ConditionalLine(usize),
    /// The line of this number answers the same moves as an earlier one in another way.
    #[error("line {0} answers the same moves as another in another way")]
    Contradiction(usize),
    /// A clock with no time to play.
    #[error("a game can't be played with this clock")]
    Clock,
}

impl RoomError {
    /// The kind of error, for those who translate.
    pub const fn code(self) -> &'static str {
        match self {
            RoomError::NotBegun => "not_begun",
            RoomError::Over => "over",
            RoomError::NotYourTurn => "not_your_turn",
            RoomError::Stale => "stale",
            RoomError::Move(MoveError::Taken(_)) => "taken",
            RoomError::Move(MoveError::Forbidden(..)) => "forbidden",
            RoomError::Move(_) => "move",
            RoomError::Opens => "opens",
            RoomError::Choice => "choice",
            RoomError::OpeningPoint => "opening_point",
            RoomError::Seated => "seated",
            RoomError::OwnGame => "own_game",
            RoomError::Offer => "offer",
            RoomError::EnginePlaysOn => "engine_plays_on",
            RoomError::Undo => "undo",
            RoomError::Begun => "in_earnest",
            RoomError::Conditional => "conditional",
            RoomError::ConditionalTurn => "conditional_turn",
            RoomError::TooManyLines | RoomError::LongLine(_) => "too_many_lines",
            RoomError::ConditionalLine(_) => "conditional_line",
            RoomError::Contradiction(_) => "contradiction",
            RoomError::Clock => "clock",
        }
    }
}
