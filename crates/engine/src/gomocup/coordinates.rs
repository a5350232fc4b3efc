//! Points as the protocol writes them.

use super::text::ParseError;
use crate::rules::{BoardSize, Point};
use std::fmt;
use std::str::FromStr;

/// A column from the left and a row from the top, both from zero, as the
/// protocol counts. They need not be on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Coordinates {
    /// The coordinates of `point` on a board of this size.
    pub fn of(point: Point, size: BoardSize) -> Coordinates {
        Coordinates {
            x: point.x() as i32,
            y: size.row_from_top(point) as i32,
        }
    }

    /// The point of a board of this size at these coordinates, if it has one.
    pub fn point(self, size: BoardSize) -> Option<Point> {
        size.point_from_top(self.x.try_into().ok()?, self.y.try_into().ok()?)
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

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
