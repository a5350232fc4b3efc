//! What moves change, kept so that they can be taken back, and so that an
//! evaluator can follow without the position knowing it.

use crate::pattern::{Class, Code, Pair};
use crate::rules::{Color, Point};

/// What a point is to black and to white: nothing, if it is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// By colour.
    pub codes: [Code; 2],
    /// By colour, too.
    pub classes: [Class; 2],
}

impl Standing {
    /// A point that is not empty.
    pub(super) const NONE: Standing = Standing {
        codes: [Code::ZERO; 2],
        classes: [Class::None; 2],
    };

    /// Both classes in one, black's first.
    #[inline]
    pub const fn pair(&self) -> Pair {
        Pair::of(self.classes[0], self.classes[1])
    }

    /// [`Standing::pair`] as `color` sees it.
    #[inline]
    pub const fn pair_of(&self, color: Color) -> Pair {
        match color {
            Color::Black => self.pair(),
            Color::White => self.pair().turned(),
        }
    }
}

/// A point that a move made something else of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub point: Point,
    /// Before the move.
    pub old: Standing,
    /// After it.
    pub new: Standing,
    /// The shapes before it, as the position has them.
    pub(super) shapes: u32,
}

impl Change {
    /// Not yet anything.
    pub(super) const NONE: Change = Change {
        point: Point::NONE,
        old: Standing::NONE,
        new: Standing::NONE,
        shapes: 0,
    };
}
