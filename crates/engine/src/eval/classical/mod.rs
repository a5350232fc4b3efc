//! The classical evaluation: embeddings of the patterns through every empty
//! point, summed over the board, and a small network over the sums.
//!
//! Each code (the four shapes that a colour has at a point) and each pair of
//! classes (the colour's and its opponent's) has an embedding of
//! [`EMBEDDING_DIM`] numbers. The sums of the embeddings over the empty points,
//! one for each colour, are the accumulator, which follows the moves of the
//! position. The evaluation has three terms:
//!
//! - The linear term is dimension [`SIDE_TO_MOVE`] of the sum of the side to
//!   move less dimension [`OPPONENT`] of its opponent's sum.
//! - The [`ValueHead`] is a network with one hidden layer. Its inputs are both
//!   sums and the number of stones.
//! - The threat term is a number for the [set of threats](threat_set) on the
//!   board.
//!
//! [`MoveScores`] rate moves before any search: the policy of the evaluation.

mod accumulator;
mod built_in;
mod distance;
mod embedding;
mod evaluator;
mod format;
mod hand_set;
mod move_scores;
mod tables;
mod threats;
mod value_head;
mod weights;

pub use distance::{DISTANCE_BUCKETS, distance_bucket};
pub use embedding::{
    EMBEDDING_DIM, EMBEDDING_LIMIT, EMBEDDING_SCALE, Embedding, EmbeddingSum, OPPONENT,
    SIDE_TO_MOVE,
};
pub use evaluator::{Classical, EvalTerms};
pub use format::{TablesError, VERSION as TABLES_VERSION};
pub use move_scores::{MoveScores, MoveTerms};
pub use tables::EvalTables;
pub use threats::{THREAT_NAMES, THREAT_SETS, threat_set};
pub use value_head::{HEAD_INPUTS, HEAD_SCALE, HEAD_WEIGHTS, HIDDEN_UNITS, ValueHead};
pub use weights::ClassicalWeights;
