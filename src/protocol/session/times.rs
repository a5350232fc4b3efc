//! The times that managers tell, as the engine has them.

use quincunx_engine::engine::Options;
use std::time::Duration;

/// From this value on a time is without limit.
pub(super) const NO_LIMIT: i64 = i32::MAX as i64;

/// The times for a move and for a game by which Yixin-Board says that nothing is limited.
const NO_LIMITS_OF_YIXIN: (i64, i64) = (2_000_000, 100_000_000);

/// The times of a session in milliseconds, as the manager has set them.
#[derive(Default)]
pub(super) struct ManagerTimes {
    /// For one move: 0 is as fast as possible, below 0 without limit.
    pub(super) turn: Option<i64>,
    /// For a whole game; 0 or below is without limit.
    pub(super) game: i64,
    /// Left for the game. It means nothing if the time for a game is below 0: gomocalc
    /// tells the time left even of a game without a limit, as 1.
    pub(super) left: i64,
}

impl ManagerTimes {
    /// Sets the engine's times. The time left is only changed where one is set: the engine
    /// forgets it with the game that it was set for.
    pub(super) fn set(&self, options: &mut Options) {
        let is_endless =
            options.infinite && self.turn.map(|turn| (turn, self.game)) == Some(NO_LIMITS_OF_YIXIN);
        let time = |milliseconds: i64, is_limited: bool| match u64::try_from(milliseconds) {
            Ok(milliseconds) if is_limited => Duration::from_millis(milliseconds),
            Err(_) if is_limited => Duration::ZERO,
            _ => Duration::MAX,
        };
        let limited = |value: i64| time(value, value < NO_LIMIT && !is_endless);
        options.timeout_turn = (self.turn).map(|turn| match turn {
            ..0 => Duration::MAX,
            turn => limited(turn),
        });
        options.timeout_match = (self.game > 0).then(|| limited(self.game));
        options.time_left = options.time_left.map(|_| match self.game {
            ..0 => Duration::MAX,
            _ => limited(self.left),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times for a move, for the game and left, where a time left is set.
    fn set(turn: Option<i64>, game: i64, left: i64, infinite: bool) -> [Option<Duration>; 3] {
        let mut options = Options {
            infinite,
            time_left: Some(Duration::ZERO),
            ..Options::default()
        };
        ManagerTimes { turn, game, left }.set(&mut options);
        [
            options.timeout_turn,
            options.timeout_match,
            options.time_left,
        ]
    }

    const fn ms(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    const ENDLESS: Option<Duration> = Some(Duration::MAX);

    #[test]
    fn special_times_mean_what_managers_mean() {
        for (turn, time) in [
            (None, None),
            (Some(0), ms(0)),
            (Some(1234), ms(1234)),
            (Some(-1), ENDLESS),
            (Some(NO_LIMIT), ENDLESS),
            (Some(i64::MAX), ENDLESS),
        ] {
            assert_eq!(set(turn, 0, 5, false), [time, None, ms(5)]);
        }
        for (game, left, expected) in [
            (60_000, -5, [None, ms(60_000), ms(0)]),
            (60_000, NO_LIMIT, [None, ms(60_000), ENDLESS]),
            (NO_LIMIT, 7, [None, ENDLESS, ms(7)]),
            (-1, 7, [None, None, ENDLESS]),
        ] {
            assert_eq!(set(None, game, left, false), expected);
        }
        // A time left that is not set stays so.
        let mut options = Options::default();
        ManagerTimes::default().set(&mut options);
        assert_eq!(options, Options::default());
    }

    /// Yixin-Board sends a pair of times, gomocalc a time left of 1.
    #[test]
    fn guis_have_their_own_words_for_no_limit() {
        let yixin = |infinite| set(Some(2_000_000), 100_000_000, 99_000_000, infinite);
        assert_eq!(yixin(true), [ENDLESS; 3]);
        assert_eq!(
            yixin(false),
            [ms(2_000_000), ms(100_000_000), ms(99_000_000)]
        );
        let other = set(Some(2_000_000), 90_000_000, 5, true);
        assert_eq!(other, [ms(2_000_000), ms(90_000_000), ms(5)]);
        assert_eq!(set(Some(-1), -1, 1, true), [ENDLESS, None, ENDLESS]);
        assert_eq!(set(Some(1000), -1, 1, true), [ms(1000), None, ENDLESS]);
        assert_eq!(set(Some(1000), 0, 1, true), [ms(1000), None, ms(1)]);
    }
}
