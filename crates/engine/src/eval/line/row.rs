//! Rows: the quantised embeddings of a window, as both colours see it.

use crate::rules::Color;
use std::ops::Range;

/// The channels of a window as one colour sees it.
pub const LINE_CHANNELS: usize = 32;

/// The channels whose activation function is ReLU. That of the others is SCReLU: the
/// square of a clipped ReLU.
pub const RELU_CHANNELS: usize = 16;

/// The numbers of a row: the channels of a window as black sees it and as white sees it.
pub(super) const ROW: usize = 2 * LINE_CHANNELS;

/// The first channel with SCReLU in a row.
const SCRELU_START: usize = 2 * RELU_CHANNELS;

/// Returns where a row has the channels with ReLU that `color` sees, and those with SCReLU. All
/// with the same activation function are together, so that it has whole vectors.
#[inline(always)]
pub(super) fn slots(color: Color) -> [Range<usize>; 2] {
    const SCRELU_CHANNELS: usize = LINE_CHANNELS - RELU_CHANNELS;
    let relu = color.index() * RELU_CHANNELS;
    let screlu = SCRELU_START + color.index() * SCRELU_CHANNELS;
    [relu..relu + RELU_CHANNELS, screlu..screlu + SCRELU_CHANNELS]
}

/// The scale of the numbers of a row: a weight of one is stored as this.
pub const ROW_SCALE: f32 = 64.0;

/// No number of a row is larger.
pub const ROW_LIMIT: i8 = i8::MAX;

/// The clipping point of SCReLU. The square of this fits a `u16`.
const CLIP: i16 = 255;

/// The clipping point of SCReLU, in weights.
pub const SCRELU_CLIP: f32 = CLIP as f32 / ROW_SCALE;

/// The right shift by which SCReLU scales squares, so that they fit an `i16`.
const SCRELU_SHIFT: u32 = 7;

/// The scale of the activations of each slot of a row.
pub(super) const ACTIVATION_SCALES: [f32; ROW] = {
    let mut scales = [ROW_SCALE; ROW];
    let mut slot = SCRELU_START;
    while slot < ROW {
        scales[slot] = ROW_SCALE * ROW_SCALE / (1 << SCRELU_SHIFT) as f32;
        slot += 1;
    }
    scales
};

/// A row: the embedding of a window for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i8; ROW]);

impl Row {
    /// The row of a window without stones.
    pub(super) const ZERO: Row = Row([0; ROW]);
}

/// Sums of rows: those of the four windows of a point, or of the changes of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct RowSum(pub(super) [i16; ROW]);

impl RowSum {
    /// The sum of nothing.
    pub(super) const ZERO: RowSum = RowSum([0; ROW]);

    /// Returns the sum with `new` in the place of `old`.
    #[inline(always)]
    pub(super) fn changed(&self, old: &Row, new: &Row) -> RowSum {
        let mut changed = *self;
        for channel in 0..ROW {
            let difference = i16::from(new.0[channel]) - i16::from(old.0[channel]);
            changed.0[channel] = self.0[channel].wrapping_add(difference);
        }
        changed
    }

    /// Writes the sum of a point with `new` in the place of `old` to `into`. What that changes
    /// after the activation function is added to `change`.
    #[inline(always)]
    pub(super) fn replace(&self, [old, new]: [&Row; 2], into: &mut RowSum, change: &mut RowSum) {
        // In one loop, so that the compiler need not load again what it has stored.
        for slot in 0..ROW {
            let was = self.0[slot];
            let difference = i16::from(new.0[slot]) - i16::from(old.0[slot]);
            let is = was.wrapping_add(difference);
            into.0[slot] = is;
            let activation = activation_change(slot, was, is);
            change.0[slot] = change.0[slot].wrapping_add(activation);
        }
    }

    /// Adds what the change of a point from `old` to `new` makes after the activation
    /// function. No activation is larger than 508, so those of the 33 points that see a
    /// stone add up to no more than an `i16` holds.
    #[inline(always)]
    pub(super) fn add_change(&mut self, old: &RowSum, new: &RowSum) {
        for slot in 0..ROW {
            let activation = activation_change(slot, old.0[slot], new.0[slot]);
            self.0[slot] = self.0[slot].wrapping_add(activation);
        }
    }
}

/// Returns how far the activation of a slot rises when its sum changes from `old` to `new`.
#[inline(always)]
fn activation_change(slot: usize, old: i16, new: i16) -> i16 {
    if slot < SCRELU_START {
        new.max(0) - old.max(0)
    } else {
        screlu(new) - screlu(old)
    }
}

/// Returns the square of a clipped sum, scaled and rounded.
#[inline(always)]
fn screlu(sum: i16) -> i16 {
    let clipped = sum.clamp(0, CLIP) as u16;
    ((clipped * clipped + (1 << (SCRELU_SHIFT - 1))) >> SCRELU_SHIFT) as i16
}

/// The embeddings of all windows as one colour sees them: along rows and columns,
/// then along diagonals.
pub type WindowEmbeddings = [Vec<[i8; LINE_CHANNELS]>; 2];
