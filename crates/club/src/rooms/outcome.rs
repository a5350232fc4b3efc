//! How games of a room end.

use quincunx_engine::game::swap::Seat;
use serde::{Deserialize, Serialize};

/// Who won a game, and why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; nobody in a draw.
    pub winner: Option<SeatName>,
    /// Why the game ended.
    pub reason: Ending,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The winner completed a winning line.
    Five,
    /// Every point has a stone, or is forbidden to the player to move.
    BoardFull,
    /// The loser resigned.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// The loser's time ran out.
    Time,
    /// The loser did not come to a game of a tournament, or nobody did.
    NoShow,
    /// Whoever runs the server ended it. It counts for nothing.
    Ended,
}

impl Ending {
    /// Whether the game came to its end: it was neither ended nor never begun.
    pub const fn is_played(self) -> bool {
        !matches!(self, Ending::NoShow | Ending::Ended)
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Five => "five",
            Ending::BoardFull => "board_full",
            Ending::Resignation => "resignation",
            Ending::Agreement => "agreement",
            Ending::Time => "time",
            Ending::NoShow => "no_show",
            Ending::Ended => "ended",
        }
    }
}

/// A seat, as messages and files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatName {
    /// The player who puts the first stone.
    First,
    /// The other player.
    Second,
}

impl SeatName {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            SeatName::First => "first",
            SeatName::Second => "second",
        }
    }
}

impl From<Seat> for SeatName {
    fn from(seat: Seat) -> SeatName {
        match seat {
            Seat::First => SeatName::First,
            Seat::Second => SeatName::Second,
        }
    }
}

impl From<SeatName> for Seat {
    fn from(name: SeatName) -> Seat {
        match name {
            SeatName::First => Seat::First,
            SeatName::Second => Seat::Second,
        }
    }
}
