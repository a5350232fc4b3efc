//! Everything that decides what is played.

use super::config::{EngineConfig, GameConfig};
use super::schedule::Schedule;
use quincunx_engine::game::Opening;
use std::collections::HashSet;

/// A tournament, or a match if it has two engines.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The engines that take part.
    pub engines: Vec<EngineConfig>,
    /// The configuration of all games.
    pub game: GameConfig,
    /// The openings, which the schedule names by their index.
    pub openings: Vec<Opening>,
    /// The pairings and the openings of the games.
    pub schedule: Schedule,
    /// True if every program is restarted for every game.
    pub restart: bool,
    /// Keep both games of a pair on one core.
    pub pin: bool,
    /// True if transcripts are recorded.
    pub transcripts: bool,
}

impl Tournament {
    /// Returns the number of different starts that the pairs of two engines have. Openings that are
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
