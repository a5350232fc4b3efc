//! How games end.

use crate::position::Forbidden;
use crate::rules::Color;
use std::fmt;

/// Who won a game, and why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// The winner; nobody in a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub termination: Termination,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The winner completed a winning line.
    Five,
    /// Every point has a stone.
    BoardFull,
    /// The game reached the agreed number of moves.
    MoveLimit,
    /// Black played a forbidden point.
    Forbidden(Forbidden),
    /// The loser played a point that is taken or on no board.
    IllegalMove,
    /// The loser resigned.
    Resignation,
    /// The players agreed on the result.
    Agreement,
    /// The loser's time ran out.
    Time,
    /// The loser was ruled out for another reason, as by a program that crashed.
    Forfeit,
}

impl Termination {
    /// Whether the last move itself ended the game.
    pub const fn comes_with_a_move(self) -> bool {
        matches!(
            self,
            Termination::Five
                | Termination::BoardFull
                | Termination::MoveLimit
                | Termination::Forbidden(_)
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Five => "five in a row",
            Termination::BoardFull => "the board is full",
            Termination::MoveLimit => "move limit",
            Termination::Forbidden(kind) => return write!(f, "forbidden point, {kind}"),
            Termination::IllegalMove => "illegal move",
            Termination::Resignation => "resignation",
            Termination::Agreement => "agreement",
            Termination::Time => "time",
            Termination::Forfeit => "forfeit",
        })
    }
}

impl GameResult {
    /// `winner` won.
    pub const fn win(winner: Color, termination: Termination) -> GameResult {
        GameResult {
            winner: Some(winner),
            termination,
        }
    }

    /// `loser` lost.
    pub const fn loss(loser: Color, termination: Termination) -> GameResult {
        GameResult::win(loser.opponent(), termination)
    }

    /// Nobody won.
    pub const fn draw(termination: Termination) -> GameResult {
        GameResult {
            winner: None,
            termination,
        }
    }
}

/// `black wins (five in a row)`, `draw (move limit)`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(color) => write!(f, "{color} wins ({})", self.termination),
            None => write!(f, "draw ({})", self.termination),
        }
    }
}
