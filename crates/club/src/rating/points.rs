//! The points of a playing site: whole numbers that move from the loser to the winner.

use super::Score;

/// Differences from here on count one point, whichever side wins.
const WIDE: u32 = 100;

/// Differences from here on count nothing unless the game is drawn.
const TOO_WIDE: u32 = 200;

/// The points of a player on a playing site.
///
/// The winner takes 10 points less a tenth of the difference from a player with fewer
/// points or as many, and 10 points and a tenth of the difference from one with more.
/// Of a drawn game the player with fewer points gets a tenth of the difference. Where
/// the difference is 100 or more, all of these are one point, and from 200 on only
/// draws count. A tenth of the difference is rounded down to whole points. What one
/// player gets the other loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SitePoints(pub i32);

impl SitePoints {
    /// The points of both players after a game. `score` is the first player's.
    #[must_use]
    pub fn after(self, other: SitePoints, score: Score) -> (SitePoints, SitePoints) {
        let gain = gain(self.0, other.0, score);
        (
            SitePoints(self.0.saturating_add(gain)),
            SitePoints(other.0.saturating_sub(gain)),
        )
    }
}

/// The change of the points of a player with `own` points.
fn gain(own: i32, other: i32, score: Score) -> i32 {
    match score {
        Score::Win => wins(own, other),
        Score::Loss => -wins(other, own),
        Score::Draw if own == other => 0,
        Score::Draw => {
            let difference = own.abs_diff(other);
            let part = if difference < WIDE {
                tenth(difference)
            } else {
                1
            };
            if own < other { part } else { -part }
        }
    }
}

/// The points that a win adds.
fn wins(winner: i32, loser: i32) -> i32 {
    match winner.abs_diff(loser) {
        TOO_WIDE.. => 0,
        WIDE.. => 1,
        difference if winner >= loser => 10 - tenth(difference),
        difference => 10 + tenth(difference),
    }
}

/// A tenth of a difference below [`WIDE`].
const fn tenth(difference: u32) -> i32 {
    (difference / 10) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_branch() {
        for (own, other, score, expected) in [
            // Below 100: the winner had as many points, more, or fewer.
            (1200, 1200, Score::Win, 10),
            (1250, 1200, Score::Win, 5),
            (1299, 1200, Score::Win, 1),
            (1200, 1250, Score::Win, 15),
            (1200, 1299, Score::Win, 19),
            (1250, 1200, Score::Loss, -15),
            (1200, 1250, Score::Loss, -5),
            (1200, 1200, Score::Loss, -10),
            // Drawn: the lower one gets a tenth.
            (1200, 1250, Score::Draw, 5),
            (1250, 1200, Score::Draw, -5),
            (1200, 1200, Score::Draw, 0),
            (1209, 1200, Score::Draw, 0),
            // From 100 on.
            (1300, 1200, Score::Win, 1),
            (1200, 1300, Score::Win, 1),
            (1399, 1200, Score::Loss, -1),
            (1200, 1399, Score::Loss, -1),
            (1300, 1200, Score::Draw, -1),
            (1200, 1300, Score::Draw, 1),
            // From 200 on.
            (1400, 1200, Score::Win, 0),
            (1400, 1200, Score::Loss, 0),
            (1200, 1400, Score::Win, 0),
            (1200, 1400, Score::Draw, 1),
            (1400, 1200, Score::Draw, -1),
            (i32::MAX, i32::MIN, Score::Draw, -1),
        ] {
            assert_eq!(gain(own, other, score), expected, "{own} {other} {score:?}");
        }
    }

    fn any_score() -> impl Strategy<Value = Score> {
        proptest::sample::select(vec![Score::Win, Score::Draw, Score::Loss])
    }

    proptest! {
        #[test]
        fn points_are_conserved(own in -3000..3000, other in -3000..3000, score in any_score()) {
            let (first, second) = SitePoints(own).after(SitePoints(other), score);
            prop_assert_eq!(first.0 + second.0, own + other);
            // Both players see the same game.
            let (again_second, again_first) =
                SitePoints(other).after(SitePoints(own), score.reversed());
            prop_assert_eq!((first, second), (again_first, again_second));
        }

        #[test]
        fn nobody_loses_by_winning(own in -3000..3000, other in -3000..3000) {
            let gained = gain(own, other, Score::Win);
            let distance = own.abs_diff(other);
            prop_assert!(gained >= 0);
            prop_assert_eq!(gained == 0, distance >= 200);
            prop_assert!(gained >= gain(own, other, Score::Loss));
            // The rule in words, in tenths and without rounding.
            if distance < 100 {
                let exact = 100 - (own - other);
                prop_assert!((gained * 10 - exact).abs() < 10);
            }
        }
    }
}
