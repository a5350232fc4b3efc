//! The clock of one player in one game. It only computes with the durations that it
//! is given, so no test has to wait.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

// The arithmetic of time, not the system's clock.
use core::time::Duration;

/// The time that a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The maximum time for one move.
    pub turn: Option<Duration>,
    /// The time for the whole game.
    pub game: Option<Duration>,
    /// Added to the time for the game after every move.
    pub increment: Duration,
    /// After this many moves the time for the game is given again.
    pub period: Option<NonZeroUsize>,
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected [MOVES/]TIME[+INCREMENT] in seconds or minutes:seconds, such as 40/60+0.6, \
     60+0.6 or 1:30, found '{0}'"
)]
pub struct ParseTimeControlError(String);

/// `40/60+0.6` is a minute for every forty moves and 0.6 s after each move. The number
/// of moves and the increment may be left out, and the time may be `minutes:seconds`.
impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (period, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok()?), rest),
                None => (None, text),
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
            let minutes: u32 = minutes.trim().parse().ok()?;
            let game = seconds_of(seconds)? + Duration::from_secs(60) * minutes;
            (!game.is_zero()).then_some(TimeControl {
                turn: None,
                game: Some(game),
                increment: seconds_of(increment)?,
                period,
            })
        };
        parse().ok_or_else(|| ParseTimeControlError(text.to_owned()))
    }
}

/// A time of at most a day, so that sums can't overflow.
fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    let sane = (0.0..=86_400.0).contains(&seconds);
    sane.then(|| Duration::from_secs_f64(seconds))
}

