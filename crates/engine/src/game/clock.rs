//! The clock of one player in one game: sudden death, increment, byo-yomi, moves in a period, a
//! limit for each move. It only computes with the durations that it is given, so no test has to
//! wait.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

// The arithmetic of time, not the system's clock.
use core::time::Duration;

/// The time that a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The maximum time for one move, which may be days.
    pub turn: Option<Duration>,
    /// The time for the whole game: the main time if there is a byo-yomi.
    pub game: Option<Duration>,
    /// Added to the time for the game after every move.
    pub increment: Duration,
    /// After this many moves the time for the game is given again.
    pub period: Option<NonZeroUsize>,
    /// The periods after the main time.
    pub byoyomi: Option<Byoyomi>,
}

/// Japanese byo-yomi: after the main time a number of periods. A period is lost only when a move
/// uses all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Byoyomi {
    /// The length of a period.
    pub period: Duration,
    /// The number of periods.
    pub periods: u32,
}

/// The rest of a player's time for the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimeLeft {
    /// The rest of the main time.
    pub main: Duration,
    /// The number of byo-yomi periods.
    pub periods: u32,
}

impl TimeControl {
    /// The time at the start of a game, as far as that is limited.
    pub fn start(&self) -> TimeLeft {
        TimeLeft {
            main: self.game.unwrap_or_default(),
            periods: self.byoyomi.map_or(0, |byoyomi| byoyomi.periods),
        }
    }

    /// The length of a byo-yomi period; zero without periods.
    pub fn byoyomi_period(&self) -> Duration {
        self.byoyomi
            .map_or(Duration::ZERO, |byoyomi| byoyomi.period)
    }

    /// The time until the flag falls.
    pub fn allowed(&self, left: TimeLeft) -> Duration {
        let periods = self.byoyomi_period().saturating_mul(left.periods);
        left.main.saturating_add(periods)
    }

    /// Subtracts a time, without an increment. Returns whether there was enough.
    pub fn charge(&self, left: &mut TimeLeft, used: Duration) -> bool {
        let in_time = used < self.allowed(*left);
        let over = used.saturating_sub(left.main);
        left.main = left.main.saturating_sub(used);
        if !in_time {
            left.periods = 0;
        } else if left.periods > 0 {
            let lost = over.as_nanos() / self.byoyomi_period().as_nanos().max(1);
            left.periods -= u32::try_from(lost).unwrap_or(u32::MAX).min(left.periods);
        }
        in_time
    }

    /// Subtracts the time of a move and adds the increment. Returns whether the move came in time.
    pub fn spend(&self, left: &mut TimeLeft, used: Duration) -> bool {
        let in_time = self.charge(left, used);
        if in_time {
            left.main = left.main.saturating_add(self.increment);
        }
        in_time
    }
}

/// Parses a time such as `100ms`, `2s`, `5m`, `5min`, `1h`, `3d` or `1:30` minutes. A number
/// without a unit is in `unit`.
pub fn parse_time(text: &str, unit: Duration) -> Option<Duration> {
    if let Some((minutes, seconds)) = text.split_once(':') {
        let minutes: u32 = minutes.trim().parse().ok()?;
        let seconds = Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok()?;
        return Duration::from_secs(60)
            .checked_mul(minutes)?
            .checked_add(seconds);
    }
    let text = text.trim();
    let letters = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, name) = text.split_at(letters.unwrap_or(text.len()));
    let seconds = match name {
        "" => unit.as_secs_f64(),
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let number: f64 = number.trim_end().parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected [MOVES/]TIME[+INCREMENT] in seconds, minutes:seconds or with units, such as \
     40/60+0.6, 5m+3s or 1:30, found '{0}'"
)]
pub struct ParseTimeControlError(String);

/// `40/60+0.6` is a minute for every forty moves and 0.6 s after each move. The number
/// of moves and the increment may be left out. Times are those of [`parse_time`], in seconds
/// without a unit.
impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A time of at most a day, so that sums can't overflow.
        let time = |text: &str| {
            let time = parse_time(text, Duration::from_secs(1))?;
            (time <= Duration::from_secs(86_400)).then_some(time)
        };
        let parse = || {
            let (period, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok()?), rest),
                None => (None, text),
            };
            let (game, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let game = time(game)?;
            (!game.is_zero()).then_some(TimeControl {
                game: Some(game),
                increment: time(increment)?,
                period,
                ..TimeControl::default()
            })
        };
        parse().ok_or_else(|| ParseTimeControlError(text.to_owned()))
    }
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

/// A player's time in a match between programs, where a limit may be overrun by a tolerance.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: TimeLeft,
    /// The overrun of the time for the game that time given later pays back.
    owed: Duration,
    moves: usize,
}

