//! Time management as arithmetic: how long a move may take, and how much of
//! that to use.
//!
//! All times are numbers of milliseconds, so that every case can be tested
//! without waiting for it. The reporter compares the limits with a clock.

use crate::rules::Point;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// No limit.
const FOREVER: u64 = u64::MAX;

/// A time that is hardly longer than the reserve is used up to this, but no more than half of it.
const INSTANT: u64 = 5;

/// The time left is spread over at most this many of the engine's own moves.
/// With 11 games are lost, with 34 nothing is gained (docs/log/README.md, "Time for a
/// whole game").
const HORIZON: u64 = 22;

/// One move takes at most one part in this many of the time left.
const LARGEST_SHARE: u64 = 7;

/// The time that the rules of a match allow, in milliseconds; `None` means
/// without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeAllowance {
    /// For this move.
    pub(super) turn: Option<u64>,
    /// For the rest of the game.
    pub(super) left: Option<u64>,
    /// Added after every move.
    pub(super) increment: u64,
    /// The number of empty points, which limits the moves still to come.
    pub(super) empty: usize,
}

/// The used part of the time left: the moves since it was set, and the
/// milliseconds that they took.
#[derive(Debug, Default)]
pub(super) struct UsedTime {
    milliseconds: AtomicU64,
    moves: AtomicU64,
}

impl UsedTime {
    /// Adds a move that took this long.
    pub(super) fn add_move(&self, milliseconds: u64) {
        self.milliseconds.fetch_add(milliseconds, Relaxed);
        self.moves.fetch_add(1, Relaxed);
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> u64 {
        self.moves.load(Relaxed)
    }

    /// The rest of `left` if every move has added `increment`.
    pub(super) fn rest(&self, left: u64, increment: u64) -> u64 {
        left.saturating_add(increment.saturating_mul(self.moves()))
            .saturating_sub(self.milliseconds.load(Relaxed))
    }
}

/// The bounds of the time for a move, in milliseconds since the request was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeLimits {
    /// No iteration is begun after this.
    pub(super) optimum: u64,
    /// The search stops at this, once it has begun.
    pub(super) maximum: u64,
    /// True if time saved on this move can be used later, so that the optimum
    /// should depend on the difficulty of the position.
    pub(super) elastic: bool,
}

impl TimeLimits {
    /// Search until told to stop.
    pub(super) const UNLIMITED: TimeLimits = TimeLimits {
        optimum: FOREVER,
        maximum: FOREVER,
        elastic: false,
    };

    /// The limits for a move under `allowance`.
    pub(super) fn of(allowance: &TimeAllowance) -> TimeLimits {
        let turn = allowance.turn.map_or(FOREVER, usable);
        let Some(left) = allowance.left else {
            return TimeLimits {
                optimum: part(turn, 9, 10),
                maximum: turn,
                elastic: false,
            };
        };
        let own_moves = (allowance.empty as u64).div_ceil(2).max(1);
        let left = usable(left);
        let bonus = part(allowance.increment, 3, 4);
        let share = |moves: u64| (left / moves).saturating_add(bonus).min(left);
        let maximum = turn.min(share(own_moves.min(LARGEST_SHARE)));
        let optimum = share((own_moves + 1).min(HORIZON));
        let ample = part(maximum, 9, 10);
        TimeLimits {
            optimum: optimum.min(ample),
            maximum,
            elastic: optimum < ample,
        }
    }

    /// The optimum scaled by `per_mille`, where it is elastic; never more than
    /// the maximum.
    pub(super) fn scaled_optimum(&self, per_mille: u64) -> u64 {
        if self.elastic {
            part(self.optimum, per_mille, 1000).min(self.maximum)
        } else {
            self.optimum
        }
    }
}

/// `time * numerator / denominator`. No limit stays no limit.
fn part(time: u64, numerator: u64, denominator: u64) -> u64 {
    if time == FOREVER {
        return FOREVER;
    }
    let part = u128::from(time) * u128::from(numerator) / u128::from(denominator);
    u64::try_from(part).unwrap_or(FOREVER)
}

/// The part of `time` to use if the answer must arrive before it is over:
/// pipes, schedulers and the manager take the rest.
fn usable(time: u64) -> u64 {
    let reserve = (8 + time / 40).min(150);
    time.saturating_sub(reserve).max(INSTANT.min(time / 2))
}

/// The stability of the best move and the score over the iterations so far. An
/// unstable best move or a falling score is worth more time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stability {
    best: Option<Point>,
    score: Option<i32>,
    /// The number of iterations since the best move changed.
    steady: u64,
}

