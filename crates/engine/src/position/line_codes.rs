//! The stones of a board as line codes: a word for each line in each of four
//! directions.
//!
//! A point has two bits, one each for "black may be here" and "white may be here".
//! An empty point has both bits, a stone its own, and a point off the board none.
//! The margin around the board makes edges need no tests: the window around a point
//! is one rotation of one word.

use crate::rules::{BoardSize, Color, Direction, Point};

/// The largest radius of a window. A larger window on the largest board would see
/// the other end of its line.
pub const MAX_RADIUS: usize = 10;

/// The bits of an empty point.
pub(super) const EMPTY: u64 = 3;

/// The line codes of a board. Stones are put on and taken off by
/// [`LineCodes::toggle`].
///
/// An evaluator that reads the stones along lines holds a copy of a position's line
/// codes, and brings the copy up to date with the moves since. The position pays
/// nothing for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCodes {
    words: [[u64; 64]; 4],
}

/// Returns which word of a direction holds the point, and the point's number in it.
#[inline]
const fn locate(direction: Direction, point: Point) -> (usize, u32) {
    let (x, y) = (point.grid_x(), point.grid_y());
    let (line, number) = match direction {
        Direction::Row => (y, x),
        Direction::Column => (x, y),
        Direction::Rising => (x + 31 - y, x),
        Direction::Falling => (x + y, x),
    };
    (line % 64, number as u32)
}

impl LineCodes {
    /// Creates the line codes of an empty board.
    pub fn new(size: BoardSize) -> LineCodes {
        let mut codes = LineCodes {
            words: [[0; 64]; 4],
        };
        for point in size.iter() {
            codes.flip(point, EMPTY);
        }
        codes
    }

    #[inline]
    fn flip(&mut self, point: Point, bits: u64) {
        for direction in Direction::ALL {
            let (line, number) = locate(direction, point);
            self.words[direction.index()][line] ^= bits << (2 * number);
        }
    }

    /// Puts a stone on an empty point, or takes off a stone of that colour.
    #[inline]
    pub fn toggle(&mut self, color: Color, point: Point) {
        // The other colour's bit goes.
        self.flip(point, 1 << color.index());
    }

    /// Turns an empty point into a wall, as if it were off the board.
    pub fn block(&mut self, point: Point) {
        self.flip(point, EMPTY);
    }

    /// Returns the two bits of a point: 3 if it is empty, 2 for a black stone, 1 for
    /// a white stone and 0 off the board. These are the numbers of
    /// `Cell` as black sees them.
    #[inline]
    pub fn bits(&self, point: Point) -> u64 {
        let (line, number) = locate(Direction::Row, point);
        self.words[Direction::Row.index()][line] >> (2 * number) & 3
    }

    /// Returns the window around `point`: the [`bits`](LineCodes::bits) of the
    /// points up to `radius` steps away in `direction` and of `point` itself, the
    /// first point in the lowest bits.
    ///
    /// # Panics
    /// Panics in debug builds if `radius` is more than [`MAX_RADIUS`].
    #[inline]
    pub fn window(&self, direction: Direction, point: Point, radius: usize) -> u64 {
        debug_assert!(radius <= MAX_RADIUS);
        let mask = (1 << (2 * (2 * radius + 1))) - 1;
        self.rotated(direction, point, radius as u32) & mask
    }

    /// Returns the line through `point`, rotated so that the point `before` steps
    /// before it is in the lowest two bits.
    #[inline]
    pub(super) fn rotated(&self, direction: Direction, point: Point, before: u32) -> u64 {
        let (line, number) = locate(direction, point);
        let bits = (2 * number).wrapping_sub(2 * before) & 63;
        self.words[direction.index()][line].rotate_right(bits)
    }
}

/// Returns the key of a window in the pattern tables: the points up to `RADIUS`
/// steps from the centre, which itself is left out. The first point is in the lowest
/// bits of `word`.
#[inline]
pub(super) const fn window_key<const RADIUS: u32>(word: u64) -> usize {
    let half = (1 << (2 * RADIUS)) - 1;
    (word & half | (word >> 2) & (half << (2 * RADIUS))) as usize
}
