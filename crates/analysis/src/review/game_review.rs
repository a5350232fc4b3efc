//! The review of a game as a value: it is searched once, and then stored, read again, drawn, sent
//! and compared as it is.

use super::class::Thresholds;
use super::escape::LastEscape;
use super::judge::ReviewLimits;
use super::move_review::{MoveReview, rounded};
use super::turning_point::TurningPoint;
use quincunx_engine::rules::{BoardSize, Color, Point, PointSet, Rule};
use quincunx_records::GameRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The formula of the accuracy.
pub(super) const FORMULA: &str =
    "100 less the average of the win chance that a side's moves lost, in per cent";

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReview {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The position before the first move.
    pub setup: ReviewSetup,
    /// The name of the black player; empty if it is unknown.
    pub black: String,
    /// The name of the white player; empty if it is unknown.
    pub white: String,
    /// The name of the opening, if it has one.
    pub opening: Option<String>,
    /// The result in words, if there is one.
    pub result: Option<String>,
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// The limits of the review.
    #[serde(flatten)]
    pub limits: ReviewLimits,
    /// The number of nodes of its searches and proofs.
    #[serde(rename = "nodes_taken")]
    pub nodes: u64,
    /// The losses that separate the classes of moves.
    pub thresholds: Thresholds,
    /// The conclusions about the whole game.
    #[serde(flatten)]
    pub summary: ReviewSummary,
    /// The moves, with a pass wherever a colour moved twice in a row.
    pub moves: Vec<MoveReview>,
}

/// A review among those of many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedReview {
    /// The name of the game, such as its file and its number there.
    pub game: String,
    /// The review.
    #[serde(flatten)]
    pub review: GameReview,
}

impl NamedReview {
    /// The review as a JSON object, whose fields are in alphabetical order.
    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The position before the first move of a reviewed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewSetup {
    /// The points of the black stones.
    pub black: Vec<Point>,
    /// The points of the white stones.
    pub white: Vec<Point>,
    /// The side to move.
    pub first: Color,
}

/// The conclusions of a review about the whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewSummary {
    /// The accuracy of both sides.
    pub accuracy: Accuracy,
    /// The last move at which the loser could still hold, if it is known.
    pub last_escape: Option<LastEscape>,
    /// The two most costly moves of each side, in the order of the game.
    #[serde(default)]
    pub turning_points: Vec<TurningPoint>,
}

/// The accuracy of both sides in per cent: 100 minus the average loss of a side's moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accuracy {
    /// Black's; `None` if black made no move.
    pub black: Option<f64>,
    /// White's; `None` if white made no move.
    pub white: Option<f64>,
    /// The formula in words.
    pub formula: String,
}

impl Accuracy {
    pub(super) fn of(moves: &[MoveReview]) -> Accuracy {
        let of = |color: Color| {
            let own = moves.iter().filter(|played| played.color == color);
            let count = own.clone().count();
            let lost: f64 = own.map(|played| played.lost).sum();
            (count > 0).then(|| rounded(100.0 * (1.0 - lost / count as f64)))
        };
        Accuracy {
            black: of(Color::Black),
            white: of(Color::White),
            formula: FORMULA.to_owned(),
        }
    }

    /// The accuracy of a side; `None` if it made no move.
    pub fn get(&self, color: Color) -> Option<f64> {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}

impl ReviewSetup {
    pub(super) fn of(record: &GameRecord) -> ReviewSetup {
        let stones = |color| {
            let own = record.setup.iter().filter(|stone| stone.0 == color);
            let points: PointSet = own.map(|stone| stone.1).collect();
            points.iter().collect()
        };
        ReviewSetup {
            black: stones(Color::Black),
            white: stones(Color::White),
            first: record.first,
        }
    }
}

impl GameReview {
    /// The review as a JSON object, whose fields are in alphabetical order.
    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns true if the review is of this game, with its moves, set-up, rule and board.
    /// The players and the result of the file may have changed since.
    pub fn is_of(&self, record: &GameRecord) -> bool {
        let rule = record.rule.unwrap_or_default();
        let Ok(game) = record.replay(rule) else {
            return false;
        };
        let own = self.moves.iter().map(|played| (played.color, played.point));
        self.rule == rule
            && self.size == record.size
            && self.setup == ReviewSetup::of(record)
            && own.eq(game.moves())
    }
}
