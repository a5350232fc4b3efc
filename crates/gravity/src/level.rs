//! Levels of play, from a beginner's to perfect.
//!
//! A weak level is weak in two ways: it looks only a few plies ahead, and now
//! and then it plays without looking at all.

use super::random::Random;
use super::{Limits, Outcome, Position, Search, Watch};
use std::fmt;
use std::str::FromStr;

/// The strength of the engine, from 0 for a beginner to 10 for full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The depth in plies and the percentage of slips, by level.
const STRENGTHS: [(u32, usize); 11] = [
    (1, 60),
    (1, 40),
    (2, 30),
    (2, 20),
    (3, 12),
    (4, 8),
    (6, 5),
    (8, 3),
    (10, 1),
    (14, 0),
    (u32::MAX, 0),
];

impl Level {
    /// Sees its own wins, if it looks.
    pub const BEGINNER: Level = Level(0);
    /// Plays as well as the time allows: perfectly where the search reaches the
    /// end of the game.
    pub const PERFECT: Level = Level(10);

    /// The level with a number from 0 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (number <= Level::PERFECT.0).then_some(Level(number))
    }

    /// The number of the level.
    pub fn number(self) -> u8 {
        self.0
    }

    fn depth(self) -> u32 {
        STRENGTHS[usize::from(self.0)].0
    }

    fn slips(self) -> usize {
        STRENGTHS[usize::from(self.0)].1
    }
}

impl Default for Level {
    fn default() -> Self {
        Level::PERFECT
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        let number = text.parse().ok();
        number.and_then(Level::new).ok_or(LevelError)
    }
}

/// A level that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelError;

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a level is a number from 0 to {}", Level::PERFECT)
    }
}

impl std::error::Error for LevelError {}

/// A player of some level.
pub struct Machine {
    search: Search,
    random: Random,
    /// The strength.
    pub level: Level,
}

impl Machine {
    /// A player with a table of about this size in bytes. The same seed makes the
    /// same slips.
    pub fn new(level: Level, table_bytes: usize, seed: u64) -> Machine {
        Machine {
            search: Search::new(table_bytes),
            random: Random::new(seed),
            level,
        }
    }

    /// Chooses a column as well as the level and the limits allow. After a slip
    /// the outcome has a column and nothing else.
    pub fn choose(&mut self, position: &Position, limits: &Limits, watch: Watch) -> Outcome {
        let columns: Vec<usize> = position.playable_columns().collect();
        if self.random.below(100) < self.level.slips() && !columns.is_empty() {
            return Outcome {
                column: Some(columns[self.random.below(columns.len())]),
                ..Outcome::default()
            };
        }
        let depth = limits.depth.min(self.level.depth());
        let limits = Limits { depth, ..*limits };
        self.search.search(position, &limits, watch)
    }

    /// The search of the machine, for a hint or the values of columns.
    pub fn search(&mut self) -> &mut Search {
        &mut self.search
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_up_to_ten() {
        assert_eq!("0".parse(), Ok(Level::BEGINNER));
        assert_eq!("10".parse(), Ok(Level::PERFECT));
        for wrong in ["11", "-1", "", "x"] {
            assert_eq!(wrong.parse::<Level>(), Err(LevelError));
        }
    }

    #[test]
    fn every_level_looks_as_far_as_the_one_below_and_slips_no_more() {
        for pair in STRENGTHS.windows(2) {
            assert!(pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1);
        }
    }
}
