//! Times as people write them: `1s` or `500ms` for a move, `5m` or `5m+3s` for a game.

use super::message::Time;
use std::fmt;
use std::str::FromStr;

/// The text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time: expected 2s or 500ms for a move, or 5m or 5m+3s for a game")]
pub struct ParseTimeError(String);

/// The longest time that is read, in milliseconds: a day.
const LONGEST: f64 = 86_400_000.0;

impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let (first, increment) = match text.trim().split_once('+') {
            Some((first, increment)) => (first, Some(increment)),
            None => (text.trim(), None),
        };
        let time = match (milliseconds(first, &GAME), increment) {
            (Some(game), _) if game > 0 => {
                let increment = increment.map_or(Some(0), |text| milliseconds(text, &MOVE));
                increment.map(|increment_ms| Time {
                    turn_ms: None,
                    game_ms: Some(game),
                    increment_ms,
                })
            }
            (None, None) => milliseconds(first, &MOVE).map(|turn| Time {
                turn_ms: Some(turn),
                ..Time::default()
            }),
            _ => None,
        };
        time.ok_or_else(|| ParseTimeError(text.to_owned()))
    }
}

/// The units of times for a game, in milliseconds.
const GAME: [(&str, f64); 3] = [("min", 60_000.0), ("m", 60_000.0), ("h", 3_600_000.0)];

/// The units of times for a move, in milliseconds.
const MOVE: [(&str, f64); 2] = [("ms", 1.0), ("s", 1_000.0)];

/// A number with one of these units. `None` if the text is another or the time is too long.
fn milliseconds(text: &str, units: &[(&str, f64)]) -> Option<u32> {
    let start = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, name) = text.split_at(start);
    let (_, unit) = units.iter().find(|(unit, _)| *unit == name)?;
    let time = (number.trim().parse::<f64>().ok()? * unit).round();
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
            "", "s", "1", "-1s", "0m", "0h", "nans", "infs", "1s+1s", "5m+3", "5m+", "1e9s", "25h",
            "5mm", "5m+1m", "500msec",
        ];
        for text in wrong {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