/// `40/60+0.6`, and `0.1 a move` after it or alone. Without a limit the text is empty.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        if let Some(game) = self.game {
            if let Some(moves) = self.period {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", game.as_secs_f64())?;
            if !self.increment.is_zero() {
                write!(f, "+{}", self.increment.as_secs_f64())?;
            }
            f.write_str(" s")?;
            comma = ", ";
        }
        match self.turn {
            Some(turn) => write!(f, "{comma}{} s a move", turn.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// What is left of a player's time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    /// The time that has been given for the game so far, if that is limited.
    given: Option<Duration>,
    /// The time of all moves so far.
    used: Duration,
    moves: usize,
}

impl Clock {
    /// Creates the clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            given: control.game,
            used: Duration::ZERO,
            moves: 0,
        }
    }

    /// The time left for the game, or for the rest of the period, if that is limited. It is
    /// zero if more was used than was given.
    pub fn left(&self) -> Option<Duration> {
        self.given.map(|given| given.saturating_sub(self.used))
    }

    /// How long the next move may take if a limit may be overrun by `tolerance`. `None`
    /// without any limit. The time for the game may be overrun by that much once: the
    /// overrun is owed until time that is given later pays it back.
    pub fn allowed(&self, tolerance: Duration) -> Option<Duration> {
        let turn = self.control.turn.map(|turn| turn.saturating_add(tolerance));
        let game = self.given.map(|given| {
            let most = given.saturating_add(tolerance);
            most.saturating_sub(self.used)
        });
        turn.into_iter().chain(game).min()
    }

    /// Subtracts the time of a move. Of an overrun of the time for the game, `forgiven` is
    /// not owed.
    pub fn spend(&mut self, used: Duration, forgiven: Duration) {
        self.moves += 1;
        self.used = self.used.saturating_add(used);
        let Some(given) = &mut self.given else { return };
        self.used -= self.used.saturating_sub(*given).min(forgiven);
        *given = given.saturating_add(self.control.increment);
        let period = self.control.period;
        if period.is_some_and(|moves| self.moves % moves == 0) {
            *given = given.saturating_add(self.control.game.unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(turn: Option<u64>, game: Option<u64>, increment: u64) -> Clock {
        Clock::new(TimeControl {
            turn: turn.map(ms),
            game: game.map(ms),
            increment: ms(increment),
            period: None,
        })
    }

    #[test]
    fn the_shorter_limit_counts() {
        let mut clock = clock(Some(100), Some(250), 0);
        assert_eq!(clock.allowed(ms(0)), Some(ms(100)));
        assert_eq!(clock.allowed(ms(40)), Some(ms(140)));
        clock.spend(ms(90), ms(0));
        assert_eq!(clock.allowed(ms(0)), Some(ms(100)));
        clock.spend(ms(130), ms(0));
        assert_eq!(clock.left(), Some(ms(30)));
        assert_eq!(clock.allowed(ms(0)), Some(ms(30)));
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = clock(None, Some(100), 20);
        clock.spend(ms(95), ms(0));
        assert_eq!(clock.left(), Some(ms(25)));
        clock.spend(ms(5), ms(0));
        assert_eq!(clock.left(), Some(ms(40)));
    }

    #[test]
    fn a_game_is_overrun_once() {
        let mut clock = clock(None, Some(300), 0);
        for allowed in [500, 350, 200, 50] {
            assert_eq!(clock.allowed(ms(200)), Some(ms(allowed)));
            clock.spend(ms(150), ms(0));
        }
        assert_eq!(clock.allowed(ms(200)), Some(ms(0)));
        assert_eq!(clock.left(), Some(ms(0)));
    }

    #[test]
    fn increments_pay_back_what_was_overrun() {
        let mut clock = clock(None, Some(100), 20);
        clock.spend(ms(150), ms(0));
        assert_eq!(clock.left(), Some(ms(0)));
        assert_eq!(clock.allowed(ms(200)), Some(ms(170)));
        clock.spend(ms(0), ms(0));
        clock.spend(ms(0), ms(0));
        assert_eq!(clock.left(), Some(ms(10)));
    }

    #[test]
    fn what_is_forgiven_is_not_owed() {
        let after = |used, forgiven| {
            let mut clock = clock(None, Some(100), 0);
            clock.spend(ms(used), ms(forgiven));
            (clock.left(), clock.allowed(ms(200)))
        };
        assert_eq!(after(60, 3000), (Some(ms(40)), Some(ms(240))));
        assert_eq!(after(2100, 3000), (Some(ms(0)), Some(ms(200))));
        assert_eq!(after(2100, 1900), (Some(ms(0)), Some(ms(100))));
    }

    #[test]
    fn time_is_given_again_after_a_number_of_moves() {
        let control = "3/1.5+0.1".parse().unwrap_or_default();
        let mut clock = Clock::new(control);
        for left in [1100, 700, 1800, 1400, 1000, 2100] {
            clock.spend(ms(500), ms(0));
            assert_eq!(clock.left(), Some(ms(left)));
        }
    }

    #[test]
    fn controls_are_read_as_other_runners_write_them() {
        let parse = |text: &str| text.parse::<TimeControl>().ok();
        for (text, printed) in [
            ("40/60+0.6", "40/60+0.6 s"),
            ("40/1:00+0.6", "40/60+0.6 s"),
            ("60+0.6", "60+0.6 s"),
            ("1:30", "90 s"),
            (" 5 ", "5 s"),
        ] {
            let control = parse(text).map(|control| control.to_string());
            assert_eq!(control.as_deref(), Some(printed), "{text}");
        }
        for text in [
            "", "0", "-1", "x", "0/5", "5/", "40/60+", "1:2:3", "5+-1", "inf", "nan", "1e9", "+5",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        let both = TimeControl {
            turn: Some(ms(50)),
            ..parse("9").unwrap_or_default()
        };
        assert_eq!(both.to_string(), "9 s, 0.05 s a move");
        assert_eq!(TimeControl::default().to_string(), "");
    }

    #[test]
    fn without_limits_nothing_is_too_long() {
        let mut clock = clock(None, None, 9);
        clock.spend(Duration::MAX, ms(0));
        clock.spend(Duration::MAX, ms(0));
        assert_eq!((clock.left(), clock.allowed(ms(9))), (None, None));
    }
}
