//! The update of points near a new stone: the hottest loop of the program.

use super::board::Position;
use super::change::{BUFFER_SIZE, MAX_CHANGES, NewShapes, PointChange, PointShapes, PointState};
use super::line_codes::{EMPTY, window_key};
use crate::pattern::Class;
use crate::rules::{Color, Direction, Point};

/// Moves both colours' shapes in one direction to where [`PointShapes::shapes`] has
/// those of the first direction.
#[inline]
const fn spread(both: u8) -> u32 {
    (both as u32 | (both as u32) << 12) & PointShapes::DIRECTION
}

impl Position {
    /// Updates all empty points after the stone on `point` has been put into the line
    /// codes.
    ///
    /// There are two passes. The first finds the points that change, without a branch
    /// that the processor could mispredict. The second updates them.
    #[inline]
    pub(super) fn update<const RADIUS: u32>(&mut self, point: Point) {
        let count = self.find_changes::<RADIUS>(point);
        let at_point = PointChange {
            point,
            old: self.state(point),
            new: PointState::OCCUPIED,
            shapes: self.shapes[point.index()].shapes,
        };
        let mut counts = self.counts;
        let (codes, forbids) = (
            self.tables.codes,
            Color::ALL.map(|color| self.rule.forbids(color)),
        );
        let classes = forbids.map(|forbids| codes.classes(forbids));

        if self.changes.len() < self.used_changes + MAX_CHANGES {
            self.make_room();
        }
        let saved = &mut self.changes[self.used_changes..][..MAX_CHANGES];
        let (first, saved) = saved.split_at_mut(1);
        first[0] = at_point;
        for (counts, classes) in counts.iter_mut().zip(&mut self.classes) {
            let class = &mut classes[point.index()];
            counts.replace(std::mem::take(class), Class::None);
        }
        let found = &self.buffer[..count % BUFFER_SIZE];
        for (found, saved) in found.iter().zip(saved) {
            let index = found.point.index();
            let old = self.shapes[index];
            let fresh = PointShapes::new(found.shapes, codes);
            self.shapes[index] = fresh;
            let before = [self.classes[0][index], self.classes[1][index]];
            let now = [0, 1].map(|color| classes[color][fresh.codes[color].index()]);
            for color in 0..2 {
                counts[color].replace(before[color], now[color]);
                self.classes[color][index] = now[color];
            }
            *saved = PointChange {
                point: found.point,
                old: PointState {
                    codes: old.codes,
                    classes: before,
                },
                new: PointState {
                    codes: fresh.codes,
                    classes: now,
                },
                shapes: old.shapes,
            };
        }
        self.counts = counts;
        self.used_changes += 1 + count;
    }

    /// Makes room for the changes of more moves than there have been: a search that goes
    /// deeper and deeper allocates a few times.
    #[cold]
    fn make_room(&mut self) {
        let room = 2 * self.used_changes + 8 * MAX_CHANGES;
        self.changes.resize(room, PointChange::NONE);
    }

    /// Writes the empty points whose shapes change with the stone on `point` to the
    /// buffer and returns their number.
    #[inline]
    fn find_changes<const RADIUS: u32>(&mut self, point: Point) -> usize {
        let table = &self.tables.lines.both_colors()[..1 << (4 * RADIUS)];
        let reach = RADIUS as i32;
        let mut count = 0;
        for direction in Direction::ALL {
            let mut word = self.lines.rotated(direction, point, 2 * RADIUS);
            let mask = PointShapes::DIRECTION << (4 * direction.index());
            // The compiler does not unroll loops over inclusive ranges.
            for steps in -reach..reach + 1 {
                let is_empty = word >> (2 * RADIUS) & 3 == EMPTY;
                let fresh = spread(table[window_key::<RADIUS>(word)]) << (4 * direction.index());
                word >>= 2;
                let neighbour = point.step(direction, steps);
                let old = self.shapes[neighbour.index()].shapes;
                let shapes = old & !mask | fresh;
                self.buffer[count % BUFFER_SIZE] = NewShapes {
                    point: neighbour,
                    shapes,
                };
                count += usize::from(is_empty & (shapes != old));
            }
        }
        count
    }

    /// Sets the classes of a point and counts them.
    #[inline]
    fn set_classes(&mut self, point: Point, classes: [Class; 2]) {
        for (color, class) in classes.into_iter().enumerate() {
            let slot = &mut self.classes[color][point.index()];
            self.counts[color].replace(*slot, class);
            *slot = class;
        }
    }

    /// Looks up the classes of a point by colour.
    fn classes_of(&self, shapes: &PointShapes) -> [Class; 2] {
        Color::ALL.map(|color| {
            let forbids = self.rule.forbids(color);
            self.tables.codes.classes(forbids)[shapes.codes[color.index()].index()]
        })
    }

    /// Computes all points from the line codes.
    pub(super) fn refresh(&mut self) {
        for point in self.size.iter() {
            if !self.is_empty(point) {
                self.set_classes(point, [Class::None; 2]);
                continue;
            }
            let mut shapes = 0;
            for direction in Direction::ALL {
                let both = self.tables.lines.both(self.window_key_at(point, direction));
                shapes |= spread(both) << (4 * direction.index());
            }
            let fresh = PointShapes::new(shapes, self.tables.codes);
            self.shapes[point.index()] = fresh;
            self.set_classes(point, self.classes_of(&fresh));
        }
    }

    /// Returns the key of the window around `point`.
    #[inline]
    pub(super) fn window_key_at(&self, point: Point, direction: Direction) -> usize {
        match self.tables.lines.radius() {
            4 => window_key::<4>(self.lines.rotated(direction, point, 4)),
            _ => window_key::<5>(self.lines.rotated(direction, point, 5)),
        }
    }
}
