//! Systems, pairings and results.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A result as one of the players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// The player won.
    Win,
    /// A draw.
    Draw,
    /// The player lost.
    Loss,
}

impl Score {
    /// The place of the result among won, drawn and lost.
    pub const fn index(self) -> usize {
        match self {
            Score::Win => 0,
            Score::Draw => 1,
            Score::Loss => 2,
        }
    }

    /// The same result as the other player sees it.
    pub const fn reversed(self) -> Score {
        match self {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        }
    }
}

/// The fewest and the most players of a tournament.
pub const PLAYERS: std::ops::RangeInclusive<usize> = 2..=64;

/// The most rounds of a Swiss tournament.
pub(crate) const MOST_ROUNDS: u32 = 20;

/// The pairing system of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum System {
    /// All players meet one another.
    RoundRobin {
        /// True if they meet twice, with seats exchanged.
        double: bool,
    },
    /// All players meet one another in one round: all of its games are played side by side.
    AllAtOnce {
        /// True if they meet twice, with seats exchanged.
        double: bool,
    },
    /// Players meet others with as many points, no two of them twice.
    Swiss {
        /// The number of rounds. There are fewer if too few players are left who have not met.
        rounds: u32,
    },
}

impl System {
    /// The most players.
    pub const fn most_players(self) -> usize {
        match self {
            System::AllAtOnce { .. } => 16,
            System::RoundRobin { .. } | System::Swiss { .. } => *PLAYERS.end(),
        }
    }

    /// The number of rounds that so many players play at most.
    pub fn rounds(self, players: usize) -> usize {
        // With an odd number of players each sits out once.
        let all = (players + players % 2).saturating_sub(1);
        match self {
            System::RoundRobin { double: false } => all,
            System::RoundRobin { double: true } => 2 * all,
            System::AllAtOnce { .. } => 1,
            System::Swiss { rounds } => all.min(rounds as usize),
        }
    }
}

/// The result of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairingResult {
    /// The game was played; the result as the player of the first seat sees it.
    Played(Score),
    /// The player of the first seat was not there; the other has the point.
    FirstAbsent,
    /// The player of the second seat was not there, or there is none (a bye of the Swiss
    /// system).
    SecondAbsent,
    /// No player has a point.
    Neither,
    /// The player of the first seat asked for a round off, which is worth half a point.
    HalfPoint,
}

impl PairingResult {
    /// The half points of the players of the first and the second seat.
    pub const fn half_points(self) -> [u32; 2] {
        match self {
            PairingResult::Played(Score::Win) | PairingResult::SecondAbsent => [2, 0],
            PairingResult::Played(Score::Draw) => [1, 1],
            PairingResult::Played(Score::Loss) | PairingResult::FirstAbsent => [0, 2],
            PairingResult::HalfPoint => [1, 0],
            PairingResult::Neither => [0, 0],
        }
    }

    /// Returns true if a game was played.
    pub const fn is_played(self) -> bool {
        matches!(self, PairingResult::Played(_))
    }
}

/// A game of a round, or a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The player who begins.
    pub first: usize,
    /// The other player; with none `first` has a bye.
    pub second: Option<usize>,
    /// The result, once it is over.
    pub result: Option<PairingResult>,
}

impl Pairing {
    pub(super) fn game(first: usize, second: usize) -> Pairing {
        Pairing {
            first,
            second: Some(second),
            result: None,
        }
    }

    pub(super) fn bye(player: usize, result: PairingResult) -> Pairing {
        Pairing {
            first: player,
            second: None,
            result: Some(result),
        }
    }

    /// The points of both, once it is over. A bye that scores nothing has none.
    pub fn points(&self) -> Option<[f64; 2]> {
        let scores =
            |result: &PairingResult| self.second.is_some() || *result != PairingResult::Neither;
        let result = self.result.filter(scores)?;
        Some(result.half_points().map(|it| f64::from(it) / 2.0))
    }

    /// Returns true if this player is in it.
    pub fn has(&self, player: usize) -> bool {
        self.first == player || self.second == Some(player)
    }
}
