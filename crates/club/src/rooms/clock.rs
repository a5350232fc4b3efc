//! The clocks of a room: arithmetic on durations that it is handed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest main time.
const MOST_MAIN: Duration = Duration::from_secs(6 * 3600);

/// The longest increment or period.
const MOST_PERIOD: Duration = Duration::from_secs(600);

/// The most periods.
const MOST_PERIODS: u32 = 30;

/// No game can be played with less time in all.
const LEAST: Duration = Duration::from_secs(1);

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockRule {
    /// A time for the whole game.
    SuddenDeath {
        /// That time.
        main_ms: u64,
    },
    /// A time for the whole game, and more with every move.
    Increment {
        /// The time at the start.
        main_ms: u64,
        /// The increment.
        increment_ms: u64,
    },
    /// Japanese byo-yomi: after the main time a number of periods. A period is lost
    /// only when a move uses all of it.
    Byoyomi {
        /// The main time.
        main_ms: u64,
        /// One period.
        period_ms: u64,
        /// The number of periods.
        periods: u32,
    },
}

/// The remaining time of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLeft {
    /// Of the main time.
    pub main: Duration,
    /// The number of periods.
    pub periods: u32,
}

impl ClockRule {
    /// Returns true if this is a clock that a game can be played with.
    pub fn is_sensible(self) -> bool {
        let start = self.start();
        let least = self.allowed(start);
        start.main <= MOST_MAIN
            && self.increment() <= MOST_PERIOD
            && self.period() <= MOST_PERIOD
            && start.periods <= MOST_PERIODS
            && (start.periods == 0 || self.period() >= LEAST)
            && least >= LEAST
    }

    /// The time at the start.
    pub fn start(self) -> TimeLeft {
        let (main_ms, periods) = match self {
            ClockRule::SuddenDeath { main_ms } | ClockRule::Increment { main_ms, .. } => {
                (main_ms, 0)
            }
            ClockRule::Byoyomi {
                main_ms, periods, ..
            } => (main_ms, periods),
        };
        TimeLeft {
            main: Duration::from_millis(main_ms),
            periods,
        }
    }

    /// The longest time for the next move.
    pub fn allowed(self, left: TimeLeft) -> Duration {
        left.main
            .saturating_add(self.period().saturating_mul(left.periods))
    }

    /// Takes time off. Says whether there was enough.
    pub fn charge(self, left: &mut TimeLeft, used: Duration) -> bool {
        let in_time = used < self.allowed(*left);
        let over = used.saturating_sub(left.main);
        left.main = left.main.saturating_sub(used);
        if !in_time {
            left.periods = 0;
        } else if left.periods > 0 {
            let lost = over.as_nanos() / self.period().as_nanos().max(1);
            left.periods -= u32::try_from(lost).unwrap_or(u32::MAX).min(left.periods);
        }
        in_time
    }

    /// Takes the time of a move off and adds the increment. Says whether the move
    /// came in time.
    pub fn spend(self, left: &mut TimeLeft, used: Duration) -> bool {
        let in_time = self.charge(left, used);
        if in_time {
            left.main = left.main.saturating_add(self.increment());
        }
        in_time
    }

    /// The increment.
    pub fn increment(self) -> Duration {
        match self {
            ClockRule::Increment { increment_ms, .. } => Duration::from_millis(increment_ms),
            _ => Duration::ZERO,
        }
    }

    /// The length of a period; zero without periods.
    pub fn period(self) -> Duration {
        match self {
            ClockRule::Byoyomi { period_ms, .. } => Duration::from_millis(period_ms),
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn sudden_death_ends_when_the_time_is_used() {
        let rule = ClockRule::SuddenDeath { main_ms: 5000 };
        let mut left = rule.start();
        assert!(rule.spend(&mut left, ms(3000)));
        assert_eq!(left.main, ms(2000));
        assert!(rule.spend(&mut left, ms(1999)));
        assert!(!rule.spend(&mut left, ms(1)));
        assert_eq!(rule.allowed(left), ms(0));
    }

    #[test]
    fn increments_come_after_the_move() {
        let rule = ClockRule::Increment {
            main_ms: 5000,
            increment_ms: 2000,
        };
        let mut left = rule.start();
        assert!(rule.spend(&mut left, ms(4999)));
        assert_eq!(left.main, ms(2001));
        assert!(!rule.spend(&mut left, ms(2001)));
        assert_eq!(left.main, ms(0));
    }

    #[test]
    fn a_period_is_lost_only_when_all_of_it_is_used() {
        let rule = ClockRule::Byoyomi {
            main_ms: 10_000,
            period_ms: 30_000,
            periods: 3,
        };
        let mut left = rule.start();
        assert_eq!(rule.allowed(left), ms(100_000));
        // Out of the main time and within the first period.
        assert!(rule.spend(&mut left, ms(39_999)));
        assert_eq!((left.main, left.periods), (ms(0), 3));
        assert!(rule.spend(&mut left, ms(29_999)));
        assert_eq!(left.periods, 3);
        // All of one, and of two more.
        assert!(rule.spend(&mut left, ms(30_000)));
        assert_eq!(left.periods, 2);
        assert!(rule.spend(&mut left, ms(59_999)));
        assert_eq!(left.periods, 1);
        assert!(!rule.spend(&mut left, ms(30_000)));
        assert_eq!(left.periods, 0);
    }

    #[test]
    fn clocks_that_nobody_can_play_with() {
        let byoyomi = |main_ms, period_ms, periods| ClockRule::Byoyomi {
            main_ms,
            period_ms,
            periods,
        };
        for (clock, sensible) in [
            (ClockRule::SuddenDeath { main_ms: 0 }, false),
            (ClockRule::SuddenDeath { main_ms: 60_000 }, true),
            (ClockRule::SuddenDeath { main_ms: u64::MAX }, false),
            (byoyomi(0, 10_000, 3), true),
            (byoyomi(0, 0, 3), false),
            (byoyomi(60_000, 10, 3), false),
            (byoyomi(60_000, 10_000, u32::MAX), false),
        ] {
            assert_eq!(clock.is_sensible(), sensible, "{clock:?}");
        }
    }
}
