//! How strong a player is, from results alone: Glicko-2 and a playing site's points.
//!
//! Arithmetic on numbers: nothing here knows a game, a player or a file.

mod glicko;
mod points;

pub use glicko::Glicko;
pub use points::SitePoints;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A result as one of the players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
