//! The weights of a line network, laid out for evaluating.

use super::format::LineWeights;
use super::head::LineHead;
use super::row::{LINE_CHANNELS, Row};
use super::window::{
    WINDOW_INDICES, all_windows, has_stone, mirror_window, swapped_numbers, window_index,
};
use crate::rules::{Color, Direction, Rule};

/// A line network for one rule.
pub struct LineNetwork {
    rule: Rule,
    checksum: u32,
    /// Along rows and columns, then along diagonals, by [`window_index`].
    rows: [Box<[Row; WINDOW_INDICES]>; 2],
    heads: [LineHead; 2],
}

impl LineNetwork {
    /// Lays out `weights`. Embeddings of windows without stones count as zero.
    pub fn new(weights: &LineWeights) -> LineNetwork {
        let colors = [0, 1].map(|color| &weights.colors[color % weights.colors.len()]);
        let embeddings = colors.map(|color| &color.embeddings);
        let (windows, swapped) = (all_windows(), swapped_numbers());
        let row = |group: usize, number: usize| {
            let mut row = Row::ZERO;
            let [black, white] = embeddings.map(|colors| &colors[group]);
            row.0[..LINE_CHANNELS].copy_from_slice(&black[number]);
            row.0[LINE_CHANNELS..].copy_from_slice(&white[swapped[number] as usize]);
            row
        };
        let table = |group| {
            let mut table = vec![Row::ZERO; WINDOW_INDICES];
            for (number, &window) in windows.iter().enumerate() {
                if has_stone(window) {
                    for window in [window, mirror_window(window)] {
                        table[usize::from(window_index(window))] = row(group, number);
                    }
                }
            }
            let table = table.into_boxed_slice().try_into();
            table.unwrap_or_else(|_| unreachable!("a row for each index"))
        };
        LineNetwork {
            rule: weights.rule,
            checksum: crc32fast::hash(&weights.to_bytes()),
            rows: [0, 1].map(table),
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

    /// Returns the rows of windows in a direction, by [`window_index`].
    #[inline(always)]
    pub(super) fn rows(&self, direction: Direction) -> &[Row; WINDOW_INDICES] {
        &self.rows[usize::from(matches!(direction, Direction::Rising | Direction::Falling))]
    }

    /// Returns the head with `side` to move.
    #[inline(always)]
    pub(super) fn head(&self, side: Color) -> &LineHead {
        &self.heads[side.index()]
    }
}
