//! Hash keys of positions.

use crate::rules::{BoardSize, Color, Point, Rule};

/// A well-mixed number for every input (the finaliser of `SplitMix64`).
const fn mix(input: u64) -> u64 {
    let mut z = input.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static STONES: [[u64; Point::GRID]; 3] = {
    let mut keys = [[0; Point::GRID]; 3];
    let mut i = 0;
    while i < 3 * Point::GRID {
        keys[i / Point::GRID][i % Point::GRID] = mix(i as u64 + 1);
        i += 1;
    }
    keys
};

/// Part of a key where white is to move.
pub(super) const WHITE_TO_MOVE: u64 = mix(0x5157);

/// The part of a key that a stone makes.
#[inline]
pub(super) fn stone(color: Color, point: Point) -> u64 {
    STONES[color.index()][point.index()]
}

/// The part of a key that nobody's stone makes.
pub(super) fn wall(point: Point) -> u64 {
    STONES[2][point.index()]
}

/// The key of an empty board: different for each rule and size, so that one
/// table can serve them all.
pub(super) fn board(rule: Rule, size: BoardSize) -> u64 {
    mix(0x1_0000 + ((rule as u64) << 12 | (size.width() as u64) << 6 | size.height() as u64))
}
