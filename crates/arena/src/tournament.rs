//! Everything that decides what is played.

use super::config::{EngineConfig, GameConfig};
use super::schedule::Schedule;
use quincunx_engine::game::Opening;
use std::collections::HashSet;

/// A tournament, or a match if it has two engines.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who takes part.
    pub engines: Vec<EngineConfig>,
    /// What the games have in common.
    pub game: GameConfig,
    /// The openings, which the schedule names by their index.
    pub openings: Vec<Opening>,
    /// Who plays whom from which opening.
    pub schedule: Schedule,
    /// Start every program anew for every game.
    pub restart: bool,
    /// Keep both games of a pair on one core.
    pub pin: bool,
    /// Keep what is said in every game.
    pub transcripts: bool,
}

impl Tournament {
    /// How many different starts the pairs of two engines have: openings that are
    /// turned or mirrored are different, unless they look the same then.
    pub fn different_starts(&self) -> usize {
        let size = self.game.variant.size;
        let starts = self.schedule.starts().map(|(opening, symmetry)| {
            let opening = &self.openings[opening];
            opening.turned(size, symmetry).to_string()
        });
        starts.collect::<HashSet<String>>().len()
    }
}
