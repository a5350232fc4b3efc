//! Time as arithmetic: how long a move may take, and how much of that to use.
//!
//! Only numbers come in, all in milliseconds, so that every case can be
//! tested without waiting for it. The driver compares the results with a
//! monotonic clock that started when the request was read.

use crate::rules::Point;

/// What never has to be waited for.
pub const FOREVER: u64 = u64::MAX;

/// How long a move may run over when the answer is wanted at once.
const INSTANT: u64 = 5;

/// The most own moves the time left is spread over. With 11 games are lost, with
/// 34 nothing is gained (docs/strength.md).
const HORIZON: u64 = 22;

/// The part of the time left that one move may take at most.
const LARGEST_SHARE: u64 = 7;

/// The time a manager allows, in milliseconds; `None` means without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// For this move.
    pub turn: Option<u64>,
    /// For the rest of the game.
    pub left: Option<u64>,
    /// Given back after every move.
    pub increment: u64,
    /// The number of empty points, which bounds the moves still to come.
    pub empty: usize,
}

/// When to stop thinking, in milliseconds from the reading of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No new depth is begun after this.
    pub optimum: u64,
    /// The search is broken off at this.
    pub maximum: u64,
    /// Whether time saved on this move is of use later, so that the optimum
    /// should stretch and shrink with the difficulty of the position.
    pub elastic: bool,
}

impl Bounds {
    /// Think until told to stop.
    pub const UNLIMITED: Bounds = Bounds {
        optimum: FOREVER,
        maximum: FOREVER,
        elastic: false,
    };

    /// The bounds for a move under `allowance`.
    pub fn of(allowance: &Allowance) -> Bounds {
        let turn = allowance.turn.map_or(FOREVER, usable);
        let Some(left) = allowance.left else {
            return Bounds {
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
        Bounds {
            optimum: optimum.min(ample),
            maximum,
            elastic: optimum < ample,
        }
    }

    /// The optimum after the search has shown how hard the position is:
    /// `pace` per mille of it, the maximum at most.
    pub fn stretched(&self, pace: u64) -> u64 {
        if self.elastic {
            part(self.optimum, pace, 1000).min(self.maximum)
        } else {
            self.optimum
        }
    }
}

/// `numerator / denominator` of `time`; what lasts forever still does.
fn part(time: u64, numerator: u64, denominator: u64) -> u64 {
    if time == FOREVER {
        return FOREVER;
    }
    let part = u128::from(time) * u128::from(numerator) / u128::from(denominator);
    u64::try_from(part).unwrap_or(FOREVER)
}

/// What can be used of `time` if the answer has to be with the manager before
/// it is over: pipes, schedulers and the manager itself take their part.
fn usable(time: u64) -> u64 {
    let reserve = (15 + time / 20).min(150);
    time.saturating_sub(reserve).max(time / 4).max(INSTANT)
}

/// Watches the results of finished depths: a best move that keeps changing or
/// a score that falls is worth more time, a settled one less.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    best: Option<Point>,
    score: Option<i32>,
    steady: u64,
}

impl Pace {
    /// Notes a finished depth; `score` has 200 units a logit. Returns how much
    /// of the optimum to use, per mille.
    pub fn finished(&mut self, best: Option<Point>, score: i32) -> u64 {
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

    fn turn_only(turn: u64) -> Bounds {
        Bounds::of(&Allowance {
            turn: Some(turn),
            empty: 200,
            ..Allowance::default()
        })
    }

    #[test]
    fn turns_are_used_but_never_up() {
        for (turn, least, most) in [
            (50, 25, 35),
            (100, 70, 85),
            (1000, 850, 940),
            (5000, 4500, 4850),
        ] {
            let bounds = turn_only(turn);
            assert!(
                (least..=most).contains(&bounds.maximum),
                "{turn}: {bounds:?}"
            );
            assert!(
                bounds.optimum >= bounds.maximum * 8 / 10,
                "{turn}: {bounds:?}"
            );
            assert!(!bounds.elastic);
        }
    }

    #[test]
    fn no_time_means_at_once() {
        assert!(turn_only(0).maximum <= INSTANT);
        let out_of_time = Allowance {
            turn: Some(30_000),
            left: Some(0),
            increment: 0,
            empty: 100,
        };
        assert!(Bounds::of(&out_of_time).maximum <= INSTANT);
    }

    #[test]
    fn no_limit_means_forever() {
        assert_eq!(Bounds::of(&Allowance::default()), Bounds::UNLIMITED);
    }

    /// The groups' clock at Gomocup: 180 s a game, 30 s a turn.
    #[test]
    fn a_match_is_spread_over_its_moves() {
        let mut left = 180_000;
        let mut empty = 221;
        let first = Bounds::of(&Allowance {
            turn: Some(30_000),
            left: Some(left),
            increment: 0,
            empty,
        });
        assert!((7_000..9_000).contains(&first.optimum), "{first:?}");
        assert!((20_000..27_000).contains(&first.maximum), "{first:?}");
        // Every move at its maximum and 40 ms lost on the way: still in time.
        while empty > 1 {
            let bounds = Bounds::of(&Allowance {
                turn: Some(30_000),
                left: Some(left),
                increment: 0,
                empty,
            });
            if left < 500 {
                break;
            }
            left -= bounds.maximum + 40;
            empty -= 2;
        }
    }

    #[test]
    fn ample_match_time_lets_a_turn_be_used() {
        let bounds = Bounds::of(&Allowance {
            turn: Some(5_000),
            left: Some(1_000_000),
            increment: 0,
            empty: 150,
        });
        assert_eq!(bounds.maximum, 4_850);
        assert!(bounds.optimum >= 4_300 && !bounds.elastic);
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let mut doubt = Pace::default();
        let mut sure = Pace::default();
        let point = |x| Some(Point::new(x, 3));
        let (mut slow, mut quick) = (0, 0);
        for depth in 0..8 {
            slow = doubt.finished(point(depth), -50 * depth as i32);
            quick = sure.finished(point(3), 10);
        }
        assert!(slow > 1300 && quick < 700, "{slow} {quick}");
        assert!(sure.finished(point(3), i32::MAX) < quick);
        let falls_far = sure.finished(point(3), i32::MIN);
        assert!(falls_far > quick && falls_far <= 2080);
    }

    proptest! {
        #[test]
        fn bounds_are_in_order(
            turn in proptest::option::of(0..=u64::from(u32::MAX)),
            left in proptest::option::of(0..=u64::from(u32::MAX)),
            increment in 0..100_000u64,
            empty in 1..=484usize,
            pace in 600..2100u64,
        ) {
            let bounds = Bounds::of(&Allowance { turn, left, increment, empty });
            prop_assert!(bounds.optimum <= bounds.maximum);
            prop_assert!(bounds.stretched(pace) <= bounds.maximum);
            for limit in [turn, left].into_iter().flatten() {
                prop_assert!(bounds.maximum <= (limit * 97 / 100).max(INSTANT) || limit > 5_000);
                prop_assert!(bounds.maximum <= limit.max(INSTANT));
            }
        }
    }
}
