//! The weights of a line network, laid out for evaluating.

use super::format::LineWeights;
use super::head::LineHead;
use super::row::{LINE_CHANNELS, Row};
use super::simd::InstructionSet;
use super::window::{
    WINDOW_BITS, WINDOW_RADIUS, has_stone, swapped_numbers, window_number, without_beyond,
};
use crate::rules::{Color, Direction, Rule};
use bytemuck::allocation::zeroed_slice_box;
use std::sync::Arc;

/// The rows of all windows by their bits. It is large and mostly empty, and nothing is
/// looked up to find a row.
pub(super) type RowTable = [Row; 1 << WINDOW_BITS];

/// A line network for one rule. Clones share the rows.
#[derive(Clone)]
pub struct LineNetwork {
    rule: Rule,
    checksum: u32,
    /// Along rows and columns, then along diagonals, by the bits of the window.
    rows: Arc<[Box<RowTable>; 2]>,
    heads: [LineHead; 2],
    instructions: InstructionSet,
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
            row.0[..LINE_CHANNELS].copy_from_slice(&black[number]);
            row.0[LINE_CHANNELS..].copy_from_slice(&white[swapped[number] as usize]);
            row
        };
        let mut tables = [0, 1].map(|_| zeroed_slice_box(1 << WINDOW_BITS));
        for bits in 0..1 << WINDOW_BITS {
            // Where the centre has no bits there is no window, and memory that is not
            // written to is not taken.
            if bits >> (2 * WINDOW_RADIUS) & 3 == 0 {
                continue;
            }
            let window = without_beyond(bits);
            if has_stone(window) {
                let number = window_number(window);
                for (group, table) in tables.iter_mut().enumerate() {
                    table[bits as usize] = row(group, number);
                }
            }
        }
        let whole = |table: Box<[Row]>| {
            let table = table.try_into();
            table.unwrap_or_else(|_| unreachable!("a row for each window"))
        };
        LineNetwork {
            rule: weights.rule,
            checksum: crc32fast::hash(&weights.to_bytes()),
            rows: Arc::new(tables.map(whole)),
            heads: colors.map(|color| color.head.clone()),
            instructions: InstructionSet::best(),
        }
    }

    /// Returns the network for other instructions than the best of this machine. It gives
    /// the same values.
    pub fn with_instructions(mut self, instructions: InstructionSet) -> LineNetwork {
        self.instructions = instructions;
        self
    }

    /// Returns the instructions that the network is evaluated with.
    #[inline(always)]
    pub(super) fn instructions(&self) -> InstructionSet {
        self.instructions
    }

    /// Returns the rule that the network is for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns a checksum that tells the network from others.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the rows of windows in a direction, by their bits.
    #[inline(always)]
    pub(super) fn rows(&self, direction: Direction) -> &RowTable {
        &self.rows[usize::from(matches!(direction, Direction::Rising | Direction::Falling))]
    }

    /// Returns the head with `side` to move.
    #[inline(always)]
    pub(super) fn head(&self, side: Color) -> &LineHead {
        &self.heads[side.index()]
    }
}
