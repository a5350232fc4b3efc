//! The time that the engine of a guest is given, from the clock of a room.

use quincunx_club::rooms::TimeView;
use quincunx_engine::game::TimeControl;
use std::time::Duration;

/// A move in byo-yomi may use one of this many parts of the main time.
const PART_OF_MAIN: u32 = 20;

/// The time that the engine is given.
pub(crate) fn time(clock: TimeControl, left: TimeView, reserve: Duration) -> TimeControl {
    let usable = |time: Duration| {
        // Of little time some is used.
        time.saturating_sub(reserve)
            .max(time / 2)
            .max(Duration::from_millis(1))
    };
    let main = Duration::from_millis(left.main);
    if left.periods > 0 {
        let period = Duration::from_millis(left.period);
        return TimeControl {
            turn: Some(usable(main / PART_OF_MAIN + period)),
            ..TimeControl::default()
        };
    }
    TimeControl {
        game: Some(usable(main)),
        increment: clock.increment,
        ..TimeControl::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::game::Byoyomi;

    #[test]
    fn some_time_is_reserved_for_the_connection() {
        let ms = Duration::from_millis;
        let increment = TimeControl {
            game: Some(ms(60_000)),
            increment: ms(2000),
            ..TimeControl::default()
        };
        let left = |main: u64, periods: u32, period: u64| TimeView {
            main,
            periods,
            period,
        };
        let control = time(increment, left(50_000, 0, 0), ms(200));
        assert_eq!(
            (control.game, control.increment),
            (Some(ms(49_800)), ms(2000))
        );
        let short = time(increment, left(100, 0, 0), ms(200));
        assert_eq!(short.game, Some(ms(50)));
        let byoyomi = TimeControl {
            byoyomi: Some(Byoyomi {
                period: ms(5000),
                periods: 3,
            }),
            ..TimeControl::default()
        };
        let control = time(byoyomi, left(20_000, 3, 5000), ms(200));
        assert_eq!((control.turn, control.game), (Some(ms(5800)), None));
    }
}
