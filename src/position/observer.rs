//! How an evaluator listens to a position without the position knowing it.

use crate::pattern::Code;

/// A point whose codes a move changes, black's and white's. The one that is
/// empty no more has nothing from then on: [`Code::ZERO`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recoded {
    /// Before the move.
    pub old: [Code; 2],
    /// After it.
    pub new: [Code; 2],
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
