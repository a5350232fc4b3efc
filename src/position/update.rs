//! What a stone changes: the hottest loop of the program.

use super::lines::key;
use super::{Change, Observer, Outlook, Position};
use crate::pattern::Class;
use crate::rules::{Color, Direction, Point};

/// Both colours' shapes of one direction, spread so that a shift by four bits
/// a direction puts them into place among [`Outlook::shapes`].
#[inline]
const fn spread(pair: u8) -> [u16; 2] {
    [(pair & 15) as u16, (pair >> 4) as u16]
}

impl Position {
    /// Brings everything about empty points up to date after the stone on
    /// `point` has been put into the lines.
    #[inline]
    pub(super) fn update<const RADIUS: u32, O: Observer>(
        &mut self,
        point: Point,
        observer: &mut O,
    ) {
        observer.occupied(self.outlooks[point.index()].codes);
        self.save(point);
        self.set_classes(point, [Class::None; 2]);
        let pairs = &self.tables.lines.pairs()[..1 << (4 * RADIUS)];
        let reach = RADIUS as i32;
        for direction in Direction::ALL {
            let mut word = self.lines.around(direction, point, 2 * RADIUS);
            for steps in -reach..=reach {
                let is_empty = word >> (2 * RADIUS) & 3 == 3;
                let pair = pairs[key::<RADIUS>(word)];
                word >>= 2;
                if is_empty {
                    self.reshape(point.step(direction, steps), direction, pair, observer);
                }
            }
        }
    }

    /// The shapes of the empty `point` in `direction` are now `pair`.
    #[inline]
    fn reshape<O: Observer>(
        &mut self,
        point: Point,
        direction: Direction,
        pair: u8,
        observer: &mut O,
    ) {
        let outlook = self.outlooks[point.index()];
        let shift = 4 * direction.index();
        let now = spread(pair);
        let shapes = [0, 1].map(|c| outlook.shapes[c] & !(15 << shift) | now[c] << shift);
        if shapes == outlook.shapes {
            return;
        }
        self.save(point);
        let fresh = self.outlook(shapes);
        self.outlooks[point.index()] = fresh;
        self.set_classes(point, self.classes_of(&fresh));
        observer.changed(outlook.codes, fresh.codes);
    }

    #[inline]
    fn outlook(&self, shapes: [u16; 2]) -> Outlook {
        Outlook {
            shapes,
            codes: shapes.map(|packed| self.tables.merger.code(packed)),
        }
    }

    #[inline]
    fn classes_of(&self, outlook: &Outlook) -> [Class; 2] {
        Color::ALL.map(|color| {
            let forbids = self.rule.forbids(color);
            self.tables.merger.classes(forbids)[outlook.codes[color.index()].index()]
        })
    }

    /// Remembers the state of `point` for when the move is taken back.
    #[inline]
    fn save(&mut self, point: Point) {
        let index = point.index();
        self.changes[self.used_changes] = Change {
            point,
            classes: [self.classes[0][index], self.classes[1][index]],
            outlook: self.outlooks[index],
        };
        self.used_changes += 1;
    }

    #[inline]
    fn set_classes(&mut self, point: Point, classes: [Class; 2]) {
        for (color, class) in classes.into_iter().enumerate() {
            let slot = &mut self.classes[color][point.index()];
            self.counts[color].remove(*slot);
            self.counts[color].add(class);
            *slot = class;
        }
    }

    /// Computes all points from the line codes alone.
    pub(super) fn refresh(&mut self) {
        for point in self.size.iter() {
            if !self.is_empty(point) {
                self.set_classes(point, [Class::None; 2]);
                continue;
            }
            let mut shapes = [0; 2];
            for direction in Direction::ALL {
                let now = spread(self.tables.lines.pair(self.key_at(point, direction)));
                for color in 0..2 {
                    shapes[color] |= now[color] << (4 * direction.index());
                }
            }
            let fresh = self.outlook(shapes);
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
