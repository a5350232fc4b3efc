//! The ends of games.

use crate::position::Forbidden;
use crate::rules::Color;
use std::fmt;

/// The winner of a game, and why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The winner; `None` in a draw.
    pub winner: Option<Color>,
    /// Why the game ended: `five`, `board_full`, `resignation` and so on.
    #[cfg_attr(feature = "serde", serde(rename = "reason"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub termination: Termination,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The winner completed a winning line.
    Five,
    /// Every point has a stone, or those that are left are forbidden to the side to move.
    BoardFull,
    /// The game reached the agreed number of moves.
    MoveLimit,
    /// Black played a forbidden point.
    Forbidden(Forbidden),
    /// The loser played a point that is occupied or off the board.
    IllegalMove,
    /// The loser resigned.
    Resignation,
    /// The players agreed on the result.
    Agreement,
    /// The loser's time ran out.
    Time,
    /// The loser was disqualified for another reason, such as a program that crashed.
    Forfeit,
    /// The loser did not come to the game, or neither player did.
    NoShow,
    /// The game was called off, and does not count.
    Aborted,
}

impl Termination {
    /// Every reason that its name alone determines.
    const NAMED: [Termination; 10] = [
        Termination::Five,
        Termination::BoardFull,
        Termination::MoveLimit,
        Termination::IllegalMove,
        Termination::Resignation,
        Termination::Agreement,
        Termination::Time,
        Termination::Forfeit,
        Termination::NoShow,
        Termination::Aborted,
    ];

    /// The name in messages and in files of the board and the rooms.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Five => "five",
            Termination::BoardFull => "board_full",
            Termination::MoveLimit => "move_limit",
            Termination::Forbidden(_) => "forbidden",
            Termination::IllegalMove => "illegal_move",
            Termination::Resignation => "resignation",
            Termination::Agreement => "agreement",
            Termination::Time => "time",
            Termination::Forfeit => "forfeit",
            Termination::NoShow => "no_show",
            Termination::Aborted => "ended",
        }
    }

    /// The reason with this name. `None` for unknown names, and for `forbidden`, which does not
    /// tell the kind of the forbidden point.
    pub fn from_name(name: &str) -> Option<Termination> {
        (Termination::NAMED.into_iter()).find(|termination| termination.name() == name)
    }

    /// Returns whether the game was played: it was not called off, and the players came.
    pub const fn is_played(self) -> bool {
        !matches!(self, Termination::NoShow | Termination::Aborted)
    }

    /// Returns whether the last move itself ended the game.
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
            Termination::NoShow => "no show",
            Termination::Aborted => "aborted",
        })
    }
}

/// The name. A forbidden point is not read: its name does not tell the kind.
#[cfg(feature = "serde")]
mod name {
    use super::Termination;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Termination {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    impl<'de> Deserialize<'de> for Termination {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Termination, D::Error> {
            let name = String::deserialize(deserializer)?;
            let unknown = || D::Error::custom(format!("no reason '{name}'"));
            Termination::from_name(&name).ok_or_else(unknown)
        }
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

    /// A draw.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The names stand in saved games, records of rooms and messages to pages.
    #[test]
    fn names_stay_as_they_are() {
        let names = Termination::NAMED.map(Termination::name);
        let expected = "five board_full move_limit illegal_move resignation agreement time \
                        forfeit no_show ended";
        assert_eq!(names.join(" "), expected);
        for termination in Termination::NAMED {
            assert_eq!(
                Termination::from_name(termination.name()),
                Some(termination)
            );
        }
        let overline = Termination::Forbidden(Forbidden::Overline);
        assert_eq!(overline.name(), "forbidden");
        assert_eq!(Termination::from_name("forbidden"), None);
    }
}
