//! The statistics of moves: history by point, continuation history
//! by place around the last stones, and counter moves.

use super::Params;
use super::depth::{Depth, PLY};
use crate::rules::{Color, OffsetTable, Point};

/// The largest history value, and the negative of the smallest.
const LIMIT: i32 = 10_692;

/// The distance from a stone up to which continuation history tells points
/// apart.
const REACH: usize = 6;

/// The places around a stone, and one for all beyond.
const PLACES: usize = (2 * REACH + 1) * (2 * REACH + 1) + 1;

/// Moves a value by `bonus`, and by less the nearer it is to the limit.
#[inline]
fn shift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The place of a point, seen from a stone.
static PLACE: OffsetTable<u8> = {
    let mut places = OffsetTable::new(PLACES as u8 - 1);
    let side = 2 * REACH + 1;
    let mut place = 0;
    while place < side * side {
        let (dx, dy) = (place % side, place / side);
        let reach = REACH as i32;
        places.set(dx as i32 - reach, dy as i32 - reach, place as u8);
        place += 1;
    }
    places
};

/// The places of all points if there is no last stone: the one for points far away.
static NOWHERE: [u8; Point::GRID] = [PLACES as u8 - 1; Point::GRID];

/// The place of every point, seen from the opponent's last stone and from the
/// side's own: what continuation history is kept by.
#[derive(Clone, Copy)]
pub(super) struct LastStones([&'static [u8; Point::GRID]; 2]);

impl LastStones {
    #[inline]
    pub(super) fn new(stones: [Option<Point>; 2]) -> LastStones {
        LastStones(stones.map(|stone| PLACE.seen_from(stone, &NOWHERE)))
    }

    #[inline]
    fn places(self, point: Point) -> [usize; 2] {
        self.0.map(|places| usize::from(places[point.index()]))
    }
}

/// Division by a number that stays the same for a whole search, without a
/// division: two divisions for each generated move were a quarter of the time
/// it took to generate and order them.
#[derive(Clone, Copy)]
pub(super) struct Reciprocal(i64);

impl Reciprocal {
    pub(super) const fn new(divisor: i32) -> Reciprocal {
        Reciprocal((1 << 32) / divisor as i64 + 1)
    }

    /// The quotient of `value` and the divisor. Exact as long as their product
    /// fits in 32 bits.
    #[inline]
    pub(super) const fn times(self, value: i32) -> i32 {
        ((value as i64 * self.0) >> 32) as i32 + (value < 0) as i32
    }
}

/// The key of a move in the histories.
#[derive(Clone, Copy)]
pub(super) struct MoveKey {
    pub(super) color: Color,
    /// True if the move makes an open three or better. Threats and quiet moves
    /// have histories of their own.
    pub(super) is_threat: bool,
    pub(super) point: Point,
}

/// The histories of one thread.
pub(super) struct History {
    /// By colour, whether the move is a threat, and point.
    main: Box<[[[i16; Point::GRID]; 2]; 2]>,
    /// By colour, whether the move is a threat, the last stone that the place
    /// is seen from (the opponent's or the side's own), and that place.
    continuation: Box<[[[[i16; PLACES]; 2]; 2]; 2]>,
    /// By colour and the point of the previous move: the move that refuted it.
    counter_moves: Box<[[Point; Point::GRID]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: Box::new([[[0; Point::GRID]; 2]; 2]),
            continuation: Box::new([[[[0; PLACES]; 2]; 2]; 2]),
            counter_moves: Box::new([[Point::NONE; Point::GRID]; 2]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = History::new();
    }

    /// Halves the history of points for the next search, in which other points
    /// matter. Continuation history stays: it holds wherever the stones are.
    pub(super) fn age(&mut self) {
        for value in self.main.as_flattened_mut().as_flattened_mut() {
            *value /= 2;
        }
    }

    /// The history of the move.
    #[inline]
    pub(super) fn main(&self, key: MoveKey) -> i32 {
        self.get(key.color, key.is_threat, key.point)
    }

    /// The histories of a move to `point`, as a threat and as a quiet move.
    #[inline]
    pub(super) fn total(&self, color: Color, point: Point) -> i32 {
        self.get(color, true, point) + self.get(color, false, point) * 3 / 4
    }

    #[inline]
    fn get(&self, color: Color, is_threat: bool, point: Point) -> i32 {
        i32::from(self.main[color.index()][usize::from(is_threat)][point.index()])
    }

    /// The continuation history of a move to such a place after the last stones.
    #[inline]
    pub(super) fn continuation(&self, key: MoveKey, last_stones: LastStones) -> i32 {
        let values = &self.continuation[key.color.index()][usize::from(key.is_threat)];
        let [theirs, own] = last_stones.places(key.point);
        i32::from(values[0][theirs]) + i32::from(values[1][own])
    }

    /// Moves the value of [`History::main`].
    #[inline]
    pub(super) fn update_main(&mut self, key: MoveKey, bonus: i32) {
        let values = &mut self.main[key.color.index()][usize::from(key.is_threat)];
        shift(&mut values[key.point.index()], bonus);
    }

    /// Moves the values of [`History::main`] and [`History::continuation`].
    #[inline]
    pub(super) fn update(&mut self, key: MoveKey, last_stones: LastStones, bonus: i32) {
        self.update_main(key, bonus);
        let values = &mut self.continuation[key.color.index()][usize::from(key.is_threat)];
        for (values, place) in values.iter_mut().zip(last_stones.places(key.point)) {
            shift(&mut values[place], bonus);
        }
    }

    /// The move of `color` that last refuted the move to `previous`.
    #[inline]
    pub(super) fn counter_move(&self, color: Color, previous: Point) -> Point {
        self.counter_moves[color.index()][previous.index()]
    }

    #[inline]
    pub(super) fn set_counter_move(&mut self, color: Color, previous: Point, best: Point) {
        self.counter_moves[color.index()][previous.index()] = best;
    }
}

/// The bonus of the best move of a node of this depth. It is negative near the
/// horizon, where a cutoff says little.
pub(super) fn history_bonus(depth: Depth, params: &Params) -> i32 {
    // Deeper nodes have the largest bonus anyway; the square must fit.
    let depth = depth.clamp(0, 64 * PLY);
    (params.history_bonus_square * depth * depth / (PLY * PLY)
        + params.history_bonus_linear * depth / PLY
        - params.history_bonus_offset)
        .min(params.history_bonus_max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;

    #[test]
    fn reciprocals_divide() {
        for divisor in [1, 2, 16, 52, 94, 256, 1000, 1024, 99_999, 100_000] {
            for value in -2 * LIMIT..=2 * LIMIT {
                let quotient = Reciprocal::new(divisor).times(value);
                assert_eq!(quotient, value / divisor, "{value} {divisor}");
            }
        }
    }

    #[test]
    fn places_are_distinguished_as_far_as_they_reach() {
        let board = BoardSize::square(22).expect("the largest board");
        for stone in board.iter() {
            let seen = LastStones::new([Some(stone), None]);
            for point in board.iter() {
                let (dx, dy) = (
                    point.x() as i32 - stone.x() as i32,
                    point.y() as i32 - stone.y() as i32,
                );
                let reach = REACH as i32;
                let place = if dx.abs().max(dy.abs()) <= reach {
                    ((dy + reach) * (2 * reach + 1) + dx + reach) as usize
                } else {
                    PLACES - 1
                };
                assert_eq!(seen.places(point), [place, PLACES - 1], "{stone} {point}");
            }
        }
    }
}
