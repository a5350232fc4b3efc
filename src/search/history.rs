//! What worked before: butterfly history, killers and counter moves.

use super::Params;
use super::depth::{Depth, PLY};
use crate::rules::{Around, Color, Point};

/// History values stay within this.
const LIMIT: i32 = 10_692;

/// How far from a stone a move still has a place relative to it.
const REACH: usize = 6;

/// The places around a stone, and one for all beyond.
const PLACES: usize = (2 * REACH + 1) * (2 * REACH + 1) + 1;

/// Moves a value towards the limit by `bonus`, the less the nearer it is.
#[inline]
fn shift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// Where a point is, seen from a stone.
static PLACE: Around<u8> = {
    let mut places = Around::new(PLACES as u8 - 1);
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

/// Where no stone was placed every point is as far.
static NOWHERE: [u8; Point::GRID] = [PLACES as u8 - 1; Point::GRID];

/// The place of every point, seen from the last stones: the opponent's and the
/// side's own.
#[derive(Clone, Copy)]
pub(super) struct Seen([&'static [u8; Point::GRID]; 2]);

impl Seen {
    #[inline]
    pub(super) fn from(last: [Option<Point>; 2]) -> Seen {
        Seen(last.map(|stone| PLACE.seen_from(stone, &NOWHERE)))
    }

    #[inline]
    fn places(self, point: Point) -> [usize; 2] {
        self.0.map(|places| usize::from(places[point.index()]))
    }
}

/// A part of history values, taken without a division: two of those for each move
/// were a quarter of the time that it took to make and order them.
#[derive(Clone, Copy)]
pub(super) struct Part(i64);

impl Part {
    /// One `part`-th.
    pub(super) const fn new(part: i32) -> Part {
        Part((1 << 32) / part as i64 + 1)
    }

    /// What `value / part` is. Exact as long as the two multiplied stay within 32
    /// bits.
    #[inline]
    pub(super) const fn of(self, value: i32) -> i32 {
        ((value as i64 * self.0) >> 32) as i32 + (value < 0) as i32
    }
}

/// Statistics on moves, kept for one thread over one game.
pub(super) struct History {
    /// By colour, whether the move makes a four or three, and point.
    main: Box<[[[i16; Point::GRID]; 2]; 2]>,
    /// By colour, whether the move makes a four or three, whether the place is
    /// told from the opponent's last stone or the side's own, and that place.
    follow: Box<[[[[i16; PLACES]; 2]; 2]; 2]>,
    /// By colour and point of the move before: the answer that worked.
    counter: Box<[[Point; Point::GRID]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: Box::new([[[0; Point::GRID]; 2]; 2]),
            follow: Box::new([[[[0; PLACES]; 2]; 2]; 2]),
            counter: Box::new([[Point::NONE; Point::GRID]; 2]),
        }
    }

    /// What was learned of points fades from one move to the next: other points
    /// matter then. What follows stones placed alike holds on.
    pub(super) fn fade(&mut self) {
        for value in self.main.as_flattened_mut().as_flattened_mut() {
            *value /= 2;
        }
    }

    #[inline]
    pub(super) fn get(&self, color: Color, forcing: bool, point: Point) -> i32 {
        i32::from(self.main[color.index()][usize::from(forcing)][point.index()])
    }

    /// How a move to `point` has fared, whatever it made.
    #[inline]
    pub(super) fn standing(&self, color: Color, point: Point) -> i32 {
        self.get(color, true, point) + self.get(color, false, point) * 3 / 4
    }

    /// Moves the value of [`History::get`].
    #[inline]
    pub(super) fn reward(&mut self, color: Color, forcing: bool, point: Point, bonus: i32) {
        shift(
            &mut self.main[color.index()][usize::from(forcing)][point.index()],
            bonus,
        );
    }

    /// How a move there has fared after stones placed like these: the
    /// opponent's last and the side's own.
    #[inline]
    pub(super) fn follow(&self, color: Color, forcing: bool, seen: Seen, point: Point) -> i32 {
        let values = &self.follow[color.index()][usize::from(forcing)];
        let [theirs, own] = seen.places(point);
        i32::from(values[0][theirs]) + i32::from(values[1][own])
    }

    /// Moves the values of [`History::follow`].
    #[inline]
    pub(super) fn reward_follow(
        &mut self,
        color: Color,
        forcing: bool,
        seen: Seen,
        point: Point,
        bonus: i32,
    ) {
        let values = &mut self.follow[color.index()][usize::from(forcing)];
        for (values, place) in values.iter_mut().zip(seen.places(point)) {
            shift(&mut values[place], bonus);
        }
    }

    /// The answer by `color` that last refuted the move to `before`.
    #[inline]
    pub(super) fn counter(&self, color: Color, before: Point) -> Point {
        self.counter[color.index()][before.index()]
    }

    #[inline]
    pub(super) fn set_counter(&mut self, color: Color, before: Point, answer: Point) {
        self.counter[color.index()][before.index()] = answer;
    }
}

/// The reward of a best move found at this depth; less than nothing near the
/// horizon, where it says little.
pub(super) fn bonus(depth: Depth, params: &Params) -> i32 {
    let depth = depth.max(0);
    (params.history_square * depth * depth / (PLY * PLY) + params.history_linear * depth / PLY
        - params.history_less)
        .min(params.history_most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;

    #[test]
    fn parts_are_quotients() {
        for part in [1, 2, 16, 52, 94, 256, 1000, 1024, 99_999, 100_000] {
            for value in -2 * LIMIT..=2 * LIMIT {
                assert_eq!(Part::new(part).of(value), value / part, "{value} {part}");
            }
        }
    }

    #[test]
    fn places_are_told_apart_as_far_as_they_reach() {
        let board = BoardSize::square(22).expect("the largest board");
        for stone in board.iter() {
            let seen = Seen::from([Some(stone), None]);
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
