//! The clock of one player in one game: arithmetic on the durations it is
//! handed, so that no test has to wait.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

// The arithmetic of time, not the system's clock.
use core::time::Duration;

/// How much time a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The most time for one move.
    pub turn: Option<Duration>,
    /// The time for the whole game.
    pub game: Option<Duration>,
    /// Added to the time for the game after every move.
    pub increment: Duration,
    /// After so many moves the time for the game is given again.
    pub period: Option<NonZeroUsize>,
}

/// The text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected [MOVES/]TIME[+INCREMENT] in seconds or minutes:seconds, such as 40/60+0.6, \
     60+0.6 or 1:30, found '{0}'"
)]
pub struct ParseTimeControlError(String);

/// `40/60+0.6` is a minute for every forty moves and 0.6 s after each move; the number
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

/// No more than a day, so that sums stay far from the end of time.
fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    let sane = (0.0..=86_400.0).contains(&seconds);
    sane.then(|| Duration::from_secs_f64(seconds))
}

/// `40/60+0.6`, and `0.1 a move` after it or alone; nothing without a limit.
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
    left: Option<Duration>,
    moves: usize,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.game,
            moves: 0,
        }
    }

    /// What is left for the whole game, or for the moves up to the next time it is
    /// given, if that is limited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// How long the next move may take; `None` without any limit.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.control.turn, self.left) {
            (Some(turn), Some(left)) => Some(turn.min(left)),
            (limit, None) | (None, limit) => limit,
        }
    }

    /// Takes the time of a move off, and returns by how much it was more than
    /// allowed: zero for a move in time.
    pub fn spend(&mut self, used: Duration) -> Duration {
        let over = self
            .allowed()
            .map_or(Duration::ZERO, |allowed| used.saturating_sub(allowed));
        self.moves += 1;
        let renewed = self
            .control
            .period
            .is_some_and(|moves| self.moves % moves == 0);
        if let Some(left) = &mut self.left {
            *left = left
                .saturating_sub(used)
                .saturating_add(self.control.increment);
            if renewed {
                *left = left.saturating_add(self.control.game.unwrap_or_default());
            }
        }
        over
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
        assert_eq!(clock.allowed(), Some(ms(100)));
        assert_eq!(clock.spend(ms(90)), ms(0));
        assert_eq!(clock.spend(ms(130)), ms(30));
        assert_eq!(clock.left(), Some(ms(30)));
        assert_eq!(clock.allowed(), Some(ms(30)));
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = clock(None, Some(100), 20);
        assert_eq!(clock.spend(ms(110)), ms(10));
        assert_eq!(clock.left(), Some(ms(20)));
        assert_eq!(clock.spend(ms(5)), ms(0));
        assert_eq!(clock.left(), Some(ms(35)));
    }

    #[test]
    fn time_is_given_again_after_a_number_of_moves() {
        let control = "3/1.5+0.1".parse().unwrap_or_default();
        let mut clock = Clock::new(control);
        for left in [1100, 700, 1800, 1400, 1000, 2100] {
            assert_eq!(clock.spend(ms(500)), ms(0));
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
        assert_eq!(clock.allowed(), None);
        assert_eq!(clock.spend(Duration::MAX), ms(0));
        assert_eq!(clock.left(), None);
    }
}
