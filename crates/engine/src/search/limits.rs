//! The limits at which a search ends by itself.

use crate::rules::{Color, PointSet};

/// The deepest ply that a search reaches.
pub const MAX_PLY: usize = 256;

/// The maximum number of nodes between two calls of
/// [`Report::stop`](super::Report::stop).
pub const POLL_INTERVAL: u64 = 32;

/// The end of a game without a five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The game ends after this many moves, or when the board is full.
    pub max_moves: usize,
    /// The colour that then wins. `None` for a draw.
    pub winner: Option<Color>,
}

/// A game that ends when the board is full, and is drawn.
impl Default for DrawRule {
    fn default() -> Self {
        DrawRule {
            max_moves: usize::MAX,
            winner: None,
        }
    }
}

impl DrawRule {
    /// The part of a transposition table's keys that tells this rule from others: scores
    /// hold under the rule that they come from. Zero for the default rule.
    pub(super) fn key(self) -> u64 {
        if self == DrawRule::default() {
            return 0;
        }
        let winner = match self.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        let number = (self.max_moves as u64).wrapping_mul(3).wrapping_add(winner);
        // With four added the number is at least 2: without a limit of moves, three times
        // `usize::MAX` is -3, and there is a winner. The factor is odd, and not that of the keys of
        // singular searches.
        number.wrapping_add(4).wrapping_mul(0xD1B5_4A32_D192_ED03)
    }
}

/// The limits of a search, and the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// The maximum number of moves that are tried. A search by one thread stops at
    /// exactly this number.
    pub nodes: u64,
    /// Points that are not played at the root.
    pub excluded: PointSet,
    /// True if a single move worth a search is searched as deeply as several. To be played
    /// it needs no deep search, but its value does.
    pub deepens_single_move: bool,
    /// The end of games without a five.
    pub draw_rule: DrawRule,
}

/// The deepest possible search, with any number of nodes.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: MAX_PLY as u32 / 2,
            nodes: u64::MAX,
            excluded: PointSet::EMPTY,
            deepens_single_move: false,
            draw_rule: DrawRule::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn draw_rules_have_keys_of_their_own() {
        let winners = [None, Some(Color::Black), Some(Color::White)];
        let numbers = (0..=484).chain([usize::MAX]);
        let rules = numbers
            .flat_map(|max_moves| winners.map(|winner| DrawRule { max_moves, winner }.key()));
        assert_eq!(rules.collect::<HashSet<u64>>().len(), 486 * 3);
        assert_eq!(DrawRule::default().key(), 0);
    }
}
