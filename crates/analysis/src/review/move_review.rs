//! The review of a move.

use super::class::MoveClass;
use crate::report::ProofSummary;
use quincunx_engine::position::Forbidden;
use quincunx_engine::rules::{Color, Point};
use serde::{Deserialize, Serialize};

/// A forced win that a move gave away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinMissed {
    /// The proof of the win before the move.
    pub proof: ProofSummary,
    /// The reply to the move after which there is no forced win, if one is shown. `None` if
    /// the move was forbidden, or if neither the search nor the solver finds the win again but
    /// no single reply is shown to prevent it.
    pub reply: Option<Point>,
}

/// A forced win that a move allowed the opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LossAllowed {
    /// The proof of the opponent's win after the move.
    pub proof: ProofSummary,
    /// A move after which the opponent has no forced win.
    pub instead: Point,
}

/// The review of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveReview {
    /// The number of the move, from one.
    pub number: usize,
    /// The colour that moved.
    pub color: Color,
    /// The point; a pass is [`Point::NONE`].
    #[serde(rename = "move")]
    pub point: Point,
    /// The player's chance to win before the move, from 0 to 1.
    pub before: f64,
    /// The player's chance to win after the move, from 0 to 1.
    pub after: f64,
    /// The chance to win that the move lost.
    pub lost: f64,
    /// The best move.
    pub best: Option<Point>,
    /// The line that begins with the best move.
    pub line: Vec<Point>,
    /// The class of the move.
    #[serde(with = "spaced")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub class: MoveClass,
    /// The forced win that the move gave away, if there was one.
    pub win_missed: Option<WinMissed>,
    /// The forced win that the move allowed the opponent, if there is one.
    pub loss_allowed: Option<LossAllowed>,
    /// The reason why the point was forbidden, if it was.
    #[serde(with = "spaced")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub forbidden: Option<Forbidden>,
}

impl MoveReview {
    /// Black's chance to win before and after the move.
    pub fn black_chances(&self) -> [f64; 2] {
        [self.before, self.after].map(|chance| match self.color {
            Color::Black => chance,
            Color::White => 1.0 - chance,
        })
    }
}

/// A number rounded to four decimals, which is precise enough.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// A rounded chance. Only a certain one is 0 or 1.
pub(super) fn rounded_chance(chance: f64) -> f64 {
    match chance {
        0.0 | 1.0 => chance,
        _ => rounded(chance).clamp(0.0001, 0.9999),
    }
}

/// Names of classes as reviews have them in JSON: `win missed`, not `win_missed`.
mod spaced {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let value = serde_json::to_value(value).map_err(S::Error::custom)?;
        value
            .as_str()
            .map(|name| name.replace('_', " "))
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        let name = name.map(|name| name.replace(' ', "_"));
        serde_json::from_value(name.into()).map_err(D::Error::custom)
    }
}
