//! What the program gives every board that the server serves.

use quincunx_board::SearchBounds;
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use quincunx_explorer::Explorer;
use std::sync::Arc;

/// What boards search with.
#[derive(Clone)]
pub struct BoardSettings {
    /// What every search begins with: threads and memory.
    pub options: Options,
    /// What people may choose of that for their boards.
    pub searches: SearchBounds,
    /// The most connections that have an engine at a time.
    pub engines: usize,
    /// What positions are evaluated with.
    pub weights: Arc<WeightSet>,
    /// What was played, beside the analysis of boards.
    pub explorer: Option<Arc<Explorer>>,
}
