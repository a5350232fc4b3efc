//! What worked before: butterfly history, killers and counter moves.

use super::depth::{Depth, PLY};
use crate::rules::{Color, Point};

/// History values stay within this.
const LIMIT: i32 = 10_692;

/// Statistics on moves, kept for one thread over one game.
pub(super) struct History {
    /// By colour, whether the move makes a four or three, and point.
    main: Box<[[[i16; Point::GRID]; 2]; 2]>,
    /// By colour and point of the move before: the answer that worked.
    counter: Box<[[Point; Point::GRID]; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: Box::new([[[0; Point::GRID]; 2]; 2]),
            counter: Box::new([[Point::NONE; Point::GRID]; 2]),
        }
    }

    /// What was learned for one move fades before the next.
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

    /// Moves the value towards the limit by `bonus`, the less the nearer it is.
    #[inline]
    pub(super) fn reward(&mut self, color: Color, forcing: bool, point: Point, bonus: i32) {
        let value = &mut self.main[color.index()][usize::from(forcing)][point.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
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

/// The reward of a cutoff at this depth.
pub(super) fn bonus(depth: Depth) -> i32 {
    let depth = depth.max(0);
    (25 * depth * depth / (PLY * PLY) + 105 * depth / PLY - 157).min(8_900)
}
