//! Rows: what the network knows of a window, in numbers.

/// The channels of a window as one colour sees it.
pub const LINE_CHANNELS: usize = 16;

/// The channels of a row: a window as black sees it, then as white sees it.
pub(super) const ROW: usize = 2 * LINE_CHANNELS;

/// What one is in the numbers of a row.
pub const ROW_SCALE: f32 = 64.0;

/// No number of a row is larger. So the sum of four is 508 at most, and the changes of
/// the 33 points that see a stone add up to no more than an `i16` holds.
pub const ROW_LIMIT: i8 = i8::MAX;

/// A row: the embedding of a window for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Zeroable)]
#[repr(align(32))]
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

    /// Adds what the change of a point from `old` to `new` makes after the activation
    /// function, which is ReLU.
    #[inline(always)]
    pub(super) fn add_change(&mut self, old: &RowSum, new: &RowSum) {
        for channel in 0..ROW {
            let difference = new.0[channel].max(0) - old.0[channel].max(0);
            self.0[channel] = self.0[channel].wrapping_add(difference);
        }
    }
}

/// The embeddings of all windows as one colour sees them: along rows and columns,
/// then along diagonals.
pub type WindowEmbeddings = [Vec<[i8; LINE_CHANNELS]>; 2];
