//! What worked before: butterfly history, killers and counter moves.

use super::Params;
use super::depth::{Depth, PLY};
use crate::rules::{Color, Point};

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

/// Where a move is, seen from an earlier stone.
#[inline]
fn place(from: Option<Point>, point: Point) -> usize {
    let Some(from) = from.filter(|from| from.distance(point) <= REACH) else {
        return PLACES - 1;
    };
    let dx = point.grid_x() + REACH - from.grid_x();
    let dy = point.grid_y() + REACH - from.grid_y();
    dy * (2 * REACH + 1) + dx
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
    pub(super) fn follow(
        &self,
        color: Color,
        forcing: bool,
        last: [Option<Point>; 2],
        point: Point,
    ) -> i32 {
        let values = &self.follow[color.index()][usize::from(forcing)];
        i32::from(values[0][place(last[0], point)]) + i32::from(values[1][place(last[1], point)])
    }

    /// Moves the values of [`History::follow`].
    #[inline]
    pub(super) fn reward_follow(
        &mut self,
        color: Color,
        forcing: bool,
        last: [Option<Point>; 2],
        point: Point,
        bonus: i32,
    ) {
        let values = &mut self.follow[color.index()][usize::from(forcing)];
        for (values, last) in values.iter_mut().zip(last) {
            shift(&mut values[place(last, point)], bonus);
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
