//! How an evaluator listens to a position without the position knowing it.

use crate::pattern::Code;

/// Hears what a move changes, as it changes.
///
/// For every move the position calls [`Observer::occupied`] once,
/// [`Observer::changed`] for each empty point with new codes, then
/// [`Observer::played`]. Taking a move back calls only [`Observer::undone`].
/// Codes come as black's and white's.
pub trait Observer {
    /// The point with these codes is empty no more.
    fn occupied(&mut self, codes: [Code; 2]);
    /// An empty point's codes changed.
    fn changed(&mut self, old: [Code; 2], new: [Code; 2]);
    /// The move is complete.
    fn played(&mut self);
    /// The last move was taken back.
    fn undone(&mut self);
}

/// Hears nothing and costs nothing.
impl Observer for () {
    #[inline]
    fn occupied(&mut self, _: [Code; 2]) {}
    #[inline]
    fn changed(&mut self, _: [Code; 2], _: [Code; 2]) {}
    #[inline]
    fn played(&mut self) {}
    #[inline]
    fn undone(&mut self) {}
}
