//! What a stone changes: the hottest loop of the program.

use super::lines::key;
use super::{Change, MAX_CHANGES, Outlook, Position, Standing};
use crate::pattern::Class;
use crate::rules::{Color, Direction, Point};

/// Both colours' shapes of one direction, where the first direction's stand
/// among [`Outlook::shapes`].
#[inline]
const fn spread(pair: u8) -> u32 {
    (pair as u32 | (pair as u32) << 12) & Outlook::DIRECTION
}

/// An empty point whose shapes a move changes.
#[derive(Clone, Copy)]
pub(super) struct Touched {
    point: Point,
    shapes: u32,
}

/// At least [`super::MAX_CHANGES`], and a power of two so that indices need no
/// check.
const TOUCHED: usize = 64;

/// The points one move changes. A position keeps it from move to move, because
/// to clear it would take longer than to fill it.
pub(super) type Scratch = [Touched; TOUCHED];

/// What nobody reads.
pub(super) const CLEAR: Scratch = [Touched {
    point: Point::NONE,
    shapes: 0,
}; TOUCHED];

impl Position {
    /// Brings everything about empty points up to date after the stone on
    /// `point` has been put into the lines.
    ///
    /// In two passes: the first finds the points that change, without a branch
    /// the processor could guess wrong; the second does the work.
    #[inline]
    pub(super) fn update<const RADIUS: u32>(&mut self, point: Point) {
        let count = self.find_touched::<RADIUS>(point);
        let at_point = Change {
            point,
            old: self.standing(point),
            new: Standing::NONE,
            shapes: self.outlooks[point.index()].shapes,
        };
        let mut counts = self.counts;
        let (merger, forbids) = (
            self.tables.merger,
            Color::ALL.map(|color| self.rule.forbids(color)),
        );
        let classes = forbids.map(|forbids| merger.classes(forbids));

        let saved = &mut self.changes[self.used_changes..][..MAX_CHANGES];
        let (first, saved) = saved.split_at_mut(1);
        first[0] = at_point;
        for (counts, classes) in counts.iter_mut().zip(&mut self.classes) {
            let class = &mut classes[point.index()];
            counts.replace(std::mem::take(class), Class::None);
        }
        let touched = &self.touched[..count % TOUCHED];
        for (touched, saved) in touched.iter().zip(saved) {
            let index = touched.point.index();
            let outlook = self.outlooks[index];
            let fresh = Outlook::new(touched.shapes, merger);
            self.outlooks[index] = fresh;
            let before = [self.classes[0][index], self.classes[1][index]];
            let now = [0, 1].map(|color| classes[color][fresh.codes[color].index()]);
            for color in 0..2 {
                counts[color].replace(before[color], now[color]);
                self.classes[color][index] = now[color];
            }
            *saved = Change {
                point: touched.point,
                old: Standing {
                    codes: outlook.codes,
                    classes: before,
                },
                new: Standing {
                    codes: fresh.codes,
                    classes: now,
                },
                shapes: outlook.shapes,
            };
        }
        self.counts = counts;
        self.used_changes += 1 + count;
    }

    /// Lists the empty points whose shapes differ now that there is a stone on
    /// `point`, and says how many there are.
    #[inline]
    fn find_touched<const RADIUS: u32>(&mut self, point: Point) -> usize {
        let pairs = &self.tables.lines.pairs()[..1 << (4 * RADIUS)];
        let reach = RADIUS as i32;
        let mut count = 0;
        for direction in Direction::ALL {
            let mut word = self.lines.around(direction, point, 2 * RADIUS);
            let mask = Outlook::DIRECTION << (4 * direction.index());
            // The compiler does not unroll a loop over an inclusive range.
            for steps in -reach..reach + 1 {
                let is_empty = word >> (2 * RADIUS) & 3 == 3;
                let fresh = spread(pairs[key::<RADIUS>(word)]) << (4 * direction.index());
                word >>= 2;
                let neighbour = point.step(direction, steps);
                let old = self.outlooks[neighbour.index()].shapes;
                let shapes = old & !mask | fresh;
                self.touched[count % TOUCHED] = Touched {
                    point: neighbour,
                    shapes,
                };
                count += usize::from(is_empty & (shapes != old));
            }
        }
        count
    }

    #[inline]
    fn set_classes(&mut self, point: Point, classes: [Class; 2]) {
        for (color, class) in classes.into_iter().enumerate() {
            let slot = &mut self.classes[color][point.index()];
            self.counts[color].replace(*slot, class);
            *slot = class;
        }
    }

    fn classes_of(&self, outlook: &Outlook) -> [Class; 2] {
        Color::ALL.map(|color| {
            let forbids = self.rule.forbids(color);
            self.tables.merger.classes(forbids)[outlook.codes[color.index()].index()]
        })
    }

    /// Computes all points from the line codes alone.
    pub(super) fn refresh(&mut self) {
        for point in self.size.iter() {
            if !self.is_empty(point) {
                self.set_classes(point, [Class::None; 2]);
                continue;
            }
            let mut shapes = 0;
            for direction in Direction::ALL {
                let pair = self.tables.lines.pair(self.key_at(point, direction));
                shapes |= spread(pair) << (4 * direction.index());
            }
            let fresh = Outlook::new(shapes, self.tables.merger);
            self.outlooks[point.index()] = fresh;
            self.set_classes(point, self.classes_of(&fresh));
        }
    }

    /// The key of the window around `point`.
    #[inline]
    pub(super) fn key_at(&self, point: Point, direction: Direction) -> usize {
        match self.tables.lines.radius() {
            4 => key::<4>(self.lines.around(direction, point, 4)),
            _ => key::<5>(self.lines.around(direction, point, 5)),
        }
    }
}
