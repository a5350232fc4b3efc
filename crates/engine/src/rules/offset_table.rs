//! A value for every offset from a stone, wherever the stone stands.

use super::{Direction, MAX_SIDE, Point};

/// The largest offset in columns or rows that has a value of its own. One more,
/// and two offsets on the widest board would share a difference of indices.
const MAX_OFFSET: i32 = Direction::Column.offset() - MAX_SIDE as i32;

/// Values by the offset of a point from a stone, up to ten columns and rows. A
/// value is found at the difference of the two points' indices.
#[derive(Clone, Debug)]
pub(crate) struct OffsetTable<T>([T; 2 * Point::GRID]);

impl<T: Copy> OffsetTable<T> {
    /// Creates a table with the same value for every offset, near and far.
    pub(crate) const fn new(everywhere: T) -> OffsetTable<T> {
        OffsetTable([everywhere; 2 * Point::GRID])
    }

    /// Sets the value of the points `dx` columns to the right and `dy` rows up.
    ///
    /// # Panics
    /// Panics if either is more than ten.
    pub(crate) const fn set(&mut self, dx: i32, dy: i32, value: T) {
        assert!(dx.abs() <= MAX_OFFSET && dy.abs() <= MAX_OFFSET);
        let offset = dx * Direction::Row.offset() + dy * Direction::Column.offset();
        self.0[(Point::GRID as i32 + offset) as usize] = value;
    }

    /// Returns the values of all points, by [`Point::index`], as seen from
    /// `stone`; `without` if there is no stone.
    #[inline]
    pub(crate) fn seen_from<'a>(
        &'a self,
        stone: Option<Point>,
        without: &'a [T; Point::GRID],
    ) -> &'a [T; Point::GRID] {
        stone
            .and_then(|stone| self.0[Point::GRID - stone.index()..].first_chunk())
            .unwrap_or(without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;

    #[test]
    fn every_stone_sees_the_values_at_their_offsets() {
        const FAR: i32 = 9_999;
        let board = BoardSize::square(MAX_SIDE).expect("the largest board");
        let value = |dx: i32, dy: i32| 100 * dy + dx;
        let near = -MAX_OFFSET..=MAX_OFFSET;
        let mut table = OffsetTable::new(FAR);
        for (dx, dy) in near
            .clone()
            .flat_map(|dx| near.clone().map(move |dy| (dx, dy)))
        {
            table.set(dx, dy, value(dx, dy));
        }
        let without = [-FAR; Point::GRID];
        for stone in board.iter() {
            let seen = table.seen_from(Some(stone), &without);
            for point in board.iter() {
                let dx = point.x() as i32 - stone.x() as i32;
                let dy = point.y() as i32 - stone.y() as i32;
                let is_near = near.contains(&dx) && near.contains(&dy);
                let expected = if is_near { value(dx, dy) } else { FAR };
                assert_eq!(seen[point.index()], expected, "{stone} {point}");
            }
        }
        assert_eq!(table.seen_from(None, &without), &without);
    }

    #[test]
    #[should_panic(expected = "MAX_OFFSET")]
    fn offsets_that_would_share_an_entry_are_refused() {
        OffsetTable::new(0).set(MAX_OFFSET + 1, 0, 1);
    }
}
