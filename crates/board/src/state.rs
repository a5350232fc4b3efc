//! All that a front shows, as messages have it.

use super::explored::ExploredView;
use super::setup::{AnalysisMode, GameInfo, Player, Setup, is_zero};
use quincunx_analysis::NamedOpening;
use quincunx_engine::game::GameResult;
use quincunx_engine::game::swap::{Choice, Dialogue, OpeningStep, Seat};
use quincunx_engine::position::Forbidden;
use quincunx_engine::rules::{Color, Point};
use serde::{Deserialize, Serialize};

/// All that a front shows.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// The number of the game. One that is begun or opened has another number.
    pub game: u32,
    /// The setup of the game, to offer it again.
    pub setup: Setup,
    /// The names, the event, the date and the result of the game.
    #[serde(skip_serializing_if = "is_zero")]
    pub info: GameInfo,
    /// The opening of renju that the first three stones are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_opening: Option<NamedOpening>,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Points with a dot, to count by.
    pub stars: Vec<String>,
    /// The node of the position that is shown.
    pub node: u32,
    /// The stones on the board in the order they were put.
    pub stones: Vec<StoneView>,
    /// Whose turn it is, or would be.
    pub turn: Color,
    /// The phase of the game.
    pub phase: Phase,
    /// The player who acts next; nothing once the game is over.
    pub actor: Option<Player>,
    /// The owners of the black and the white stones, once a colour is chosen; the opening
    /// may let them change again.
    pub players: Option<[Player; 2]>,
    /// Which of the two acts next, zero being the owner of the black stones, or the first
    /// player before a colour was chosen; nothing once the game is over.
    pub acting: Option<usize>,
    /// The choices of the opening.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<ChosenView>,
    /// The strengths that the engine plays black and white at; those of the first
    /// and the second player until the colours are settled.
    pub levels: [u8; 2],
    /// True if the position is part of the opened file. Later moves are not.
    pub opened: bool,
    /// The stones of the lines that won.
    pub winning: Vec<String>,
    /// The points that the side to move may not play.
    pub forbidden: Vec<ForbiddenView>,
    /// The points that the opening allows for the next stone; absent if every empty point is
    /// allowed.
    pub allowed: Option<Vec<String>>,
    /// The stones that black has offered for the fifth move.
    pub offers: Vec<String>,
    /// Points where a side would make a strong threat, the strongest first.
    pub threats: Vec<ThreatView>,
    /// The labels of this position, from a file or by a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelView>,
    /// The arrows of this position, each from a point to another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<[String; 2]>,
    /// True if the engine is searching for its move.
    pub thinking: bool,
    /// True if the engine waits for `ClientMessage::Resume`.
    pub waiting: bool,
    /// The lines of the analysis, while it is on.
    pub analysis: Option<usize>,
    /// The kind of moves that it finds.
    pub mode: AnalysisMode,
    /// The moves that were played from this position, during an analysis with an explorer file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<ExploredView>,
    /// The actions that are possible now.
    pub can: Actions,
    /// The milliseconds left to black and white, if the game has clocks.
    pub clock: Option<ClockView>,
    /// True if `tree` is the whole one.
    pub whole: bool,
    /// The positions of the game, beginning with the start. A front that keeps the tree gets only
    /// new and changed ones.
    pub tree: Vec<NodeView>,
    /// The removed positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<u32>,
    /// A text that restores this session in `ClientMessage::Hello`; absent if the last one is still
    /// valid, with the shown node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub save: Option<String>,
    /// The entry of the game in a list of games; sent with `save`, and absent where the board
    /// was never touched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<GameEntry>,
}

/// The entry of a game in a list of games, by the line that is shown.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameEntry {
    /// The number of moves to the end of the line.
    pub moves: usize,
    /// The result; absent during the game.
    pub result: Option<GameResult>,
}

/// A choice that was made in the opening.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChosenView {
    /// True if the player who began made it.
    pub first: bool,
    /// The kind of player.
    pub player: Player,
    /// The choice.
    pub choice: Choice,
}

