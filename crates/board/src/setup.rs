//! A game to begin, and the words that messages in both directions share.

use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::{BoardSize, Color, Rule};
use serde::{Deserialize, Serialize};

/// A game to begin.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The rule's name.
    pub rule: String,
    /// The board: `15`, or `20x15`.
    pub size: String,
    /// The opening rule's name.
    #[serde(default = "free")]
    pub opening: String,
    /// The player of the black stones, who begins the opening.
    pub black: Player,
    /// The player of the white stones, who answers the opening.
    pub white: Player,
    /// The names of black and white in a game that was opened; empty where its file names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Box<[String; 2]>>,
    /// The strength of the engine, from 0 to 100.
    pub level: u8,
    /// The strengths of the first and the second player, where two engines differ.
    /// Otherwise every engine plays at `level`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<[u8; 2]>,
    /// The time.
    pub time: Time,
    /// The number of handicap stones, which are black and in the middle of the board. White then
    /// has the first move. 0 is the empty board.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub handicap: u8,
    /// The stones before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stones: Option<Stones>,
    /// The moves before the start, such as `h8i9`.
    #[serde(default)]
    pub moves: String,
}

/// Stones that are set up.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stones {
    /// The points of the black stones.
    pub black: Vec<String>,
    /// The points of the white stones.
    pub white: Vec<String>,
    /// The colour to move.
    pub first: Color,
}

fn free() -> String {
    OpeningRule::Free.name().to_owned()
}

impl Default for Setup {
    /// A person, who begins, against the engine.
    fn default() -> Setup {
        Setup {
            rule: Rule::Freestyle.name().to_owned(),
            size: BoardSize::default().to_string(),
            opening: free(),
            black: Player::Person,
            white: Player::Engine,
            names: None,
            level: 35,
            levels: None,
            time: Time {
                turn_ms: Some(1_000),
                ..Time::default()
            },
            handicap: 0,
            stones: None,
            moves: String::new(),
        }
    }
}

/// The kind of a player.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// A person at the front.
    Person,
    /// The engine.
    Engine,
}

/// The facts about a game that its files name. Those that are not known are empty.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameInfo {
    /// The name of the player of the black stones.
    pub black: String,
    /// The name of the player of the white stones.
    pub white: String,
    /// The event, such as a tournament.
    pub event: String,
    /// The date, such as `2026-11-30`; a file may have written another text.
    pub date: String,
    /// The result of the main line as SGF has it: `B+`, `W+R`, `0` for a draw and so on.
    pub result: String,
}

/// The time that players have.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// The engine's time for a move in milliseconds. Persons have no limit.
    #[serde(default)]
    pub turn_ms: Option<u32>,
    /// The time of each player for the whole game in milliseconds.
    #[serde(default)]
    pub game_ms: Option<u32>,
    /// Added to that after every move.
    #[serde(default)]
    pub increment_ms: u32,
}

/// The kind of moves that an analysis finds.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisMode {
    /// The best moves with their lines.
    #[default]
    Best,
    /// The moves that do not lose: every move near the stones is searched on its own.
    Defences,
    /// The moves after which neither side is better, to be searched in the same way.
    Balance,
}

/// Serde hands values by reference.
pub(super) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}
