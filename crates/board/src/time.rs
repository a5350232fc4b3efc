//! Times as people write them: `1s` or `500ms` for a move, `5m` or `5m+3s` for a game.

use super::message::Time;
use quincunx_engine::game::{TimeControl, parse_time};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time: expected 2s or 500ms for a move, or 5m or 5m+3s for a game")]
pub struct ParseTimeError(String);

/// The longest time that is read: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// A time in seconds or milliseconds is for a move, and a time control with units for a game.
impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let parse = || {
            let ms = |time: Duration| u32::try_from(time.as_millis()).ok();
            let text = text.trim();
            if !text.ends_with(|c: char| c.is_ascii_alphabetic()) {
                return None;
            }
            if text.ends_with('s') && !text.contains('+') {
                let turn = parse_time(text, Duration::ZERO).filter(|time| *time <= LONGEST)?;
                return Some(Time {
                    turn_ms: Some(ms(turn)?),
                    ..Time::default()
                });
            }
            let control: TimeControl = text.parse().ok()?;
            let is_held = control.period.is_none();
            is_held.then_some(Time {
                turn_ms: None,
                game_ms: Some(ms(control.game?)?),
                increment_ms: ms(control.increment)?,
            })
        };
        parse().ok_or_else(|| ParseTimeError(text.to_owned()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u32| f64::from(ms) / 1_000.0;
        match (self.game_ms, self.turn_ms) {
            (Some(game), _) => {
                write!(f, "{}m", f64::from(game) / 60_000.0)?;
                if self.increment_ms > 0 {
                    write!(f, "+{}s", seconds(self.increment_ms))?;
                }
                Ok(())
            }
            (None, turn) => write!(f, "{}s", seconds(turn.unwrap_or(0))),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for text in ["1s", "0.2s", "15s", "0s", "5m", "5m+3s", "0.5m+0.1s"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        for text in [" 3m+2s ", "3min+2s", "3 min+2 s", "0.05h+2000ms"] {
            let time: Time = text.parse().unwrap();
            assert_eq!((time.game_ms, time.increment_ms), (Some(180_000), 2_000));
            assert_eq!(time.turn_ms, None);
        }
        for text in ["500ms", "500 ms", "0.5s"] {
            let time: Time = text.parse().unwrap();
            assert_eq!((time.turn_ms, time.game_ms), (Some(500), None), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let wrong = [
            "", "s", "1", "-1s", "0m", "0h", "nans", "infs", "5m+3", "5m+", "1e9s", "25h", "5mm",
            "500msec", "40/5m",
        ];
        for text in wrong {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
