//! What the engine's levels are worth, so that a person's rating means something.

use super::Glicko;

/// Levels and their ratings. The distances are those of the arena's games between
/// neighbours, see docs/levels.md; level 20, a casual player, is where Glicko-2 puts
/// a player of whom nothing is known.
const ANCHORS: [(u8, f64); 7] = [
    (0, 394.0),
    (10, 1102.0),
    (20, 1500.0),
    (40, 1707.0),
    (60, 1967.0),
    (80, 2349.0),
    (100, 2517.0),
];

/// How sure the anchors are.
const DEVIATION: f64 = 60.0;

/// The rating of the engine at a level from 0 to 100. It is the same after every game.
pub fn engine_rating(level: u8) -> Glicko {
    let level = f64::from(level.min(100));
    let between = ANCHORS.windows(2).find_map(|pair| {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        let part = (level - f64::from(low)) / f64::from(high - low);
        (part <= 1.0).then_some(from + (to - from) * part)
    });
    Glicko {
        rating: between.unwrap_or(ANCHORS[ANCHORS.len() - 1].1),
        deviation: DEVIATION,
        ..Glicko::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_order() {
        let ratings: Vec<f64> = (0..=100).map(|level| engine_rating(level).rating).collect();
        assert!(ratings.is_sorted_by(|low, high| low < high));
        for (level, rating) in ANCHORS {
            assert_eq!(engine_rating(level).rating, rating);
        }
        assert_eq!(engine_rating(255), engine_rating(100));
    }
}
