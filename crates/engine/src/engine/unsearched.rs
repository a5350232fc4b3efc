//! Answers that need no search: moves of the books, and moves that are obvious.

use super::book::BookMoves;
use super::handle::Engine;
use super::options::Options;
use super::request::{Answer, BestMove, Request, RequestError};
use super::swap2;
use super::task::any_move;
use super::time::TimeLimits;
use crate::game::swap::OpeningRule;
use crate::rules::{Point, PointSet};
use crate::score::Score;

impl Engine {
    /// The request under swap1, whose first stone must favour neither side.
    pub(super) fn under_swap1(&self, request: Request) -> Request {
        let is_move = matches!(request, Request::Move | Request::Lines(_));
        if self.is_swap1_after(0) && is_move {
            let (pair, bias) = (false, 0);
            return Request::Balance { pair, bias };
        }
        request
    }

    /// Returns whether the engine may take the first stone's side instead of answering
    /// it.
    pub(super) fn may_swap(&self) -> bool {
        self.options().may_swap && self.is_swap1_after(1)
    }

    /// Returns whether the opening rule is swap1 and there are this many stones.
    fn is_swap1_after(&self, stones: usize) -> bool {
        self.options().opening == OpeningRule::Swap1 && self.position().ply() == stones
    }

    /// The moves of the books, for requests that ask them. They never play an excluded point.
    pub(super) fn book_moves(&self, request: Request) -> BookMoves {
        let mut all = BookMoves::default();
        if let Request::Move | Request::Swap2 | Request::Swap2Step(_) = request {
            let seed = self.options().random_seed();
            for book in &self.books {
                let BookMoves { play, avoid, value } = book.moves(self.position(), seed);
                let play = play.filter(|&point| !self.excluded.has(point));
                all.play = all.play.or(play);
                all.avoid = all.avoid.union(&avoid);
                all.value = all.value.or(value);
            }
        }
        all
    }

    /// The answer of the books: their move, or a choice of swap2 by their value of the
    /// position.
    pub(super) fn book_answer(&self, request: Request, book: &BookMoves) -> Option<Answer> {
        if request != Request::Move {
            let value = book.value?;
            if !swap2::is_settled(self.position().ply(), value) {
                return None;
            }
            if value < Score::ZERO {
                return Some(Answer::Swap { info: None });
            }
        }
        Some(Answer::Move(BestMove {
            from_book: true,
            ..BestMove::unsearched(book.play?)
        }))
    }

    /// Returns whether a request is for the values of moves, and not for a move in a game.
    pub(super) fn is_analysis(&self, request: Request) -> bool {
        let Options {
            time_left,
            timeout_match,
            infinite,
            ..
        } = *self.options();
        let wants_values = matches!(request, Request::Lines(_) | Request::Defences);
        let has_game_clock = time_left.or(timeout_match).is_some();
        let is_endless = || self.time_limits() == TimeLimits::UNLIMITED;
        wants_values && !has_game_clock && (infinite || is_endless())
    }

    /// The first move of a game, the last, or any after the game was won.
    ///
    /// # Errors
    /// When the board has no room for the answer.
    pub(super) fn obvious_move(
        &self,
        request: Request,
        excluded: &PointSet,
    ) -> Result<Option<Point>, RequestError> {
        let empty = self.position().empty_points();
        let stones = match request {
            Request::Balance { pair, .. } => 1 + usize::from(pair),
            Request::Swap2 | Request::Swap2Step(_) => 3,
            Request::Move | Request::Lines(_) | Request::Defences => {
                // An analysis has values for the empty board too.
                let is_empty = empty == self.position().size().points();
                let first = is_empty && !self.is_analysis(request);
                if first || empty <= 1 || self.position().won() {
                    let point = any_move(self.position(), excluded);
                    return point.ok_or(RequestError::BoardFull).map(Some);
                }
                return Ok(None);
            }
        };
        if empty < stones {
            Err(RequestError::BoardFull)
        } else {
            Ok(None)
        }
    }
}
