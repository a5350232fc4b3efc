//! The value of a position when no forced win is in sight.
//!
//! Layer 4. The search is generic over the trait [`Evaluator`]. The engine plays with
//! [`Hybrid`], the classical evaluation corrected by a line network. Weights are
//! values with an owner: a [`WeightSet`] holds those of every rule.

mod classical;
#[doc(hidden)]
pub mod dense;
mod evaluator;
mod hybrid;
pub mod line;
mod move_score;
mod simd;
mod weight_set;

pub use classical::{
    Classical, ClassicalWeights, DISTANCE_BUCKETS, EMBEDDING_DIM, EMBEDDING_LIMIT, EMBEDDING_SCALE,
    Embedding, EmbeddingSum, EvalTables, EvalTerms, HEAD_INPUTS, HEAD_SCALE, HEAD_WEIGHTS,
    HIDDEN_UNITS, MoveScores, MoveTerms, OPPONENT, SIDE_TO_MOVE, TABLES_VERSION, THREAT_NAMES,
    THREAT_SETS, TablesError, ValueHead, distance_bucket, threat_set,
};
pub use evaluator::Evaluator;
pub use hybrid::{Hybrid, HybridWeights};
pub use move_score::MoveScore;
pub use simd::{InstructionSet, UnknownInstructions};
pub use weight_set::WeightSet;
