//! Validation: everything that a position keeps incrementally, computed again from
//! the stones.

use super::board::Position;
use super::counts::ClassCounts;
use super::zobrist;
use crate::pattern::{Cell, Class, Classifier, Shape, radius};
use crate::rules::{Color, Direction, Point, PointSet, Rule};

/// Validates positions of one rule. It knows nothing but the stones and the
/// definitions of the shapes, and is slow.
pub struct Validator {
    classifiers: [Classifier; 2],
    radius: usize,
}

impl Validator {
    /// Creates a validator of positions of `rule`.
    pub fn new(rule: Rule) -> Validator {
        let radius = radius(rule);
        Validator {
            classifiers: Color::ALL.map(|color| Classifier::new(rule, color, radius)),
            radius,
        }
    }

    /// Classifies the empty `point` for `color` in `direction`.
    pub fn shape(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
        direction: Direction,
    ) -> Shape {
        let reach = self.radius as i32;
        let mut key = 0;
        for (number, steps) in (-reach..=reach).filter(|&steps| steps != 0).enumerate() {
            let neighbour = point.step(direction, steps);
            let cell = match position.stone(neighbour) {
                Some(stone) if stone == color => Cell::Own,
                Some(_) => Cell::Enemy,
                None if position.is_empty(neighbour) => Cell::Empty,
                None => Cell::Wall,
            };
            key |= (cell as u32) << (2 * number);
        }
        self.classifiers[color.index()].shape(key)
    }

    /// Compares everything that `position` keeps with its stones.
    ///
    /// # Errors
    /// Returns a description of the first difference.
    pub fn validate(&mut self, position: &Position) -> Result<(), String> {
        let mut counts = [ClassCounts::default(); 2];
        let mut occupied = PointSet::EMPTY;
        let mut key = zobrist::board(position.rule, position.size);
        if position.side == Color::White {
            key ^= zobrist::WHITE_TO_MOVE;
        }
        let mut empty = 0;
        for point in position.size.iter() {
            if position.is_empty(point) {
                empty += 1;
            } else {
                occupied.insert(point);
                key ^= position
                    .stone(point)
                    .map_or(zobrist::blocked(point), |color| {
                        zobrist::stone(color, point)
                    });
            }
            for color in Color::ALL {
                let class = self.validate_point(position, color, point)?;
                counts[color.index()].replace(Class::None, class);
            }
        }
        let checks = [
            ("counts", counts == position.counts),
            ("occupied points", occupied == position.occupied),
            ("key", key == position.key),
            ("empty points", empty == position.empty),
        ];
        match checks.iter().find(|(_, ok)| !ok) {
            Some((what, _)) => Err(format!("{what} wrong in {position:?}")),
            None => Ok(()),
        }
    }

    /// Validates one point for one colour and returns its class.
    fn validate_point(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
    ) -> Result<Class, String> {
        let codes = position.tables.codes;
        let mut expected = Class::None;
        if position.is_empty(point) {
            let mut packed = 0;
            for direction in Direction::ALL {
                let shape = self.shape(position, color, point, direction);
                if shape != position.shape(color, point, direction) {
                    return Err(format!(
                        "{color} {point} {direction:?}: {shape:?} expected in {position:?}"
                    ));
                }
                packed |= (shape as u16) << (4 * direction.index());
            }
            let code = codes.code(packed);
            if code != position.code(color, point) {
                return Err(format!("code of {color} {point} wrong in {position:?}"));
            }
            expected = codes.classes(position.rule.forbids(color))[code.index()];
        }
        if expected == position.class(color, point) {
            Ok(expected)
        } else {
            Err(format!(
                "{color} {point}: class {expected:?} expected in {position:?}"
            ))
        }
    }
}
