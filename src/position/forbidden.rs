//! Renju's forbidden points, exactly.
//!
//! The class of a point only says that it may be forbidden. The definition is
//! recursive: a three counts only if the stone that would make it a straight
//! four may itself be played. So the stone is put on the board and the line
//! followed, as deep as the position demands (rarely more than two levels).

use super::Position;
use crate::pattern::{Class, Shape};
use crate::rules::{Color, Direction, Point};
use std::fmt;

/// Why black may not play a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    fn why_forbidden(&mut self, point: Point) -> Option<Forbidden> {
        let shapes =
            Direction::ALL.map(|direction| (direction, self.shape(Color::Black, point, direction)));
        let overlines = shapes.iter().filter(|(_, shape)| *shape == Shape::Overline);
        if overlines
            .clone()
            .any(|&(direction, _)| self.run(point, direction) > 5)
        {
            return Some(Forbidden::Overline);
        }
        // An overline shape without six in a row is two fours in one line.
        let fours = shapes
            .iter()
            .filter(|(_, shape)| matches!(shape, Shape::Four | Shape::OpenFour));
        if overlines.count() > 0 || fours.count() > 1 {
            return Some(Forbidden::DoubleFour);
        }
        self.place(Color::Black, point);
        let threes = shapes.iter().filter(|(_, shape)| shape.is_open_three());
        let true_threes = threes
            .filter(|&&(direction, _)| self.is_true_three(point, direction))
            .take(2)
            .count();
        self.undo();
        (true_threes == 2).then_some(Forbidden::DoubleThree)
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
