//! The forbidden points of renju.
//!
//! A point of class [`Class::Forbidden`] is not always forbidden. The definition is
//! recursive: a three counts only if the stone that would make it a straight four is
//! legal itself. So the stone is put on the board and the three is examined, as deep
//! as the position demands, which is rarely more than two levels.

use super::board::Position;
use crate::pattern::{Class, Shape};
use crate::rules::{Color, Direction, Point};
use arrayvec::ArrayVec;
use std::fmt;

/// The reason why a point is forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once, perhaps in one line.
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
    /// Returns why the empty `point` is forbidden to the side to move, or `None` if it
    /// is legal. Only black has forbidden points, under renju.
    ///
    /// The position is changed and restored.
    #[inline]
    pub fn forbidden(&mut self, point: Point) -> Option<Forbidden> {
        if self.side == Color::Black {
            self.forbidden_to_black(point)
        } else {
            None
        }
    }

    /// Returns the points that are forbidden to black, row by row, and why, whichever side
    /// is to move.
    ///
    /// The position is changed and restored.
    pub fn forbidden_points(&mut self) -> Vec<(Point, Forbidden)> {
        let points: Vec<Point> = self.forbidden_candidates().collect();
        let kinds = points.into_iter().filter_map(|point| {
            let kind = self.reason_forbidden(point)?;
            Some((point, kind))
        });
        kinds.collect()
    }

    /// Returns why the empty `point` is forbidden to black, whichever side is to move.
    #[inline]
    pub fn forbidden_to_black(&mut self, point: Point) -> Option<Forbidden> {
        if self.class(Color::Black, point) != Class::Forbidden {
            return None;
        }
        self.reason_forbidden(point)
    }

    /// Returns every reason why the empty `point` is forbidden to black, the weightiest
    /// first.
    pub fn forbidden_kinds(&mut self, point: Point) -> ArrayVec<Forbidden, 3> {
        let mut kinds = ArrayVec::new();
        if self.class(Color::Black, point) == Class::Forbidden {
            kinds.extend(self.overline_or_double_four(point));
            if kinds.contains(&Forbidden::Overline) && self.fours_through(point) > 1 {
                kinds.push(Forbidden::DoubleFour);
            }
            if self.is_double_three(point) {
                kinds.push(Forbidden::DoubleThree);
            }
        }
        kinds
    }

    fn reason_forbidden(&mut self, point: Point) -> Option<Forbidden> {
        let by_stones = self.overline_or_double_four(point);
        by_stones.or_else(|| {
            self.is_double_three(point)
                .then_some(Forbidden::DoubleThree)
        })
    }

    /// Returns the reason if it is an overline or a double four.
    fn overline_or_double_four(&self, point: Point) -> Option<Forbidden> {
        if Direction::ALL
            .into_iter()
            .any(|direction| self.run(point, direction) > 5)
        {
            Some(Forbidden::Overline)
        } else {
            (self.fours_through(point) > 1).then_some(Forbidden::DoubleFour)
        }
    }

    /// Returns the number of fours that a black stone on `point` makes.
    fn fours_through(&self, point: Point) -> usize {
        let fours = |direction| match self.shape(Color::Black, point, direction) {
            Shape::Four | Shape::OpenFour => 1,
            // Without six in a row it means two fours in one line.
            Shape::Overline if self.run(point, direction) < 6 => 2,
            _ => 0,
        };
        Direction::ALL.into_iter().map(fours).sum()
    }

    /// Returns whether a black stone on `point` makes two true threes.
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

    /// Returns the length of the row that a black stone on `point` makes.
    fn run(&self, point: Point, direction: Direction) -> usize {
        let stones = |sign: i32| {
            (1..=5)
                .take_while(|&i| self.stone(point.step(direction, sign * i)) == Some(Color::Black))
                .count()
        };
        1 + stones(-1) + stones(1)
    }

    /// Returns whether the three through the black stone on `point` can become a
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
