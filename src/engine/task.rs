//! What an engine can be asked, and what it answers.

use super::Thought;
use crate::rules::Point;

/// What is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// The best move.
    #[default]
    Move,
    /// The best move, and so many of the best with the line of each.
    Lines(usize),
    /// The best move, after every move has been looked at on its own: which
    /// of them lose?
    Defences,
    /// Stones, one or two, after which the value is near a wish.
    Balance {
        /// Whether a stone of the opponent follows the own one.
        pair: bool,
        /// The value wanted for the side that is to move now.
        bias: i32,
    },
    /// The next step of the swap2 opening. Without stones: three, after which
    /// neither side is better. With three or five: whether to have the other
    /// colour, or else the next stone; with three also whether two more stones
    /// should leave the choice to the opponent.
    Opening,
}

/// What came of a [`Task`].
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A move.
    Move(Choice),
    /// Stones, to be put one after another.
    Stones(Vec<Point>),
    /// The other colour is the better one.
    Swap,
}

/// The move to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move: legal wherever a legal move exists.
    pub point: Point,
    /// The thought behind it; `None` where none was needed.
    pub thought: Option<Thought>,
}
