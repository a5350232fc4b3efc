//! The clocks that a room offers, as its messages say them.

pub use quincunx_engine::game::TimeLeft;
use quincunx_engine::game::{Byoyomi, TimeControl};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest main time.
const MOST_MAIN: Duration = Duration::from_secs(6 * 3600);

/// The longest increment or period.
const MOST_PERIOD: Duration = Duration::from_secs(600);

/// The most periods.
const MOST_PERIODS: u32 = 30;

/// The days for a move of a correspondence game.
const DAYS: [u64; 6] = [1, 2, 3, 5, 7, 14];

/// The seconds of a day.
const DAY_S: u64 = 86_400;

/// No game can be played with less time in all.
const LEAST: Duration = Duration::from_secs(1);

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        /// The increment of a move.
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
    /// A correspondence game: a number of days for every move. Its clock is never paused.
    Correspondence {
        /// The days: 1, 2, 3, 5, 7 or 14.
        days: u64,
    },
}

impl ClockRule {
    /// Returns true if this is a clock that a game can be played with.
    pub(super) fn is_sensible(self) -> bool {
        if let ClockRule::Correspondence { days } = self {
            return DAYS.contains(&days);
        }
        let control = self.control();
        let (start, period) = (control.start(), control.byoyomi_period());
        start.main <= MOST_MAIN
            && control.increment <= MOST_PERIOD
            && period <= MOST_PERIOD
            && start.periods <= MOST_PERIODS
            && (start.periods == 0 || period >= LEAST)
            && control.allowed(start) >= LEAST
    }

    /// Returns true for a correspondence game.
    pub const fn is_correspondence(self) -> bool {
        matches!(self, ClockRule::Correspondence { .. })
    }

    /// Begins a turn: each of a correspondence game has its whole time.
    pub(super) fn renew(self, left: &mut TimeLeft) {
        if self.is_correspondence() {
            *left = self.control().start();
        }
    }

    /// The clock that the game is played with.
    pub fn control(self) -> TimeControl {
        let ms = Duration::from_millis;
        let (main_ms, increment_ms, byoyomi) = match self {
            ClockRule::SuddenDeath { main_ms } => (main_ms, 0, None),
            ClockRule::Increment {
                main_ms,
                increment_ms,
            } => (main_ms, increment_ms, None),
            ClockRule::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => {
                let period = ms(period_ms);
                (main_ms, 0, Some(Byoyomi { period, periods }))
            }
            ClockRule::Correspondence { days } => {
                let turn = Duration::from_secs(days.saturating_mul(DAY_S));
                return TimeControl {
                    turn: Some(turn),
                    game: Some(turn),
                    ..TimeControl::default()
                };
            }
        };
        TimeControl {
            game: Some(ms(main_ms)),
            increment: ms(increment_ms),
            byoyomi,
            ..TimeControl::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (ClockRule::Correspondence { days: 3 }, true),
            (ClockRule::Correspondence { days: 0 }, false),
            (ClockRule::Correspondence { days: u64::MAX }, false),
        ] {
            assert_eq!(clock.is_sensible(), sensible, "{clock:?}");
        }
    }
}
