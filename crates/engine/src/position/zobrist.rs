//! Zobrist keys: the hash keys of positions.

use crate::rules::{BoardSize, Color, Point, Rule};
use crate::splitmix;

/// Returns an output of SplitMix64 by its number.
const fn random(number: u64) -> u64 {
    splitmix::mix(number.wrapping_mul(splitmix::GAMMA))
}

/// Keys by colour and point; the third row is for blocked points.
static STONES: [[u64; Point::GRID]; 3] = {
    let mut keys = [[0; Point::GRID]; 3];
    let mut i = 0;
    while i < 3 * Point::GRID {
        keys[i / Point::GRID][i % Point::GRID] = random(i as u64 + 1);
        i += 1;
    }
    keys
};

/// The part of a key for white to move.
pub(super) const WHITE_TO_MOVE: u64 = random(0x5157);

/// Returns the part of a key for a stone.
#[inline]
pub(super) fn stone(color: Color, point: Point) -> u64 {
    STONES[color.index()][point.index()]
}

/// Returns the part of a key for a blocked point.
pub(super) fn blocked(point: Point) -> u64 {
    STONES[2][point.index()]
}

/// Returns the key of an empty board. It differs between rules and sizes, so that one
/// transposition table serves them all.
pub(super) fn board(rule: Rule, size: BoardSize) -> u64 {
    random(0x1_0000 + ((rule as u64) << 12 | (size.width() as u64) << 6 | size.height() as u64))
}