impl Clock {
    /// Creates the clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.start(),
            owed: Duration::ZERO,
            moves: 0,
        }
    }

    /// The time left for the game, or for the rest of the period, if that is limited. It is
    /// zero if more was used than was given.
    pub fn left(&self) -> Option<Duration> {
        self.control.game.map(|_| self.left.main)
    }

    /// The maximum time of the next move if a limit may be overrun by `tolerance`. `None`
    /// without any limit. The time for the game may be overrun by that much once: the
    /// overrun is owed until time that is given later pays it back.
    pub fn allowed(&self, tolerance: Duration) -> Option<Duration> {
        let turn = self.control.turn.map(|turn| turn.saturating_add(tolerance));
        let game = self.control.game.map(|_| {
            let most = self.control.allowed(self.left).saturating_add(tolerance);
            most.saturating_sub(self.owed)
        });
        turn.into_iter().chain(game).min()
    }

    /// Subtracts the time of a move. Of an overrun of the time for the game, `forgiven` is
    /// not owed.
    pub fn spend(&mut self, used: Duration, forgiven: Duration) {
        self.moves += 1;
        if self.control.game.is_none() {
            return;
        }
        let over = used.saturating_sub(self.control.allowed(self.left));
        self.control.charge(&mut self.left, used);
        self.owed = self.owed.saturating_add(over);
        self.owed = self.owed.saturating_sub(over.min(forgiven));
        self.give(self.control.increment);
        let period = self.control.period;
        if period.is_some_and(|moves| self.moves % moves == 0) {
            self.give(self.control.game.unwrap_or_default());
        }
    }

    /// Pays back what is owed, and adds the rest.
    fn give(&mut self, time: Duration) {
        let paid = time.min(self.owed);
        self.owed -= paid;
        self.left.main = self.left.main.saturating_add(time - paid);
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
            ..TimeControl::default()
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
            ("40/5m+3s", "40/300+3 s"),
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

    #[test]
    fn sudden_death_ends_when_the_time_is_used() {
        let control: TimeControl = "5".parse().unwrap_or_default();
        let mut left = control.start();
        assert!(control.spend(&mut left, ms(3000)));
        assert_eq!(left.main, ms(2000));
        assert!(control.spend(&mut left, ms(1999)));
        assert!(!control.spend(&mut left, ms(1)));
        assert_eq!(control.allowed(left), ms(0));
    }

    #[test]
    fn a_lost_game_earns_no_increment() {
        let control: TimeControl = "5+2".parse().unwrap_or_default();
        let mut left = control.start();
        assert!(control.spend(&mut left, ms(4999)));
        assert_eq!(left.main, ms(2001));
        assert!(!control.spend(&mut left, ms(2001)));
        assert_eq!(left.main, ms(0));
    }

    #[test]
    fn a_period_is_lost_only_when_all_of_it_is_used() {
        let control = TimeControl {
            game: Some(ms(10_000)),
            byoyomi: Some(Byoyomi {
                period: ms(30_000),
                periods: 3,
            }),
            ..TimeControl::default()
        };
        let mut left = control.start();
        assert_eq!(control.allowed(left), ms(100_000));
        // Out of the main time and within the first period.
        assert!(control.spend(&mut left, ms(39_999)));
        assert_eq!((left.main, left.periods), (ms(0), 3));
        assert!(control.spend(&mut left, ms(29_999)));
        assert_eq!(left.periods, 3);
        // All of one, and of two more.
        assert!(control.spend(&mut left, ms(30_000)));
        assert_eq!(left.periods, 2);
        assert!(control.spend(&mut left, ms(59_999)));
        assert_eq!(left.periods, 1);
        assert!(!control.spend(&mut left, ms(30_000)));
        assert_eq!(left.periods, 0);
    }

    #[test]
    fn times_have_a_unit_or_the_usual_one() {
        let second = Duration::from_secs(1);
        for (text, time) in [
            ("100ms", 100),
            ("2", 2_000),
            (" 2 s ", 2_000),
            ("1.5s", 1_500),
            ("5m", 300_000),
            ("5 min", 300_000),
            ("1:30", 90_000),
            ("1h", 3_600_000),
            ("3d", 259_200_000),
        ] {
            assert_eq!(parse_time(text, second), Some(ms(time)), "{text}");
        }
        assert_eq!(parse_time("7", ms(1)), Some(ms(7)));
        for text in [
            "", "s", "-1s", "1e300s", "nan", "inf", "2S", "1:30s", "1:2:3", "1:", "1s2",
        ] {
            assert_eq!(parse_time(text, second), None, "{text}");
        }
    }
}
