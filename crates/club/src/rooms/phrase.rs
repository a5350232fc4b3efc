//! Phrases of players, which every page has in its own language.

use serde::{Deserialize, Serialize};

/// A phrase, the only form of chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello.
    Hello,
    /// Good luck.
    GoodLuck,
    /// Well played.
    WellPlayed,
    /// Thank you for the game.
    Thanks,
    /// One moment, please.
    OneMoment,
    /// I am sorry.
    Sorry,
    /// Goodbye.
    Goodbye,
}