impl Stability {
    /// Takes in the result of an iteration; `score` has 200 units a logit.
    /// Returns the part of the optimum to use, per mille.
    pub(super) fn update(&mut self, best: Option<Point>, score: i32) -> u64 {
        self.steady = if best == self.best {
            self.steady + 1
        } else {
            0
        };
        self.best = best;
        let fall = self.score.map_or(0, |before| {
            i64::from(before).saturating_sub(i64::from(score))
        });
        self.score = Some(score);
        let settled = 1300 - 130 * self.steady.min(5);
        // One logit down asks for 60 % more time.
        let worry = (1000 + fall.saturating_mul(3)).clamp(900, 1600) as u64;
        settled * worry / 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turn_only(turn: u64) -> TimeLimits {
        TimeLimits::of(&TimeAllowance {
            turn: Some(turn),
            empty: 200,
            ..TimeAllowance::default()
        })
    }

    #[test]
    fn turns_are_used_but_never_up() {
        for (turn, least, most) in [
            (20, 10, 12),
            (50, 36, 42),
            (100, 85, 92),
            (1000, 940, 970),
            (5000, 4800, 4900),
        ] {
            let limits = turn_only(turn);
            assert!(
                (least..=most).contains(&limits.maximum),
                "{turn}: {limits:?}"
            );
            assert!(
                limits.optimum >= limits.maximum * 8 / 10,
                "{turn}: {limits:?}"
            );
            assert!(!limits.elastic);
        }
    }

    /// A turn of one to four milliseconds was once taken for five, and one of five was used up.
    #[test]
    fn short_turns_are_used_but_never_up() {
        for turn in 0..=50 {
            let maximum = turn_only(turn).maximum;
            assert!(maximum >= INSTANT.min(turn / 2), "{turn}: {maximum}");
            assert!(
                maximum <= turn / 2 || maximum + 8 <= turn,
                "{turn}: {maximum}"
            );
        }
    }

    #[test]
    fn no_time_means_at_once() {
        assert_eq!(turn_only(0).maximum, 0);
        let out_of_time = TimeAllowance {
            turn: Some(30_000),
            left: Some(0),
            increment: 0,
            empty: 100,
        };
        assert_eq!(TimeLimits::of(&out_of_time).maximum, 0);
    }

    #[test]
    fn no_limit_means_forever() {
        assert_eq!(
            TimeLimits::of(&TimeAllowance::default()),
            TimeLimits::UNLIMITED
        );
    }

    /// The groups' clock at Gomocup: 180 s a game, 30 s a turn.
    #[test]
    fn a_match_is_spread_over_its_moves() {
        let mut left = 180_000;
        let mut empty = 221;
        let first = TimeLimits::of(&TimeAllowance {
            turn: Some(30_000),
            left: Some(left),
            increment: 0,
            empty,
        });
        assert!((7_000..9_000).contains(&first.optimum), "{first:?}");
        assert!((20_000..27_000).contains(&first.maximum), "{first:?}");
        // Every move at its maximum and 40 ms lost on the way: still in time.
        while empty > 1 {
            let limits = TimeLimits::of(&TimeAllowance {
                turn: Some(30_000),
                left: Some(left),
                increment: 0,
                empty,
            });
            if left < 500 {
                break;
            }
            left -= limits.maximum + 40;
            empty -= 2;
        }
    }

    #[test]
    fn ample_match_time_lets_a_turn_be_used() {
        let limits = TimeLimits::of(&TimeAllowance {
            turn: Some(5_000),
            left: Some(1_000_000),
            increment: 0,
            empty: 150,
        });
        assert_eq!(limits.maximum, 4_867);
        assert!(limits.optimum >= 4_300 && !limits.elastic);
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let mut doubt = Stability::default();
        let mut sure = Stability::default();
        let point = |x| Some(Point::new(x, 3));
        let (mut slow, mut quick) = (0, 0);
        for depth in 0..8 {
            slow = doubt.update(point(depth), -50 * depth as i32);
            quick = sure.update(point(3), 10);
        }
        assert!(slow > 1300 && quick < 700, "{slow} {quick}");
        assert!(sure.update(point(3), i32::MAX) < quick);
        let falls_far = sure.update(point(3), i32::MIN);
        assert!(falls_far > quick && falls_far <= 2080);
    }

    proptest! {
        #[test]
        fn limits_are_in_order(
            turn in proptest::option::of(0..=u64::from(u32::MAX)),
            left in proptest::option::of(0..=u64::from(u32::MAX)),
            increment in 0..100_000u64,
            empty in 1..=484usize,
            scale in 600..2100u64,
        ) {
            let limits = TimeLimits::of(&TimeAllowance { turn, left, increment, empty });
            prop_assert!(limits.optimum <= limits.maximum);
            prop_assert!(limits.scaled_optimum(scale) <= limits.maximum);
            for limit in [turn, left].into_iter().flatten() {
                prop_assert!(limits.maximum <= limit - (limit / 40).min(150));
            }
        }
    }
}
