//! The messages between a page and a session of training.

use crate::state::{ForbiddenView, StoneView};
use quincunx_engine::rules::Color;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A request of a page.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TrainingMessage {
    /// The first message.
    Hello {
        /// The version of the messages, [`VERSION`](crate::VERSION).
        version: u32,
    },
    /// Begins a puzzle.
    Begin {
        /// The puzzle, a line of a file of puzzles.
        puzzle: String,
        /// The rating of the person.
        person: Strength,
        /// The rating of the puzzle.
        strength: Strength,
        /// The state of the attempt before the connection was lost, if it is known.
        #[serde(default)]
        result: Option<bool>,
    },
    /// Plays a move of the person.
    Play {
        /// The point.
        point: String,
        /// The number of stones that the page showed.
        stones: usize,
    },
    /// Asks for a hint, and after that for a larger one.
    Hint,
    /// Gives the puzzle up: it is lost, and can be played out all the same.
    GiveUp,
}

/// A rating of Glicko-2, of a person or of a puzzle.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// The rating.
    pub rating: f64,
    /// The deviation: with 95 percent the strength is within two of them.
    pub deviation: f64,
    /// The volatility of the results.
    pub volatility: f64,
}

/// The least and the greatest values of a strength that a session accepts.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StrengthLimits {
    /// The least and the greatest rating.
    pub rating: [f64; 2],
    /// The least and the greatest deviation.
    pub deviation: [f64; 2],
    /// The least and the greatest volatility.
    pub volatility: [f64; 2],
}

impl fmt::Display for StrengthLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rating, deviation, volatility] = [self.rating, self.deviation, self.volatility]
            .map(|[least, greatest]| format!("from {least} to {greatest}"));
        write!(
            f,
            "a rating is {rating}, its deviation {deviation}, its volatility {volatility}"
        )
    }
}

/// A message of a session.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TrainingReply {
    /// The program is there, and waits for a puzzle.
    Welcome {
        /// The version of the messages.
        version: u32,
        /// The names of the sets of puzzles. The page finds each as `puzzles/NAME.txt`.
        sets: Vec<&'static str>,
        /// A person of whom nothing is known.
        person: Strength,
        /// Puzzles that were never tried, from grade 1 on.
        puzzles: Vec<Strength>,
        /// The strengths that a session accepts.
        limits: StrengthLimits,
    },
    /// Everything that is to be shown.
    State(Box<TrainingState>),
    /// A message could not be followed. Nothing has changed.
    Error {
        /// The kind of error.
        code: &'static str,
        /// The error in English.
        text: String,
    },
}

/// The effect of the last message.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TrainingEnd {
    /// The puzzle has begun, or a move was right.
    Open,
    /// The puzzle is solved.
    Solved,
    /// The move was wrong and is taken back.
    Wrong {
        /// The move, and the reply that shows it; the move alone where any reply does.
        line: Vec<String>,
    },
    /// The move wins too where fours win, by threes or slowly, and is taken back.
    Slow,
    /// The solver did not find out if the move is right. The move is undone.
    Unknown,
    /// A hint: how many moves the win takes.
    Moves {
        /// The moves of the side that solves the puzzle, the next one included.
        moves: usize,
    },
    /// A hint: the column of the next move.
    Column {
        /// Its letter.
        column: String,
    },
    /// A hint: the next move. After the puzzle is given up too.
    Point {
        /// The point.
        point: String,
    },
}

/// All that a page shows.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingState {
    /// The puzzle, as it was begun.
    pub puzzle: String,
    /// The rule.
    pub rule: String,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Points with a dot, to count by.
    pub stars: Vec<String>,
    /// The stones on the board in the order they were put.
    pub stones: Vec<StoneView>,
    /// Whose turn it is: the side that solves the puzzle.
    pub turn: Color,
    /// The stones of the lines that won.
    pub winning: Vec<String>,
    /// The points that the side may not play.
    pub forbidden: Vec<ForbiddenView>,
    /// The kind of the puzzle: `vcf`, `vct` or `defence`.
    pub kind: &'static str,
    /// The grade of the puzzle, from 1 to 10.
    pub grade: u32,
    /// The effect of the last message.
    pub end: TrainingEnd,
    /// True if the puzzle is solved.
    pub solved: bool,
    /// True if the puzzle counts as solved, false if as lost; nothing before that is known.
    pub result: Option<bool>,
    /// The rating points that the person loses if the puzzle is lost; absent once it has a result.
    pub stake: Option<u32>,
    /// True if the next hint loses the puzzle.
    pub hint_loses: bool,
    /// The rating of the person.
    pub person: Strength,
    /// The rating of the puzzle.
    pub strength: Strength,
    /// The position as the board reads it.
    pub position: String,
}
