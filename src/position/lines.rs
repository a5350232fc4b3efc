//! The stones as line codes: one word a line in each of four directions.
//!
//! Two bits a point: a bit each for "black may be here" and "white may be
//! here". An empty point has both, a stone its own, and the margin around the
//! board none, so that edges need no tests: the window around a point is one
//! rotation of one word.

use crate::rules::{BoardSize, Color, Direction, Point};

/// The line words of all four directions.
#[derive(Clone)]
pub(super) struct Lines {
    words: [[u64; 64]; 4],
}

/// Which word of a direction holds the point, and at which slot.
#[inline]
const fn locate(direction: Direction, point: Point) -> (usize, u32) {
    let (x, y) = (point.grid_x(), point.grid_y());
    let (line, slot) = match direction {
        Direction::Row => (y, x),
        Direction::Column => (x, y),
        Direction::Falling => (x + 31 - y, x),
        Direction::Rising => (x + y, x),
    };
    (line % 64, slot as u32)
}

impl Lines {
    /// An empty board.
    pub(super) fn new(size: BoardSize) -> Lines {
        let mut lines = Lines {
            words: [[0; 64]; 4],
        };
        for point in size.iter() {
            lines.flip(point, 3);
        }
        lines
    }

    #[inline]
    fn flip(&mut self, point: Point, bits: u64) {
        for direction in Direction::ALL {
            let (line, slot) = locate(direction, point);
            self.words[direction.index()][line] ^= bits << (2 * slot);
        }
    }

    /// Puts a stone on an empty point, or takes the same stone off again.
    #[inline]
    pub(super) fn toggle(&mut self, color: Color, point: Point) {
        // What goes is the other colour's bit.
        self.flip(point, 1 << color.index());
    }

    /// Makes an empty point a piece of wall.
    pub(super) fn block(&mut self, point: Point) {
        self.flip(point, 3);
    }

    /// The two bits of `point`.
    #[inline]
    pub(super) fn cell(&self, point: Point) -> u64 {
        let (line, slot) = locate(Direction::Row, point);
        self.words[Direction::Row.index()][line] >> (2 * slot) & 3
    }

    /// The line through `point`, turned so that the point `before` steps
    /// before it stands in the lowest two bits.
    #[inline]
    pub(super) fn around(&self, direction: Direction, point: Point, before: u32) -> u64 {
        let (line, slot) = locate(direction, point);
        self.words[direction.index()][line].rotate_right((2 * slot).wrapping_sub(2 * before) & 63)
    }
}

/// The key of the window of `RADIUS` points on each side in the low bits of
/// `word`, with the centre left out.
#[inline]
pub(super) const fn key<const RADIUS: u32>(word: u64) -> usize {
    let half = (1 << (2 * RADIUS)) - 1;
    (word & half | (word >> 2) & (half << (2 * RADIUS))) as usize
}
