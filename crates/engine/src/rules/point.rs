//! Points and directions.
//!
//! A point is an index into a 32 by 32 grid in which the board lies behind a
//! margin of five: neighbours up to five steps away in any direction are then
//! plain additions that never leave the grid, and every table a point indexes
//! has `Point::GRID` entries.

use super::{MAX_SIDE, MIN_SIDE};
use std::fmt;
use std::str::FromStr;

const STRIDE: usize = 32;
const MARGIN: usize = 5;

/// A place on the board (or in the margin around it).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The number of entries of a table indexed by [`Point::index`].
    pub(crate) const GRID: usize = STRIDE * STRIDE;

    /// A point that is on no board; it stands for a pass or "no move".
    pub const NONE: Point = Point(0);

    /// The point in column `x` from the left and row `y` from the bottom, both
    /// from zero and below [`MAX_SIDE`].
    #[inline]
    pub const fn new(x: usize, y: usize) -> Point {
        debug_assert!(x < MAX_SIDE && y < MAX_SIDE);
        Point(((y + MARGIN) * STRIDE + x + MARGIN) as u16)
    }

    /// The point with this [`Point::index`]; only the low ten bits count.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Point {
        Point((index % Self::GRID) as u16)
    }

    /// The point with this [`Point::grid_x`] and [`Point::grid_y`].
    #[inline]
    pub(super) const fn from_grid(x: usize, y: usize) -> Point {
        Point::from_index(y * STRIDE + x)
    }

    /// Column from the left, from zero.
    #[inline]
    pub const fn x(self) -> usize {
        self.grid_x().wrapping_sub(MARGIN)
    }

    /// Row from the bottom, from zero.
    #[inline]
    pub const fn y(self) -> usize {
        self.grid_y().wrapping_sub(MARGIN)
    }

    /// The index in tables of `Point::GRID` entries.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask is what lets the compiler drop bounds checks.
        self.0 as usize % Self::GRID
    }

    /// Column in the grid, margin included (0 to 31).
    #[inline]
    pub(crate) const fn grid_x(self) -> usize {
        self.index() % STRIDE
    }

    /// Row in the grid, margin included (0 to 31).
    #[inline]
    pub(crate) const fn grid_y(self) -> usize {
        self.index() / STRIDE
    }

    /// The point `steps` further in `direction`; up to five steps from a
    /// point of a board stay inside the grid.
    #[inline]
    pub const fn step(self, direction: Direction, steps: i32) -> Point {
        Point((self.0 as i32 + direction.offset() * steps) as u16 % Self::GRID as u16)
    }

    /// The larger of the distances in columns and rows.
    #[inline]
    pub const fn distance(self, other: Point) -> usize {
        let dx = self.grid_x().abs_diff(other.grid_x());
        let dy = self.grid_y().abs_diff(other.grid_y());
        if dx > dy { dx } else { dy }
    }
}

/// Letter and number, `a1` being the bottom left point, as in renju books,
/// RenLib and GUIs. [`Point::NONE`] is `--`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Point::NONE {
            return f.write_str("--");
        }
        write!(f, "{}{}", (b'a' + self.x() as u8) as char, self.y() + 1)
    }
}

/// The same text: the index of a point means nothing to a reader.
impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a letter and a number of a point up to [`MAX_SIDE`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a point: expected a letter and a number such as h8")]
pub struct ParsePointError(String);

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let letter = text.bytes().next()?.to_ascii_lowercase();
            let x = letter.checked_sub(b'a')? as usize;
            let digits = text.get(1..)?;
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            let y = digits.parse::<usize>().ok()?.checked_sub(1)?;
            (x < MAX_SIDE && y < MAX_SIDE).then(|| Point::new(x, y))
        };
        parse().ok_or_else(|| ParsePointError(text.to_owned()))
    }
}

/// One of the four directions a line can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, to the right.
    Row = 0,
    /// Along a column, upwards.
    Column = 1,
    /// Right and up.
    Rising = 2,
    /// Right and down.
    Falling = 3,
}

impl Direction {
    /// The four directions.
    pub const ALL: [Direction; 4] = [
        Direction::Row,
        Direction::Column,
        Direction::Rising,
        Direction::Falling,
    ];

    /// The index of this direction in a four-element array.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns whether this is one of the two diagonals.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        matches!(self, Direction::Rising | Direction::Falling)
    }

    /// The difference of two neighbouring points' indices.
    #[inline]
    pub const fn offset(self) -> i32 {
        match self {
            Direction::Row => 1,
            Direction::Column => STRIDE as i32,
            Direction::Rising => STRIDE as i32 + 1,
            Direction::Falling => 1 - STRIDE as i32,
        }
    }
}

const _: () = assert!(MAX_SIDE + 2 * MARGIN == STRIDE && MIN_SIDE <= MAX_SIDE);
