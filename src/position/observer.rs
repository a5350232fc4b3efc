//! How an evaluator listens to a position without the position knowing it.

use crate::pattern::{Code, Pair};
use crate::rules::Color;

/// What a point is to black and to white: nothing, if it is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// By colour.
    pub codes: [Code; 2],
    /// Their classes, black's first.
    pub pair: Pair,
}

impl Standing {
    /// [`Standing::pair`] as `color` sees it.
    #[inline]
    pub fn pair_of(&self, color: Color) -> Pair {
        match color {
            Color::Black => self.pair,
            Color::White => self.pair.turned(),
        }
    }
}

/// A point that a move makes something else of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recoded {
    /// Before the move.
    pub old: Standing,
    /// After it.
    pub new: Standing,
}

/// Hears what moves change.
pub trait Observer {
    /// A move was made; all its changes at once, so that they can be added up
    /// without leaving the processor's registers.
    fn played(&mut self, changes: &[Recoded]);
    /// The last move was taken back.
    fn undone(&mut self);
}

/// Hears nothing and costs nothing.
impl Observer for () {
    #[inline]
    fn played(&mut self, _: &[Recoded]) {}
    #[inline]
    fn undone(&mut self) {}
}
