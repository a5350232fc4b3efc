//! Settings of the boards that the server serves.

use quincunx_board::SearchBounds;
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use quincunx_explorer::Explorer;
use std::sync::Arc;

/// The settings of boards.
#[derive(Clone)]
pub struct BoardSettings {
    /// The options of every search: threads and memory.
    pub options: Options,
    /// The bounds within which people choose them for their boards.
    pub searches: SearchBounds,
    /// The most connections that have an engine at a time.
    pub engines: usize,
    /// The weights of the evaluation.
    pub weights: Arc<WeightSet>,
    /// The explorer of played games, which analyses show.
    pub explorer: Option<Arc<Explorer>>,
}
