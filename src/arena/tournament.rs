//! Everything that decides what is played.

use super::config::{EngineConfig, GameConfig};
use super::schedule::Schedule;
use crate::game::Opening;

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
}
