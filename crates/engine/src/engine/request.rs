//! The requests to an engine, its events and its answers.

use crate::rules::Point;
use crate::score::Score;
use crate::search::Line;

/// The number of a search or a preparation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchId(pub(super) u64);

/// A request to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Request {
    /// The best move.
    #[default]
    Move,
    /// The best move, and a line for each of this many of the best moves.
    Lines(usize),
    /// The best move, after every move has been searched on its own, so that the
    /// events tell which moves lose.
    Defences,
    /// One or two stones after which the value is near a target. They are a
    /// proposal: [`Engine::finish`](super::Engine::finish) does not play them.
    Balance {
        /// True if two stones are asked for, the second one the opponent's.
        pair: bool,
        /// The value wanted for the side that is to move now.
        bias: i32,
    },
    /// The next step of the swap2 opening, by the number of stones. On the empty
    /// board the answer is three stones after which neither side is better. After
    /// three or five stones it is a swap or the next move. After three it may also
    /// be two more stones, which leave the choice to the opponent.
    Swap2,
    /// One step of the swap2 opening, with the side to move given by the number of
    /// stones. The stones of the answer are a proposal.
    Swap2Step(Swap2Step),
}

impl Request {
    /// Returns whether the answer's stones are played.
    pub(super) fn is_played(self) -> bool {
        !matches!(self, Request::Balance { .. } | Request::Swap2Step(_))
    }
}

/// A step of the swap2 opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Swap2Step {
    /// The first player places three stones.
    Open,
    /// The second player chooses after three stones.
    ChooseOfThree,
    /// The first player chooses after five stones.
    ChooseOfFive,
}

impl Swap2Step {
    /// The step after this number of stones.
    pub fn after(stones: usize) -> Option<Swap2Step> {
        let steps = [
            Swap2Step::Open,
            Swap2Step::ChooseOfThree,
            Swap2Step::ChooseOfFive,
        ];
        steps.into_iter().find(|step| step.stones() == stones)
    }

    /// The number of stones on the board before the step.
    pub fn stones(self) -> usize {
        match self {
            Swap2Step::Open => 0,
            Swap2Step::ChooseOfThree => 3,
            Swap2Step::ChooseOfFive => 5,
        }
    }
}

/// The answer to a [`Request`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Answer {
    /// A move.
    Move(BestMove),
    /// Stones, to be placed one after another.
    Stones(Vec<Point>),
    /// The other colour is the better one.
    Swap {
        /// The line of the search, where it was a search for a move.
        info: Option<Line>,
    },
}

impl Answer {
    /// The line of the search, if there was one and the answer keeps it.
    pub fn info(&self) -> Option<&Line> {
        match self {
            Answer::Move(best) => best.info.as_ref(),
            Answer::Swap { info } => info.as_ref(),
            Answer::Stones(_) => None,
        }
    }

    /// The stones that the answer places on the board.
    pub fn stones(&self) -> &[Point] {
        match self {
            Answer::Move(best) => std::slice::from_ref(&best.point),
            Answer::Stones(stones) => stones,
            Answer::Swap { .. } => &[],
        }
    }
}

/// The move to make.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BestMove {
    /// The move. It is legal if there is a legal move.
    pub point: Point,
    /// The line of the search; `None` if none was needed.
    pub info: Option<Line>,
    /// True if the move comes from the opening book.
    pub from_book: bool,
}

impl BestMove {
    /// A move that was found without a search.
    pub(super) fn unsearched(point: Point) -> BestMove {
        BestMove {
            point,
            info: None,
            from_book: false,
        }
    }

    /// The first move of a line; `None` if the line is empty.
    pub(super) fn of_pv(info: Line) -> Option<BestMove> {
        Some(BestMove {
            point: info.best()?,
            info: Some(info),
            from_book: false,
        })
    }
}

/// A report of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// An iteration is complete, or a five was found without one.
    Info(Line),
    /// The search of this move at the root begins. Reported where each move is
    /// searched on its own, or where
    /// [`Options::shows_moves`](super::Options::shows_moves) asks for it.
    Searching(Point),
    /// The search of this move is over. The score is for the side to move. It
    /// is an upper bound unless the move is the best.
    Searched(Point, Score),
    /// A better move was found before the iteration is complete. Reported where
    /// [`Options::shows_moves`](super::Options::shows_moves) asks for it.
    NewBest(Point),
    /// The search is over. This is the last event, and every search for an answer that is run
    /// has exactly one, even if it was stopped.
    Answer(Answer),
    /// A preparation or a search on the opponent's time is over: its only event.
    Ended,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The board has no room for the answer.
    #[error("the board is full")]
    BoardFull,
    /// The board does not have the number of stones that this step of swap2 comes after.
    #[error("this step of swap2 comes after {needed} stones, not {found}")]
    Swap2Stones {
        /// The number of stones that the step comes after.
        needed: usize,
        /// The number of stones on the board.
        found: usize,
    },
}
