//! What a position is worth when no forced win is in sight.
//!
//! Floor 4. The classical evaluation adds a few numbers for each empty point
//! and colour, looked up by code, and keeps the sums while the position changes;
//! a small network over the sums and what is threatened right now come on top.
//! A second evaluator would plug in here, behind the same three calls.

mod classical;
mod head;
mod moves;
mod rows;
mod score;
mod store;
mod tables;

pub use classical::{Classical, Parts, threat_set};
pub use head::{
    HEAD_NUMBERS, HEAD_SCALE, HIDDEN, Head, INPUTS, LANE_LIMIT, LANES, Logits, MOVING, VALUE_SCALE,
    WAITING,
};
pub use moves::{MoveParts, MoveScores, PLACES, place};
pub use score::Score;
pub use store::{TablesError, VERSION as TABLES_VERSION};
pub use tables::{EvalTables, Lanes, THREAT_NAMES, THREAT_SETS};
