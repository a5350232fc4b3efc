//! The weights of a line network, laid out for evaluating.

use super::format::LineWeights;
use super::head::LineHead;
use super::row::{RELU_CHANNELS, Row, slots};
use super::window::{WINDOW_BITS, WINDOWS, numbers_of_bits, swapped_numbers};
use crate::rules::{Color, Direction, Rule};

/// The rows of a table: more than there are windows, and a power of two, so that no index
/// needs a check.
const ROWS: usize = WINDOWS.next_power_of_two();

/// The rows of windows by number.
pub(super) type RowTable = [Row; ROWS];

/// A line network for one rule.
pub struct LineNetwork {
    rule: Rule,
    checksum: u32,
    /// The number of each window by its bits.
    numbers: &'static [u16; 1 << WINDOW_BITS],
    /// Along rows and columns, then along diagonals, by the number of the window.
    rows: [Box<RowTable>; 2],
    heads: [LineHead; 2],
}

impl LineNetwork {
    /// Lays out `weights`. Embeddings of windows without stones count as zero.
    pub fn new(weights: &LineWeights) -> LineNetwork {
        let colors = [0, 1].map(|color| &weights.colors[color % weights.colors.len()]);
        let embeddings = colors.map(|color| &color.embeddings);
        let swapped = swapped_numbers();
        let row = |group: usize, number: usize| {
            let mut row = Row::ZERO;
            let [black, white] = embeddings.map(|colors| &colors[group]);
            let seen = [&black[number], &white[swapped[number] as usize]];
            for (color, embedding) in Color::ALL.into_iter().zip(seen) {
                let [relu, screlu] = slots(color);
                row.0[relu].copy_from_slice(&embedding[..RELU_CHANNELS]);
                row.0[screlu].copy_from_slice(&embedding[RELU_CHANNELS..]);
            }
            row
        };
        let rows = [0, 1].map(|group| {
            // Number zero is the window without stones.
            let mut table = vec![Row::ZERO; ROWS].into_boxed_slice();
            for number in 1..WINDOWS {
                table[number] = row(group, number);
            }
            table
                .try_into()
                .unwrap_or_else(|_| unreachable!("a row for each number"))
        });
        LineNetwork {
            rule: weights.rule,
            checksum: weights.checksum(),
            numbers: numbers_of_bits(),
            rows,
            heads: colors.map(|color| color.head.clone()),
        }
    }

    /// Returns the rule that the network is for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns a checksum that tells the network from others.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the number of a window by its bits. Bits beyond the window don't matter.
    #[inline(always)]
    pub(super) fn number(&self, bits: u64) -> usize {
        usize::from(self.numbers[bits as usize % self.numbers.len()]) % ROWS
    }

    /// Returns the rows of windows in a direction, by their numbers.
    #[inline(always)]
    pub(super) fn rows(&self, direction: Direction) -> &RowTable {
        &self.rows[usize::from(direction.is_diagonal())]
    }

    /// Returns the head with `side` to move.
    #[inline(always)]
    pub(super) fn head(&self, side: Color) -> &LineHead {
        &self.heads[side.index()]
    }
}
