//! Sets of points as one bit row a board row.

use super::Point;

const ROWS: usize = 32;

/// A set of points of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointSet {
    rows: [u32; ROWS],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: PointSet = PointSet { rows: [0; ROWS] };

    /// Returns whether `point` is in the set.
    #[inline]
    pub fn has(&self, point: Point) -> bool {
        self.rows[point.grid_y()] >> point.grid_x() & 1 != 0
    }

    /// Adds `point`.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.rows[point.grid_y()] |= 1 << point.grid_x();
    }

    /// Removes `point`.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.rows[point.grid_y()] &= !(1 << point.grid_x());
    }

    /// Adds `point` if it is missing, removes it if it is there.
    #[inline]
    pub fn toggle(&mut self, point: Point) {
        self.rows[point.grid_y()] ^= 1 << point.grid_x();
    }

    /// Returns whether no point is in the set.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The points that are in this set or in the other.
    #[must_use]
    pub fn union(mut self, other: &PointSet) -> PointSet {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            *row |= other;
        }
        self
    }

    /// The points that are in both sets.
    #[must_use]
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            *row &= other;
        }
        self
    }

    /// The points of this set that are not in the other.
    #[must_use]
    pub fn difference(mut self, other: &PointSet) -> PointSet {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            *row &= !other;
        }
        self
    }

    /// Every point within three columns and rows of a point of the set, or
    /// four steps from one along a line: where moves are worth a look.
    #[must_use]
    pub fn surroundings(&self) -> PointSet {
        let row = |y: usize| self.rows.get(y).copied().unwrap_or(0);
        let mut near = PointSet::EMPTY;
        // The margin's rows are never asked for.
        for (y, out) in near.rows.iter_mut().enumerate().take(ROWS - 5).skip(5) {
            let column = row(y - 3)
                | row(y - 2)
                | row(y - 1)
                | row(y)
                | row(y + 1)
                | row(y + 2)
                | row(y + 3);
            let one = column | column << 1 | column >> 1;
            let square = one | one << 2 | one >> 2;
            let ends = row(y - 4) | row(y + 4);
            let rays = ends | ends << 4 | ends >> 4 | row(y) << 4 | row(y) >> 4;
            *out = square | rays;
        }
        near
    }

    /// The points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.rows
            .iter()
            .enumerate()
            .flat_map(|(y, &row)| Bits(row).map(move |x| Point::from_grid(x, y)))
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

/// The numbers of the bits that are set, lowest first.
struct Bits(u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;

    #[test]
    fn surroundings_are_the_square_and_the_rays() {
        let size = BoardSize::default();
        let centre = Point::new(7, 7);
        let near = PointSet::from_iter([centre]).surroundings();
        for point in size.iter() {
            let (dx, dy) = (point.x().abs_diff(7), point.y().abs_diff(7));
            let on_ray = dx == 0 || dy == 0 || dx == dy;
            let expected = dx.max(dy) <= 3 || (on_ray && dx.max(dy) == 4);
            assert_eq!(near.has(point), expected, "{point}");
        }
    }

    #[test]
    fn sets_behave_like_sets() {
        let a = PointSet::from_iter([Point::new(0, 0), Point::new(21, 21), Point::new(3, 4)]);
        let b = PointSet::from_iter([Point::new(3, 4), Point::new(9, 9)]);
        assert_eq!(a.len(), 3);
        assert_eq!(a.union(&b).len(), 4);
        assert_eq!(
            a.intersection(&b).iter().collect::<Vec<_>>(),
            [Point::new(3, 4)]
        );
        assert_eq!(a.difference(&b).len(), 2);
        assert!(PointSet::EMPTY.is_empty() && !a.is_empty());
    }
}
