//! The changes of moves, kept so that they can be undone and so that an evaluator can
//! follow them.

use crate::pattern::{Class, ClassPair, Code, CodeTable};
use crate::rules::{Color, Point};

/// The largest number of points that one move changes: its own, and five each way
/// in four directions.
pub(super) const MAX_CHANGES: usize = 41;

/// The state of a point for black and for white. The state of a point with a stone
/// on it is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointState {
    /// The codes by colour.
    pub codes: [Code; 2],
    /// The classes by colour.
    pub classes: [Class; 2],
}

impl PointState {
    /// The state of a point with a stone on it.
    pub(super) const OCCUPIED: PointState = PointState {
        codes: [Code::ZERO; 2],
        classes: [Class::None; 2],
    };

    /// Returns the pair of black's class and white's.
    #[inline]
    pub const fn pair(&self) -> ClassPair {
        ClassPair::new(self.classes[0], self.classes[1])
    }

    /// Returns the pair of the class of `color` and its opponent's.
    #[inline]
    pub const fn pair_of(&self, color: Color) -> ClassPair {
        match color {
            Color::Black => self.pair(),
            Color::White => self.pair().swapped(),
        }
    }
}

/// A point whose state a move changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointChange {
    /// The point.
    pub point: Point,
    /// Its state before the move.
    pub old: PointState,
    /// Its state after the move.
    pub new: PointState,
    /// Its packed shapes before the move.
    pub(super) shapes: u32,
}

impl PointChange {
    /// An unused entry.
    pub(super) const NONE: PointChange = PointChange {
        point: Point::NONE,
        old: PointState::OCCUPIED,
        new: PointState::OCCUPIED,
        shapes: 0,
    };
}

/// The shapes and codes of an empty point for both colours.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct PointShapes {
    /// Black's four shapes in the low half, white's in the high half: four bits
    /// each, in the order of the directions.
    pub(super) shapes: u32,
    /// The codes by colour.
    pub(super) codes: [Code; 2],
}

impl PointShapes {
    /// The bits of both colours' shapes in the first direction.
    pub(super) const DIRECTION: u32 = 0x000F_000F;

    #[inline]
    pub(super) fn new(shapes: u32, codes: &CodeTable) -> PointShapes {
        PointShapes {
            shapes,
            codes: [codes.code(shapes as u16), codes.code((shapes >> 16) as u16)],
        }
    }

    /// Returns the packed shapes of one colour.
    #[inline]
    pub(super) const fn packed(self, color: Color) -> u16 {
        (self.shapes >> (16 * color.index())) as u16
    }
}

/// An empty point and its packed shapes after a move.
#[derive(Clone, Copy)]
pub(super) struct NewShapes {
    pub(super) point: Point,
    pub(super) shapes: u32,
}

/// The size of [`NewShapesBuffer`]: at least [`MAX_CHANGES`], and a power of two, so
/// that indices need no check.
pub(super) const BUFFER_SIZE: usize = 64;

/// The points that a move changes. A position keeps the buffer from move to move,
/// because clearing it would take longer than filling it.
pub(super) type NewShapesBuffer = [NewShapes; BUFFER_SIZE];

/// An empty buffer.
pub(super) const EMPTY_BUFFER: NewShapesBuffer = [NewShapes {
    point: Point::NONE,
    shapes: 0,
}; BUFFER_SIZE];
