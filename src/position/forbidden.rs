//! Renju's forbidden points, exactly.
//!
//! The class of a point only says that it may be forbidden. The definition is
//! recursive: a three counts only if the stone that would make it a straight
//! four may itself be played. So the stone is put on the board and the line
//! followed, as deep as the position demands (rarely more than two levels).

use super::Position;
use crate::pattern::{Class, Shape};
use crate::rules::{Color, Direction, Point};
use arrayvec::ArrayVec;
use std::fmt;

/// Why black may not play a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once, be they in one line.
    DoubleFour,
    /// Two true threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double four",
            Forbidden::DoubleThree => "double three",
        })
    }
}

impl Position {
    /// Why the side to move may not play the empty `point`; `None` where it
    /// may. Only black under renju has forbidden points.
    ///
    /// The position is the same afterwards; it is changed in between.
    #[inline]
    pub fn forbidden(&mut self, point: Point) -> Option<Forbidden> {
        if self.side == Color::Black {
            self.forbidden_to_black(point)
        } else {
            None
        }
    }

    /// Why black may not play the empty `point`, whoever is to move.
    #[inline]
    pub fn forbidden_to_black(&mut self, point: Point) -> Option<Forbidden> {
        if self.class(Color::Black, point) != Class::Forbidden {
            return None;
        }
        self.why_forbidden(point)
    }

    /// Every reason why black may not play the empty `point`, the weightiest
    /// first; none where it may.
    pub fn forbidden_kinds(&mut self, point: Point) -> ArrayVec<Forbidden, 3> {
        let mut kinds = ArrayVec::new();
        if self.class(Color::Black, point) == Class::Forbidden {
            kinds.extend(self.stones_forbid(point));
            if kinds.contains(&Forbidden::Overline) && self.fours_through(point) > 1 {
                kinds.push(Forbidden::DoubleFour);
            }
            if self.is_double_three(point) {
                kinds.push(Forbidden::DoubleThree);
            }
        }
        kinds
    }

    fn why_forbidden(&mut self, point: Point) -> Option<Forbidden> {
        let by_stones = self.stones_forbid(point);
        by_stones.or_else(|| {
            self.is_double_three(point)
                .then_some(Forbidden::DoubleThree)
        })
    }

    /// What can be seen without playing on.
    fn stones_forbid(&self, point: Point) -> Option<Forbidden> {
        if Direction::ALL
            .into_iter()
            .any(|direction| self.run(point, direction) > 5)
        {
            Some(Forbidden::Overline)
        } else {
            (self.fours_through(point) > 1).then_some(Forbidden::DoubleFour)
        }
    }

    /// How many fours a stone on `point` makes.
    fn fours_through(&self, point: Point) -> usize {
        let fours = |direction| match self.shape(Color::Black, point, direction) {
            Shape::Four | Shape::OpenFour => 1,
            // Without six in a row it stands for two fours in the one line.
            Shape::Overline if self.run(point, direction) < 6 => 2,
            _ => 0,
        };
        Direction::ALL.into_iter().map(fours).sum()
    }

    /// Whether a stone on `point` makes two true threes.
    fn is_double_three(&mut self, point: Point) -> bool {
        let is_three =
            |direction: &Direction| self.shape(Color::Black, point, *direction).is_open_three();
        let threes: ArrayVec<Direction, 4> = Direction::ALL.into_iter().filter(is_three).collect();
        if threes.len() < 2 {
            return false;
        }
        self.place(Color::Black, point);
        let true_threes = threes
            .into_iter()
            .filter(|&direction| self.is_true_three(point, direction))
            .take(2)
            .count();
        self.undo();
        true_threes == 2
    }

    /// How many black stones would stand in a row with one on `point`.
    fn run(&self, point: Point, direction: Direction) -> usize {
        let stones = |sign: i32| {
            (1..=5)
                .take_while(|&i| self.stone(point.step(direction, sign * i)) == Some(Color::Black))
                .count()
        };
        1 + stones(-1) + stones(1)
    }

    /// Whether the three through the black stone on `point` can become a
    /// straight four by a legal move that is not a five.
    fn is_true_three(&mut self, point: Point, direction: Direction) -> bool {
        [-1, 1].into_iter().any(|sign| {
            let beyond = (1..=4)
                .map(|i| point.step(direction, sign * i))
                .find(|&p| self.stone(p) != Some(Color::Black));
            beyond.is_some_and(|p| self.is_straight_four(p, direction))
        })
    }

    fn is_straight_four(&mut self, point: Point, direction: Direction) -> bool {
        self.is_empty(point)
            && self.shape(Color::Black, point, direction) == Shape::OpenFour
            && self.class(Color::Black, point) != Class::Five
            && self.forbidden_to_black(point).is_none()
    }
}
