//! Times as people write them: `1s` for a move, `5m` or `5m+3s` for a game.

use super::message::Time;
use std::fmt;
use std::str::FromStr;

/// The text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time: expected 2s for a move, or 5m or 5m+3s for a game")]
pub struct ParseTimeError(String);

/// The longest time that is read, in milliseconds: a day.
const LONGEST: f64 = 86_400_000.0;

impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let error = || ParseTimeError(text.to_owned());
        let (first, increment) = match text.trim().split_once('+') {
            Some((first, increment)) => (first, Some(increment)),
            None => (text.trim(), None),
        };
        if let Some(minutes) = first.strip_suffix("min").or(first.strip_suffix('m')) {
            let increment = match increment {
                Some(seconds) => milliseconds(seconds.strip_suffix('s'), 1_000.0),
                None => Some(0),
            };
            let game = milliseconds(Some(minutes), 60_000.0).filter(|game| *game > 0);
            return Ok(Time {
                turn_ms: None,
                game_ms: Some(game.ok_or_else(error)?),
                increment_ms: increment.ok_or_else(error)?,
            });
        }
        let turn = milliseconds(first.strip_suffix('s'), 1_000.0);
        match (turn, increment) {
            (Some(turn), None) => Ok(Time {
                turn_ms: Some(turn),
                ..Time::default()
            }),
            _ => Err(error()),
        }
    }
}

/// So many units of this many milliseconds. `None` if the text is no number or the time
/// is too long.
fn milliseconds(text: Option<&str>, unit: f64) -> Option<u32> {
    let number: f64 = text?.parse().ok()?;
    let time = (number * unit).round();
    (0.0..=LONGEST).contains(&time).then_some(time as u32)
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
        for text in [" 3m+2s ", "3min+2s"] {
            let time: Time = text.parse().unwrap();
            assert_eq!((time.game_ms, time.increment_ms), (Some(180_000), 2_000));
            assert_eq!(time.turn_ms, None);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let wrong = [
            "", "s", "1", "1h", "-1s", "0m", "nans", "infs", "1s+1s", "5m+3", "5m+", "1e9s", "25h",
            "5 m",
        ];
        for text in wrong {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