/// A stone on the board.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoneView {
    /// Its point.
    pub point: Point,
    /// Its colour.
    pub color: Color,
    /// The number of the move; nothing for stones that were set up.
    pub number: Option<usize>,
}

/// The phase of a game.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Phase {
    /// A player of the opening puts stones of both colours.
    Place {
        /// True if it is the player who began.
        first: bool,
        /// The number of stones that are still to be put.
        stones: usize,
    },
    /// A player of the opening chooses.
    Choose {
        /// True if it is the player who began.
        first: bool,
        /// The possible choices.
        options: Vec<Choice>,
    },
    /// Black offers stones for the fifth move, by `ClientMessage::Play`.
    Offer {
        /// True if black is the player who began.
        first: bool,
        /// The number of stones that are still to be offered.
        stones: usize,
    },
    /// White puts one of the stones that black has offered.
    Pick {
        /// True if white is the player who began.
        first: bool,
    },
    /// The side to move moves.
    Move,
    /// The game is over.
    Over(GameResult),
}

impl Phase {
    /// The phase of a game that goes on, with this number of stones on the board.
    pub fn of(dialogue: &Dialogue, stones: usize) -> Phase {
        let is_first = |seat: Seat| seat == Seat::First;
        match dialogue.step(stones) {
            Some(OpeningStep::Place { seat, until, .. }) => Phase::Place {
                first: is_first(seat),
                stones: until.saturating_sub(stones),
            },
            Some(OpeningStep::Choose { seat, options }) => Phase::Choose {
                first: is_first(seat),
                options: options.to_vec(),
            },
            Some(OpeningStep::Fifth { black, .. }) => match dialogue.missing_offers(stones) {
                0 => Phase::Pick {
                    first: is_first(black.other()),
                },
                missing => Phase::Offer {
                    first: is_first(black),
                    stones: missing,
                },
            },
            Some(OpeningStep::Play { .. }) | None => Phase::Move,
        }
    }
}

/// A point that may not be played.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForbiddenView {
    /// The point.
    pub point: Point,
    /// The reason.
    pub kind: Forbidden,
}

/// A point where a side would make a strong threat.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreatView {
    /// The side.
    pub color: Color,
    /// The point.
    pub point: String,
    /// `five`, `open_four`, `four_three`, `four` or `double_three`.
    pub kind: &'static str,
    /// The stones that make it together with one on the point.
    pub stones: Vec<String>,
}

/// The label of a point: a few characters, or `△`, `□`, `○`, `×`.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelView {
    /// The point.
    pub point: String,
    /// The characters.
    pub text: String,
}

/// The actions that are possible now.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Actions {
    /// `ClientMessage::Undo`
    pub undo: bool,
    /// `ClientMessage::Redo`
    pub redo: bool,
    /// `ClientMessage::BringBack`
    pub bring_back: bool,
    /// `ClientMessage::Hint`
    pub hint: bool,
    /// `ClientMessage::Play` to continue a game that was ended.
    pub go_on: bool,
    /// `ClientMessage::Pass`
    pub pass: bool,
    /// `ClientMessage::Review`
    pub review: bool,
    /// `ClientMessage::Resign`
    pub resign: bool,
    /// `ClientMessage::OfferDraw`
    pub draw: bool,
}

/// The clocks of a game.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// The milliseconds left to black.
    pub black: u64,
    /// The milliseconds left to white.
    pub white: u64,
    /// The clock that runs.
    pub running: Option<Color>,
}

/// A position of the game.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeView {
    /// Its number.
    pub id: u32,
    /// The node before it.
    pub parent: Option<u32>,
    /// The point of the move that leads to it; a pass is `--`.
    pub point: String,
    /// The colour of that move.
    pub color: Color,
    /// The number of moves that lead to it.
    pub number: usize,
    /// Its place among the moves of the same position; zero is the main line's.
    #[serde(skip_serializing_if = "is_zero")]
    pub rank: usize,
    /// The remark about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The judgement of a review, or else of a file: `doubtful`, `bad` or `very_bad`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Black's chance to win in thousandths, where a search has found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<u16>,
}
