//! What searches have found, as messages have it: lines of an analysis, proofs and reviews.

use super::setup::is_zero;
use quincunx_analysis::review::MoveClass;
use serde::{Deserialize, Serialize};

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The node of the position.
    pub node: u32,
    /// The lines, the best first; of balanced moves those nearest to the balance.
    pub lines: Vec<LineView>,
    /// The moves that are known to lose, where defences are looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub losing: Vec<String>,
    /// The legal moves that were not searched, where defences are looked for: far from the stones,
    /// or no answer to the threat on the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsearched: Vec<String>,
    /// The number of moves that were searched for that.
    #[serde(skip_serializing_if = "is_zero")]
    pub searched: usize,
    /// Black's chance to win in thousandths, by the best move.
    pub chance: u16,
    /// The depth of the last complete iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The time of the search so far in milliseconds.
    pub elapsed_ms: u64,
}

/// A line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineView {
    /// The moves.
    pub points: Vec<String>,
    /// The value for the side to move in units, 200 of which are one logit.
    pub score: i32,
    /// Black's chance to win in thousandths.
    pub chance: u16,
    /// The plies to the end where the side to move wins (positive) or loses
    /// (negative) by force.
    pub mate: Option<i32>,
}

/// How much a search for a forced win has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// A win with every defence.
    Proof,
    /// A win that the analysis has proved, with its main line.
    Line,
    /// That there is none by fours and threes. There may be one with a quiet move.
    NoThreats,
    /// Nothing, within so many positions.
    Unknown,
}

/// A move of the winner, and what refutes every reply to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofNode {
    /// The winner's move.
    pub point: String,
    /// The replies that need refutations of their own.
    pub replies: Vec<ProofReply>,
    /// What every other reply loses to.
    pub otherwise: Vec<String>,
}

/// A reply of the loser, with its refutation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofReply {
    /// The reply.
    pub point: String,
    /// Its refutation.
    pub refutation: ProofNode,
}

/// How far the review of a game has come, and what it has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewView {
    /// The number of the game.
    pub game: u32,
    /// The number of steps so far.
    pub done: usize,
    /// The number of all steps.
    pub steps: usize,
    /// The moves to look at again.
    pub mistakes: Vec<MistakeView>,
    /// What there is to say at the end.
    pub summary: Option<ReviewSummary>,
}

/// A move that a review finds fault with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MistakeView {
    /// The node of the position after it.
    pub node: u32,
    /// `inaccuracy`, `mistake`, `win_missed` or `loss_allowed`.
    pub class: MoveClass,
    /// Black's chance to win before it, in thousandths.
    pub before: u16,
    /// Black's chance to win after it, in thousandths.
    pub after: u16,
    /// The line that begins with a better move.
    pub line: Vec<String>,
}

/// The end of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewSummary {
    /// The accuracy of black and white in per cent: 100 less the average of what the moves
    /// of a side lost of its chance to win.
    pub accuracy: [Option<u8>; 2],
    /// The node after the last move at which the loser could still hold, and the move that
    /// would have.
    pub escape: Option<(u32, String)>,
    /// Whether every later move of the loser is proved to lose.
    #[serde(default)]
    pub certain: bool,
    /// Otherwise the node after the later move with which the game was lost by the engine's
    /// estimate, if there is one.
    #[serde(default)]
    pub estimated: Option<u32>,
}
