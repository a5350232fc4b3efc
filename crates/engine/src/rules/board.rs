//! Board sizes and their symmetries.

use super::{MAX_SIDE, MIN_SIDE, Point};
use std::fmt;

/// Width and height of a board, each from [`MIN_SIDE`] to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// A side outside [`MIN_SIDE`] to [`MAX_SIDE`] was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "board size {width}x{height} is not supported: each side must be from 5 to 22, for example 20x20"
)]
pub struct SizeError {
    /// The width asked for.
    pub width: usize,
    /// The height asked for.
    pub height: usize,
}

impl BoardSize {
    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When a side is not supported.
    pub const fn new(width: usize, height: usize) -> Result<BoardSize, SizeError> {
        if width < MIN_SIDE || width > MAX_SIDE || height < MIN_SIDE || height > MAX_SIDE {
            return Err(SizeError { width, height });
        }
        Ok(BoardSize {
            width: width as u8,
            height: height as u8,
        })
    }

    /// A square board.
    ///
    /// # Errors
    /// When the side is not supported.
    pub const fn square(side: usize) -> Result<BoardSize, SizeError> {
        BoardSize::new(side, side)
    }

    /// Number of columns.
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[inline]
    pub const fn points(self) -> usize {
        self.width() * self.height()
    }

    /// Returns whether column `x` and row `y` are on the board.
    #[inline]
    pub const fn contains(self, x: usize, y: usize) -> bool {
        x < self.width() && y < self.height()
    }

    /// Returns whether `point` is on the board.
    #[inline]
    pub const fn has(self, point: Point) -> bool {
        self.contains(point.x(), point.y())
    }

    /// The point in column `x` and row `y`, if it is on the board.
    pub fn point(self, x: usize, y: usize) -> Option<Point> {
        self.contains(x, y).then(|| Point::new(x, y))
    }

    /// The point in column `x` and the row `row` counted from the top, both
    /// from zero: the order of the protocol, of SGF, PSQ and RenLib.
    pub fn point_from_top(self, x: usize, row: usize) -> Option<Point> {
        let y = self.height().checked_sub(row)?.checked_sub(1)?;
        self.point(x, y)
    }

    /// The row of `point` counted from the top, from zero.
    pub const fn row_from_top(self, point: Point) -> usize {
        self.height() - 1 - point.y()
    }

    /// The point in the middle (right and above it where a side is even).
    pub fn centre(self) -> Point {
        Point::new(self.width() / 2, self.height() / 2)
    }

    /// The points that boards mark to count by: four near the corners where there is room, and
    /// the middle where both sides are odd.
    pub fn stars(self) -> impl Iterator<Item = Point> {
        let near = |side: usize| match side {
            13.. => Some(3),
            9.. => Some(2),
            _ => None,
        };
        let (right, top) = (self.width() - 1, self.height() - 1);
        let corners = near(self.width()).zip(near(self.height()));
        let corners =
            corners.map(|(x, y)| [(x, y), (right - x, y), (x, top - y), (right - x, top - y)]);
        let has_middle = self.width() % 2 == 1 && self.height() % 2 == 1;
        let middle = has_middle.then(|| self.centre());
        let corners = corners.into_iter().flatten();
        corners.map(|(x, y)| Point::new(x, y)).chain(middle)
    }

    /// All points, row by row from the bottom left.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| Point::new(x, y)))
    }

    /// The symmetries that map this board onto itself: eight for a square,
    /// four for a rectangle.
    pub fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let square = self.width == self.height;
        Symmetry::ALL
            .into_iter()
            .filter(move |symmetry| square || !symmetry.transposes())
    }
}

/// The standard board, 15 by 15.
impl Default for BoardSize {
    fn default() -> Self {
        BoardSize {
            width: 15,
            height: 15,
        }
    }
}

/// `15` for a square board, `20x15` for others.
impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == self.height {
            write!(f, "{}", self.width)
        } else {
            write!(f, "{}x{}", self.width, self.height)
        }
    }
}

/// The text names no board size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSizeError {
    /// Not a number, nor two numbers with an `x` between them.
    #[error("'{0}' is not a board size: expected a number such as 15, or 20x15")]
    Syntax(String),
    /// Numbers out of range.
    #[error(transparent)]
    Range(#[from] SizeError),
}

impl std::str::FromStr for BoardSize {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        match (width.trim().parse(), height.trim().parse()) {
            (Ok(width), Ok(height)) => Ok(BoardSize::new(width, height)?),
            _ => Err(ParseSizeError::Syntax(text.to_owned())),
        }
    }
}

/// One of the eight ways to turn and mirror a square board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// Returns whether rows become columns, which only a square board survives.
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The image of `point` of a board of this size. [`Point::NONE`] stays.
    pub fn apply(self, size: BoardSize, point: Point) -> Point {
        if point == Point::NONE {
            return point;
        }
        let (mut x, mut y) = (point.x(), point.y());
        if self.0 & 1 != 0 {
            x = size.width() - 1 - x;
        }
        if self.0 & 2 != 0 {
            y = size.height() - 1 - y;
        }
        if self.transposes() {
            std::mem::swap(&mut x, &mut y);
        }
        Point::new(x, y)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_where_boards_have_them() {
        let names = |width, height| {
            let size = BoardSize::new(width, height).unwrap();
            size.stars()
                .map(|point| point.to_string())
                .collect::<String>()
        };
        assert_eq!(names(15, 15), "d4l4d12l12h8");
        assert_eq!(names(20, 15), "d4q4d12q12");
        assert_eq!(names(9, 9), "c3g3c7g7e5");
        assert_eq!(names(7, 7), "d4");
        assert_eq!(names(8, 8), "");
    }

    #[test]
    fn sizes_round_trip_through_text() {
        for text in ["5", "15", "22", "20x15", "5x22"] {
            let size: BoardSize = text.parse().unwrap();
            assert_eq!(size.to_string(), text);
        }
        for text in ["", "4", "23", "x", "15x", "-5", "99999999999999999999"] {
            assert!(text.parse::<BoardSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn points_round_trip_through_text() {
        let size = BoardSize::new(22, 9).unwrap();
        for point in size.iter() {
            assert_eq!(point.to_string().parse::<Point>().unwrap(), point);
            assert!(size.has(point));
        }
        for text in ["", "h", "8", "h0", "h23", "w1", "h+8", "é1"] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }

    /// `a1` is the bottom left point; files count rows from the top left one.
    #[test]
    fn rows_are_counted_from_either_side() {
        let size = BoardSize::new(20, 15).unwrap();
        for (text, x, row) in [("a1", 0, 14), ("a15", 0, 0), ("t1", 19, 14), ("h8", 7, 7)] {
            let point: Point = text.parse().unwrap();
            assert_eq!(size.row_from_top(point), row, "{text}");
            assert_eq!(size.point_from_top(x, row), Some(point), "{text}");
        }
        assert_eq!(size.point_from_top(20, 0), None);
        assert_eq!(size.point_from_top(0, 15), None);
        assert_eq!(size.point_from_top(0, usize::MAX), None);
    }

    #[test]
    fn symmetries_permute_the_board() {
        for size in [BoardSize::square(7).unwrap(), BoardSize::new(9, 6).unwrap()] {
            for symmetry in size.symmetries() {
                let mut images: Vec<Point> = size.iter().map(|p| symmetry.apply(size, p)).collect();
                images.sort();
                let mut all: Vec<Point> = size.iter().collect();
                all.sort();
                assert_eq!(images, all);
            }
        }
        assert_eq!(BoardSize::new(9, 6).unwrap().symmetries().count(), 4);
    }
}
