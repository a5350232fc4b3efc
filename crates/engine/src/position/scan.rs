//! Scans of the board for points of a class, eight points at a time, and for
//! points near a stone.

use super::board::Position;
use crate::pattern::Class;
use crate::rules::{Color, Point, PointSet};

impl Position {
    /// Returns the empty points with a class that makes a four or a five for `color`,
    /// row by row.
    pub fn fours(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        FourPoints {
            classes: bytemuck::cast_slice(&self.classes[color.index()]),
            chunk: Point::new(0, 0).index() / 8,
            marks: MarkedBytes(0),
            left: self.counts(color).fours(),
        }
    }

    /// Returns the empty points with exactly this class for `color`, which must be one
    /// that makes a four or a five.
    pub fn fours_of_class(&self, color: Color, class: Class) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(class.is_four());
        self.fours(color)
            .filter(move |&point| self.class(color, point) == class)
            .take(self.counts(color).of(class))
    }

    /// Returns the empty points where `color` would make a five that wins.
    pub fn fives(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.fours_of_class(color, Class::Five)
    }

    /// Returns the empty points near a stone, where moves are worth a look.
    pub fn empty_near_stones(&self) -> PointSet {
        (self.occupied.surroundings())
            .intersection(&self.board)
            .difference(&self.occupied)
    }

    /// Returns the empty points of black's class [`Class::Forbidden`], row by row. Not
    /// all of them are forbidden: see [`Position::forbidden`].
    pub fn forbidden_candidates(&self) -> impl Iterator<Item = Point> + '_ {
        const ONES: u64 = u64::from_ne_bytes([Class::Forbidden as u8; 8]);
        let classes: &[u8] = bytemuck::cast_slice(&self.classes[Color::Black.index()]);
        let first = Point::new(0, 0).grid_y();
        let rows = first..first + self.size.height();
        rows.flat_map(move |row| (0..4).map(move |chunk| row * 32 + chunk * 8))
            .flat_map(move |start| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&classes[start..start + 8]);
                let other = u64::from_le_bytes(bytes) ^ ONES;
                // Marks every zero byte, and sometimes the byte above one.
                let zeros = other.wrapping_sub(ONES) & !other & (ONES << 7);
                MarkedBytes(zeros).map(move |i| Point::from_index(start + i))
            })
            .filter(|&point| self.class(Color::Black, point) == Class::Forbidden)
    }
}

/// The numbers of the bytes in a word that have a bit set, lowest first.
struct MarkedBytes(u64);

impl Iterator for MarkedBytes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let byte = self.0.trailing_zeros() as usize / 8;
        self.0 &= self.0 - 1;
        Some(byte)
    }
}

/// The points that make a four, found among the classes of a colour eight at a time.
struct FourPoints<'a> {
    classes: &'a [[u8; 8]],
    /// The number of the next chunk of eight classes.
    chunk: usize,
    /// The fours of the last chunk that are still to be returned.
    marks: MarkedBytes,
    /// The number of fours that are still to be returned.
    left: usize,
}

impl Iterator for FourPoints<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        const FOUR_BITS: u64 = u64::from_ne_bytes([Class::FOUR_BIT; 8]);
        if self.left == 0 {
            return None;
        }
        loop {
            if let Some(byte) = self.marks.next() {
                self.left -= 1;
                return Some(Point::from_index((self.chunk - 1) * 8 + byte));
            }
            let classes = self.classes.get(self.chunk)?;
            self.marks = MarkedBytes(u64::from_le_bytes(*classes) & FOUR_BITS);
            self.chunk += 1;
        }
    }
}
