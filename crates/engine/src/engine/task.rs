//! Everything that a search needs to know about its request, and answers of last resort.

use super::clock::MonotonicClock;
use super::level::Level;
use super::options::TableSize;
use super::request::{Answer, BestMove, Request, SearchId};
use super::time::{TimeLimits, UsedTime};
use crate::eval::WeightSet;
use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::search::Limits;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells whether the running search is to stop.
pub(super) type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// A search that is to be run.
#[derive(Clone)]
pub(super) struct SearchTask {
    pub(super) id: SearchId,
    pub(super) request: Request,
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) weights: Arc<WeightSet>,
    pub(super) clock: MonotonicClock,
    /// The time of the request.
    pub(super) asked_at: Duration,
    pub(super) time: TimeLimits,
    pub(super) table: TableSize,
    pub(super) threads: usize,
    /// The changed parameters of the search, by name.
    pub(super) tuned: Vec<(String, i32)>,
    /// The level to play at; `None` is full strength.
    pub(super) level: Option<Level>,
    /// True if the engine takes the other colour where the side to move is behind even after its best
    /// move.
    pub(super) may_swap: bool,
    /// True if nothing is reported, because the engine ponders.
    pub(super) is_silent: bool,
    /// True if each move at the root is reported.
    pub(super) shows_moves: bool,
    pub(super) stopped: Arc<AtomicBool>,
    /// Asks the host whether the search is to stop.
    pub(super) interrupt: Option<Interrupt>,
    /// The counter to which the time of the search is added.
    pub(super) used: Arc<UsedTime>,
}

impl SearchTask {
    /// The time since the request was made.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.since(self.asked_at)
    }

    /// The time since the request was made, in milliseconds.
    pub(super) fn elapsed_ms(&self) -> u64 {
        self.clock.milliseconds_since(self.asked_at)
    }

    /// Returns whether the search was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        let interrupted = || self.interrupt.as_ref().is_some_and(|is_due| is_due());
        self.stopped.load(Ordering::Relaxed) || interrupted()
    }

    /// Returns whether `answer` answers this request and is legal.
    pub(super) fn accepts(&self, answer: &Answer) -> bool {
        let mut position = self.position.clone();
        match answer {
            Answer::Swap { .. } => {
                self.may_swap || matches!(self.request, Request::Swap2 | Request::Swap2Step(_))
            }
            Answer::Move(best) => {
                let balance = matches!(self.request, Request::Balance { .. });
                !balance && position.is_legal(best.point)
            }
            Answer::Stones(stones) => stones.iter().all(|&point| {
                let legal = position.is_legal(point);
                if legal {
                    position.play(point);
                }
                legal
            }),
        }
    }

    /// An answer to the request, found without any search.
    pub(super) fn any_answer(&self) -> Answer {
        let stones = match self.request {
            Request::Balance { pair, .. } => 1 + usize::from(pair),
            Request::Swap2 | Request::Swap2Step(_) if self.position.ply() == 0 => 3,
            Request::Swap2 | Request::Swap2Step(_) => return Answer::Swap { info: None },
            Request::Move | Request::Lines(_) | Request::Defences => {
                let point = any_move(&self.position, &self.limits.excluded);
                let point = point.unwrap_or(Point::NONE);
                return Answer::Move(BestMove::unsearched(point));
            }
        };
        let mut position = self.position.clone();
        let any = (0..stones).filter_map(|_| {
            let point = any_move(&position, &self.limits.excluded)?;
            position.play(point);
            Some(point)
        });
        Answer::Stones(any.collect())
    }
}

/// A legal point near the centre that is not excluded. If there is none, an excluded one.
/// If all empty points are forbidden, one of those. `None` on a full board.
pub(super) fn any_move(position: &Position, excluded: &PointSet) -> Option<Point> {
    let mut game = position.clone();
    let mut legal = empty_points(position).filter(|&point| game.is_legal(point));
    let first = legal.next();
    let allowed = (first.into_iter().chain(legal)).find(|&point| !excluded.has(point));
    (allowed.or(first)).or_else(|| empty_points(position).next())
}

/// The empty points, ordered by their distance from the centre, then from top to bottom.
fn empty_points(position: &Position) -> impl Iterator<Item = Point> {
    let size = position.size();
    let mut points: Vec<Point> = size
        .iter()
        .filter(|&point| position.is_empty(point))
        .collect();
    points.sort_by_key(|point| (point.distance(size.centre()), Reverse(point.y()), point.x()));
    points.into_iter()
}
