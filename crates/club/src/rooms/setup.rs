//! The setup of a game: rule, board, opening, clock.

use super::clock::ClockRule;
use super::error::RoomError;
use super::rating_category::RatingCategory;
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::{BoardSize, Rule};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The sides of boards on which games are rated: results on others say little of strength on
/// these.
const RATED_SIDES: RangeInclusive<usize> = 13..=20;

/// The least time of each player at the start of a rated game, with all periods.
const RATED_TIME: Duration = Duration::from_secs(60);

/// The setup of the games of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RoomSetup {
    /// The rule.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rule: Rule,
    /// The board.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub size: BoardSize,
    /// The opening rule.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub opening: OpeningRule,
    /// The clock.
    pub clock: ClockRule,
    /// True if the games count for ratings. Moves of such games are not taken back.
    pub rated: bool,
}

impl RoomSetup {
    /// Returns true if games can be played by this.
    ///
    /// # Errors
    /// When the clock makes no sense.
    pub fn check(self) -> Result<RoomSetup, RoomError> {
        match self.clock.is_sensible() {
            true => Ok(self),
            false => Err(RoomError::Clock),
        }
    }

    /// The category in which the games are rated.
    pub(super) const fn category(self) -> RatingCategory {
        RatingCategory {
            rule: self.rule,
            correspondence: self.is_correspondence(),
        }
    }

    /// Returns true for correspondence games.
    pub const fn is_correspondence(self) -> bool {
        self.clock.is_correspondence()
    }

    /// Returns true if results of such games are comparable, so that they can be rated.
    pub fn is_comparable(self) -> bool {
        let sides = [self.size.width(), self.size.height()];
        let clock = self.clock.control();
        let time = clock.allowed(clock.start());
        sides.iter().all(|side| RATED_SIDES.contains(side)) && time >= RATED_TIME
    }
}

/// Values that have a name: they are written as that name.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::fmt::Display;
    use std::str::FromStr;

    pub(super) fn serialize<S: Serializer>(
        value: &impl Display,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
