//! Rows: what the network knows of a window, in numbers.

/// The channels of a window as one colour sees it.
pub const LINE_CHANNELS: usize = 16;

/// The channels of a row: a window as black sees it, then as white sees it.
pub(super) const ROW: usize = 2 * LINE_CHANNELS;

/// What one is in the numbers of a row.
pub const ROW_SCALE: f32 = 128.0;

/// No number of a row is larger. The sum of four stays within an `i16`.
pub const ROW_LIMIT: i16 = i16::MAX / 4;

/// A row: the embedding of a window for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; ROW]);

impl Row {
    /// The row of a window without stones.
    pub(super) const ZERO: Row = Row([0; ROW]);
}

/// The embeddings of all windows as one colour sees them: along rows and columns,
/// then along diagonals.
pub type WindowEmbeddings = [Vec<[i16; LINE_CHANNELS]>; 2];
