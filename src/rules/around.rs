//! A value for every place around a stone, wherever the stone stands: what a
//! point is worth that lies so many columns and rows from it.

use super::{Direction, MAX_SIDE, Point};

/// The furthest columns and rows that have values of their own: one more, and on
/// the widest board two places would share a difference of indices.
const FURTHEST: i32 = Direction::Column.offset() - MAX_SIDE as i32;

/// Values by where a point is seen from a stone, in columns and rows, up to ten
/// of each. A value is found at the difference of the two indices.
#[derive(Clone, Debug)]
pub struct Around<T>([T; 2 * Point::GRID]);

impl<T: Copy> Around<T> {
    /// The same value everywhere, near and far.
    pub const fn new(everywhere: T) -> Around<T> {
        Around([everywhere; 2 * Point::GRID])
    }

    /// Sets the value `dx` columns to the right and `dy` rows down.
    ///
    /// # Panics
    /// If either is more than ten.
    pub const fn set(&mut self, dx: i32, dy: i32, value: T) {
        assert!(dx.abs() <= FURTHEST && dy.abs() <= FURTHEST);
        let offset = dx * Direction::Row.offset() + dy * Direction::Column.offset();
        self.0[(Point::GRID as i32 + offset) as usize] = value;
    }

    /// The values of all points by [`Point::index`], seen from `stone`, or
    /// those of `nowhere` if there is no stone.
    #[inline]
    pub fn seen_from<'a>(
        &'a self,
        stone: Option<Point>,
        nowhere: &'a [T; Point::GRID],
    ) -> &'a [T; Point::GRID] {
        stone
            .and_then(|stone| self.0[Point::GRID - stone.index()..].first_chunk())
            .unwrap_or(nowhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;

    #[test]
    fn values_are_where_they_were_put_from_every_stone() {
        const FAR: i32 = 9_999;
        let board = BoardSize::square(MAX_SIDE).expect("the largest board");
        let place = |dx: i32, dy: i32| 100 * dy + dx;
        let near = -FURTHEST..=FURTHEST;
        let mut around = Around::new(FAR);
        for (dx, dy) in near
            .clone()
            .flat_map(|dx| near.clone().map(move |dy| (dx, dy)))
        {
            around.set(dx, dy, place(dx, dy));
        }
        let nowhere = [-FAR; Point::GRID];
        for stone in board.iter() {
            let seen = around.seen_from(Some(stone), &nowhere);
            for point in board.iter() {
                let dx = point.x() as i32 - stone.x() as i32;
                let dy = point.y() as i32 - stone.y() as i32;
                let is_near = near.contains(&dx) && near.contains(&dy);
                let expected = if is_near { place(dx, dy) } else { FAR };
                assert_eq!(seen[point.index()], expected, "{stone} {point}");
            }
        }
        assert_eq!(around.seen_from(None, &nowhere), &nowhere);
    }

    #[test]
    #[should_panic(expected = "FURTHEST")]
    fn places_that_would_share_a_value_are_refused() {
        Around::new(0).set(FURTHEST + 1, 0, 1);
    }
}
