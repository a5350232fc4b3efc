//! Everything a position keeps incrementally, computed again the slow way.

use super::{Counts, Position, zobrist};
use crate::pattern::{Cell, Class, Classifier, Shape, radius};
use crate::rules::{Color, Direction, Point, PointSet};

/// A slow, obvious second opinion on positions of one rule: it knows only the
/// stones and the definitions of the shapes.
pub struct Auditor {
    classifiers: [Classifier; 2],
    radius: usize,
}

impl Auditor {
    /// An auditor for positions of `rule`.
    pub fn new(rule: crate::rules::Rule) -> Auditor {
        let radius = radius(rule);
        Auditor {
            classifiers: Color::ALL.map(|color| Classifier::new(rule, color, radius)),
            radius,
        }
    }

    /// The shape `color` would have at the empty `point` in `direction`.
    pub fn shape(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
        direction: Direction,
    ) -> Shape {
        let reach = self.radius as i32;
        let mut key = 0;
        for (slot, steps) in (-reach..=reach).filter(|&steps| steps != 0).enumerate() {
            let neighbour = point.step(direction, steps);
            let cell = match position.stone(neighbour) {
                Some(stone) if stone == color => Cell::Own,
                Some(_) => Cell::Enemy,
                None if position.is_empty(neighbour) => Cell::Empty,
                None => Cell::Wall,
            };
            key |= (cell as u32) << (2 * slot);
        }
        self.classifiers[color.index()].shape(key)
    }

    /// Compares all that `position` keeps with what its stones say.
    ///
    /// # Errors
    /// Names the first thing that is wrong.
    pub fn check(&mut self, position: &Position) -> Result<(), String> {
        let mut counts = [Counts::default(); 2];
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
                    .map_or(zobrist::wall(point), |color| zobrist::stone(color, point));
            }
            for color in Color::ALL {
                let class = self.check_point(position, color, point)?;
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

    /// The class of one point for one colour, which must be what the position
    /// says.
    fn check_point(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
    ) -> Result<Class, String> {
        let merger = position.tables.merger;
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
            let code = merger.code(packed);
            if code != position.code(color, point) {
                return Err(format!("code of {color} {point} wrong in {position:?}"));
            }
            expected = merger.classes(position.rule.forbids(color))[code.index()];
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
