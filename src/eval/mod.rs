//! What a position is worth when no forced win is in sight.
//!
//! Floor 4. The classical evaluation adds one value for each empty point and
//! colour, looked up by code, and kept as a sum while the position changes;
//! what is threatened right now comes on top. A second evaluator would plug in
//! here, behind the same three calls.

mod classical;
mod score;
mod store;
mod tables;

pub use classical::{Classical, Parts, threat_set};
pub use score::Score;
pub use store::{TablesError, VERSION as TABLES_VERSION};
pub use tables::{EvalTables, THREAT_NAMES, THREAT_SETS, VALUE_SCALE, Value};
