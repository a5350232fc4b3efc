//! Buckets of the distance between a move and an earlier stone.

use crate::rules::{OffsetTable, Point};

/// The number of distance buckets: one for each larger and smaller distance in
/// columns and rows up to eight, and one for all beyond.
pub const DISTANCE_BUCKETS: usize = REACH * (REACH + 3) / 2 + 2;

/// The largest distance that has buckets of its own.
const REACH: usize = 8;

/// Returns the bucket of `point` as seen from a stone, below
/// [`DISTANCE_BUCKETS`]. In training the last bucket is also for a stone that does not
/// exist, in play such a stone adds nothing; that moves all scores of a position alike.
pub const fn distance_bucket(stone: Option<Point>, point: Point) -> usize {
    let Some(stone) = stone else {
        return DISTANCE_BUCKETS - 1;
    };
    bucket_of_offset(
        stone.grid_x().abs_diff(point.grid_x()),
        stone.grid_y().abs_diff(point.grid_y()),
    )
}

/// Returns the bucket of a point `dx` columns and `dy` rows away.
const fn bucket_of_offset(dx: usize, dy: usize) -> usize {
    let (smaller, larger) = if dx < dy { (dx, dy) } else { (dy, dx) };
    if larger > REACH {
        DISTANCE_BUCKETS - 1
    } else {
        larger * (larger + 1) / 2 + smaller
    }
}

/// Expands weights by bucket to weights by offset, which take one lookup.
pub(super) fn by_offset(weights: &[i16; DISTANCE_BUCKETS]) -> OffsetTable<i16> {
    let mut table = OffsetTable::new(weights[DISTANCE_BUCKETS - 1]);
    let reach = REACH as i32;
    for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
        let bucket = bucket_of_offset(dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
        table.set(dx, dy, weights[bucket]);
    }
    table
}
