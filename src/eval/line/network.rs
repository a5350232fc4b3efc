//! The weights of a line network, laid out for evaluating.

use super::format::LineWeights;
use super::head::LineHead;
use super::row::{LINE_CHANNELS, ROW_LIMIT, Row};
use super::window::{WINDOWS, all_windows, has_stone, swapped_numbers};
use crate::rules::{Color, Direction, Rule};

/// A line network for one rule.
pub struct LineNetwork {
    rule: Rule,
    checksum: u32,
    rows: [Box<[Row]>; 2],
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
            if has_stone(windows[number]) {
                let [black, white] = embeddings.map(|colors| &colors[group]);
                row.0[..LINE_CHANNELS].copy_from_slice(&black[number]);
                row.0[LINE_CHANNELS..].copy_from_slice(&white[swapped[number] as usize]);
            }
            row.0 = row.0.map(|number| number.clamp(-ROW_LIMIT, ROW_LIMIT));
            row
        };
        LineNetwork {
            rule: weights.rule,
            checksum: crc32fast::hash(&weights.to_bytes()),
            rows: [0, 1].map(|group| (0..WINDOWS).map(|number| row(group, number)).collect()),
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

    /// Returns the rows of windows in a direction, by number.
    #[inline]
    pub(super) fn rows(&self, direction: Direction) -> &[Row] {
        &self.rows[usize::from(matches!(direction, Direction::Rising | Direction::Falling))]
    }

    /// Returns the head with `side` to move.
    #[inline]
    pub(in crate::eval) fn head(&self, side: Color) -> &LineHead {
        &self.heads[side.index()]
    }
}
