//! The results of searches in messages: lines of an analysis, proofs and reviews.

use super::setup::is_zero;
use quincunx_analysis::review::{MoveReview, ReviewSummary};
use serde::{Deserialize, Serialize};

/// The results of a search so far.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The status of a proof.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofStatus {
    /// A win with every defence.
    Proof,
    /// A win that the analysis has proved, with its main line.
    Line,
    /// That there is none by fours and threes. There may be one with a quiet move.
    NoThreats,
    /// No forced win was found within the limit of positions.
    Unknown,
}

/// A move of the winner, with the refutations of every reply.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofNode {
    /// The winner's move.
    pub point: String,
    /// The replies that need refutations of their own.
    pub replies: Vec<ProofReply>,
    /// The moves that win against every other reply.
    pub otherwise: Vec<String>,
}

/// A reply of the loser, with its refutation.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofReply {
    /// The reply.
    pub point: String,
    /// Its refutation.
    pub refutation: ProofNode,
}

/// The review of a game so far.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewView {
    /// The number of the game.
    pub game: u32,
    /// The number of steps so far.
    pub done: usize,
    /// The number of all steps.
    pub steps: usize,
    /// The nodes of the game, from the start on.
    pub nodes: Vec<u32>,
    /// The moves that a person should look at. The node after a move is in `nodes` at its number.
    pub mistakes: Vec<MoveReview>,
    /// The conclusions, at the end.
    pub summary: Option<ReviewSummary>,
}
