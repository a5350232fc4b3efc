//! The moves of a node in the order in which they are worth trying.
//!
//! The move of the transposition table comes first; the others are generated
//! only if it does not cut off. Each pick takes the best of those that are
//! left, since most nodes end after a few moves.

use crate::eval::MoveScore;
use crate::rules::{MAX_POINTS, Point};
use arrayvec::ArrayVec;

/// A move with its place in the order; larger keys are tried first.
///
/// No two keys of a node are equal, so that the order is the same on every
/// machine: of two moves that are as good, the one nearer the bottom left comes
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OrderKey(i32);

const POINT_RANGE: i32 = Point::GRID as i32;

impl OrderKey {
    /// The key of a move whose order is well below a million.
    #[inline]
    fn new(order: i32, point: Point) -> OrderKey {
        let tie = POINT_RANGE - 1 - point.index() as i32;
        OrderKey(order * POINT_RANGE + tie)
    }

    #[inline]
    fn point(self) -> Point {
        let tie = self.0.rem_euclid(POINT_RANGE);
        Point::from_index((POINT_RANGE - 1 - tie) as usize)
    }
}

/// The moves of a node that have not been picked.
pub(super) struct MoveList {
    keys: ArrayVec<OrderKey, MAX_POINTS>,
    /// The move scores, beside their keys.
    pub(super) scores: ArrayVec<MoveScore, MAX_POINTS>,
    /// The best move score of all generated moves.
    best_score: MoveScore,
}

impl MoveList {
    /// Puts moves whose scores are in [`MoveList::scores`] in order. `order` adds
    /// to a move's score what history knows of it.
    #[inline]
    pub(super) fn rank(&mut self, points: &[Point], order: impl Fn(Point, MoveScore) -> i32) {
        for (&point, &score) in points.iter().zip(&self.scores) {
            self.best_score = self.best_score.max(score);
            self.keys.push(OrderKey::new(order(point, score), point));
        }
    }

    /// Takes the best move out.
    #[inline]
    fn pop_best(&mut self) -> Option<PickedMove> {
        let best = self.keys.iter().copied().max()?;
        let index = self.keys.iter().position(|&key| key == best)?;
        self.keys.swap_remove(index);
        let score = self.scores.swap_remove(index);
        Some(PickedMove {
            point: best.point(),
            score_gap: self.best_score.units() - score.units(),
        })
    }
}

/// A move to try next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PickedMove {
    pub(super) point: Point,
    /// The distance of its move score from the best one of the node; zero for the
    /// tt move, which is tried before moves have scores.
    pub(super) score_gap: i32,
}

/// Picks the moves of one node.
pub(super) struct MovePicker {
    tt_move: Point,
    stage: Stage,
    moves: MoveList,
}

enum Stage {
    TtMove,
    Generate,
    Rest,
}

impl MovePicker {
    /// A picker that begins with `tt_move`, unless that is [`Point::NONE`].
    #[inline]
    pub(super) fn new(tt_move: Point) -> MovePicker {
        MovePicker {
            tt_move,
            stage: if tt_move == Point::NONE {
                Stage::Generate
            } else {
                Stage::TtMove
            },
            moves: MoveList {
                keys: ArrayVec::new(),
                scores: ArrayVec::new(),
                best_score: MoveScore::MIN,
            },
        }
    }

    /// The next move to try; `generate` fills in the moves when they are first
    /// needed.
    #[inline]
    pub(super) fn next(&mut self, generate: impl FnOnce(&mut MoveList)) -> Option<PickedMove> {
        match self.stage {
            Stage::TtMove => {
                self.stage = Stage::Generate;
                return Some(PickedMove {
                    point: self.tt_move,
                    score_gap: 0,
                });
            }
            Stage::Generate => {
                self.stage = Stage::Rest;
                generate(&mut self.moves);
            }
            Stage::Rest => {}
        }
        loop {
            let picked = self.moves.pop_best()?;
            if picked.point != self.tt_move {
                return Some(picked);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(tt_move: Point, moves: &[(Point, i32, i32)]) -> Vec<PickedMove> {
        let mut picker = MovePicker::new(tt_move);
        let points: Vec<Point> = moves.iter().map(|&(point, ..)| point).collect();
        let order = |point| moves.iter().find(|m| m.0 == point).map_or(0, |m| m.2);
        let next = || {
            picker.next(|list| {
                list.scores
                    .extend(moves.iter().map(|&(_, score, _)| MoveScore::new(score)));
                list.rank(&points, |point, _| order(point));
            })
        };
        std::iter::from_fn(next).collect()
    }

    fn points(picked: &[PickedMove]) -> Vec<String> {
        picked.iter().map(|m| m.point.to_string()).collect()
    }

    #[test]
    fn moves_come_in_order_and_ties_from_the_bottom_left() {
        let [a1, b1, a2, h8] = [(0, 0), (1, 0), (0, 1), (7, 7)].map(|(x, y)| Point::new(x, y));
        let moves = [(a2, 3, -7), (h8, 40, 50), (b1, 3, -7), (a1, 3, -8)];
        let picked = picked(Point::NONE, &moves);
        assert_eq!(points(&picked), ["h8", "b1", "a2", "a1"]);
        let gaps: Vec<i32> = picked.iter().map(|m| m.score_gap).collect();
        assert_eq!(gaps, [0, 37, 37, 37]);
    }

    #[test]
    fn the_tt_move_comes_first_and_once() {
        let [weak, strong] = [Point::new(3, 3), Point::new(4, 4)];
        let moves = [(strong, 90, 90), (weak, 10, 10)];
        let picked = picked(weak, &moves);
        assert_eq!(points(&picked), ["d4", "e5"]);
        assert_eq!(picked[0].score_gap, 0);
        let mut lazy = MovePicker::new(weak);
        let first = lazy.next(|_| panic!("no moves are needed yet"));
        assert_eq!(first.map(|m| m.point), Some(weak));
    }

    #[test]
    fn keys_decode_to_every_point_of_every_order() {
        for order in [-900_000, -1, 0, 1, 900_000] {
            for index in 0..Point::GRID {
                let point = Point::from_index(index);
                assert_eq!(OrderKey::new(order, point).point(), point);
            }
        }
    }
}
