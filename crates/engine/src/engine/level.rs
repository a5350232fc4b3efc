//! Levels of strength below the engine's own, for people to play against.
//!
//! A weak player does not calculate every move, looks at few positions when it
//! does, and sees only near threats. So a level sets how often a move is played
//! at first sight, how many nodes a search may take, and how far threats are
//! seen at first sight.

/// The level at which nothing is held back.
const FULL: u8 = 100;

/// The playing strength, from 0 (a beginner) up to less than 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    strength: u8,
    /// The seed of the random choices, which depend on the position too.
    pub(super) seed: u64,
}

impl Level {
    /// The level of this strength; `None` where nothing is held back. The same
    /// seed gives the same moves.
    pub(super) fn new(strength: u8, seed: u64) -> Option<Level> {
        (strength < FULL).then_some(Level { strength, seed })
    }

    /// The maximum number of nodes of a search. It doubles every eight levels.
    pub(super) fn nodes(self) -> u64 {
        let part = u64::from(self.strength % 8);
        (2 << (self.strength / 8)) * (8 + part)
    }

    /// The probability that a move is played at first sight.
    pub(super) fn haste(self) -> f64 {
        let held_back = 1.0 - f64::from(self.strength) / f64::from(FULL);
        held_back * held_back
    }

    /// The number of plies from which a five is seen at first sight: the next move's, an
    /// open four's, a four-three's.
    pub(super) fn sight(self) -> usize {
        match self.strength {
            0..5 => 0,
            5..20 => 1,
            20..50 => 3,
            _ => 5,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_order() {
        let level = |strength| Level::new(strength, 7).unwrap();
        for strength in 1..FULL {
            let (lower, higher) = (level(strength - 1), level(strength));
            assert!(lower.nodes() < higher.nodes(), "{strength}");
            assert!(lower.haste() > higher.haste(), "{strength}");
            assert!(lower.sight() <= higher.sight(), "{strength}");
        }
        assert_eq!(Level::new(FULL, 7), None);
        assert_eq!(Level::new(u8::MAX, 7), None);
    }
}
