//! What managers and engines say to each other, as values that print and
//! parse.
//!
//! Nothing here knows of boards: coordinates may lie anywhere, and what they
//! hit is found out by whoever has a board.

mod command;
mod database;
mod info;
mod reply;
mod sweep;

pub use command::{Command, Form, Owner, ParseError, Placement};
pub use database::{Database, Query, Transfer};
pub use info::{Info, Key};
pub use reply::{About, Reply};
pub use sweep::{Filter, Sweep};

use crate::rules::{BoardSize, Point};
use std::fmt;
use std::str::FromStr;

/// Column from the left and row from the top, both from zero, as the protocol
/// counts. They need not be on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Coordinates {
    /// The point of a board of this size, if they are on it.
    pub fn point(self, size: BoardSize) -> Option<Point> {
        size.point(self.x.try_into().ok()?, self.y.try_into().ok()?)
    }
}

impl From<Point> for Coordinates {
    fn from(point: Point) -> Self {
        Coordinates {
            x: point.x() as i32,
            y: point.y() as i32,
        }
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Coordinates {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (x, y) = text.split_once(',')?;
            Some(Coordinates {
                x: x.trim().parse().ok()?,
                y: y.trim().parse().ok()?,
            })
        };
        parse().ok_or_else(|| ParseError::Coordinates(text.to_owned()))
    }
}

/// A whole number; one too large for 64 bits is the largest there is.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let overflow = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(overflow))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate() {
        assert_eq!(number(" 15 "), Some(15));
        assert_eq!(number("+3"), Some(3));
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(i64::MIN));
        for text in ["", "-", "1.5", "0x1", "1 2", "--1", "١"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn coordinates_tolerate_blanks_and_nothing_else() {
        let seven: Coordinates = "7, 8 ".parse().unwrap();
        assert_eq!(seven, Coordinates { x: 7, y: 8 });
        for text in [
            "",
            "7",
            "7 8",
            "7,",
            ",8",
            "7,8,9",
            "a,b",
            "7,8 x",
            "99999999999,1",
        ] {
            assert!(text.parse::<Coordinates>().is_err(), "{text}");
        }
    }
}
