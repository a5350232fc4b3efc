//! The samples that fits read, and which of them are for validation.

use super::record::SelfplayGame;
use quincunx_engine::rules::Color;
use quincunx_engine::splitmix;

/// One game in this many is for validation.
const VALIDATION_ONE_IN: u64 = 10;

/// Features and targets of positions, for the side to move. The lists hold all
/// positions one after another.
#[derive(Default)]
pub struct ValueSamples {
    /// Where each position's features end.
    pub ends: Vec<usize>,
    /// The number of an embedding in the
    /// [`ParameterLayout`](super::layout::ParameterLayout) and how often it is on
    /// the board. The opponent's embeddings are numbered after all of the side to
    /// move's.
    pub features: Vec<(u16, i16)>,
    /// The side to move.
    pub sides: Vec<Color>,
    /// The [set of threats](quincunx_engine::eval::threat_set) on the board.
    pub threats: Vec<u16>,
    /// The number of stones on the board.
    pub stones: Vec<u16>,
    /// The result of the game: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub results: Vec<f32>,
    /// The score of the search, in units.
    pub scores: Vec<i16>,
    /// Whether the search chose all later moves, so that none was sampled.
    pub on_policy: Vec<bool>,
}

/// The parameters that are added up for the score of a move: attack, defence, the
/// bonus for both, and the distances to the opponent's last stone and to the
/// side's own.
pub type MoveFeatures = [u16; 5];

/// The moves of positions in which the winner was to move, and of positions of search trees
/// in which the side to move did not stand worse. The first move of each position is the one
/// that the search chose.
#[derive(Default)]
pub struct PolicySamples {
    /// Where each position's moves end.
    pub ends: Vec<usize>,
    /// The features of each move.
    pub moves: Vec<MoveFeatures>,
}

/// The samples of some games.
#[derive(Default)]
pub struct Dataset {
    /// The samples of the value.
    pub values: ValueSamples,
    /// The samples of the policy.
    pub policy: PolicySamples,
    /// The number of games.
    pub games: usize,
}

impl ValueSamples {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the features of a position.
    #[inline]
    pub fn features(&self, index: usize) -> &[(u16, i16)] {
        let start = index.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.features[start..self.ends[index]]
    }
}

impl PolicySamples {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the moves of a position.
    #[inline]
    pub fn moves(&self, index: usize) -> &[MoveFeatures] {
        let start = index.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.moves[start..self.ends[index]]
    }
}

/// Returns whether a game is for validation. The answer depends on nothing but
/// the game's seed and number.
pub(crate) fn is_validation(game: &SelfplayGame) -> bool {
    let number = u64::from(game.number) ^ game.seed.wrapping_mul(splitmix::GAMMA);
    number.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32 & 0xFFFF_FFFF < (1 << 32) / VALIDATION_ONE_IN
}
