//! The packed tables of a rule, filled once from the classifier.

use super::{Classifier, Merger, Shape};
use crate::rules::{Color, Rule};
use std::sync::OnceLock;

/// How many points on each side of a point decide its shapes under `rule`.
///
/// A five reaches four points; where six is not a win, the fifth matters too.
pub const fn radius(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 4,
        _ => 5,
    }
}

/// The shapes of both colours for every line around a point.
pub struct LineTable {
    radius: usize,
    /// Black's shape in the low four bits, white's in the high four.
    pairs: Box<[u8]>,
}

impl LineTable {
    fn build(rule: Rule) -> LineTable {
        let radius = radius(rule);
        let mut black = Classifier::new(rule, Color::Black, radius);
        // Only renju treats the colours differently.
        let mut white = rule
            .forbids(Color::Black)
            .then(|| Classifier::new(rule, Color::White, radius));
        let pairs = (0..1u32 << (4 * radius))
            .map(|key| {
                let mirrored = swap_colors(key);
                let whites = match &mut white {
                    Some(white) => white.shape(mirrored),
                    None => black.shape(mirrored),
                };
                black.shape(key) as u8 | (whites as u8) << 4
            })
            .collect();
        LineTable { radius, pairs }
    }

    /// Both colours' shapes for the line with this key (two bits a point, the
    /// centre left out, first point lowest): black's in the low four bits.
    #[inline]
    pub fn pair(&self, key: usize) -> u8 {
        self.pairs[key]
    }

    /// All pairs: `1 << (4 * radius)` of them.
    #[inline]
    pub fn pairs(&self) -> &[u8] {
        &self.pairs
    }

    /// Points on each side of the centre.
    #[inline]
    pub fn radius(&self) -> usize {
        self.radius
    }

    /// The shape of `color` for the line with this key.
    #[inline]
    pub fn shape(&self, key: usize, color: Color) -> Shape {
        Shape::from_number(self.pairs[key] >> (4 * color.index()))
    }
}

/// The same line with black and white exchanged.
const fn swap_colors(key: u32) -> u32 {
    (key & 0x5555_5555) << 1 | (key >> 1 & 0x5555_5555)
}

/// Everything about a rule's patterns that a position looks up.
pub struct Tables {
    /// Lines to shapes.
    pub lines: LineTable,
    /// Shapes to codes and classes.
    pub merger: &'static Merger,
}

impl Tables {
    /// The tables of `rule`, made at the first call of the process
    /// (milliseconds) and shared from then on.
    pub fn of(rule: Rule) -> &'static Tables {
        static TABLES: [OnceLock<Tables>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        TABLES[rule as usize].get_or_init(|| Tables {
            lines: LineTable::build(rule),
            merger: Merger::shared(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_mirror_where_the_rule_is_the_same_for_both() {
        for rule in [Rule::Freestyle, Rule::ExactFive, Rule::Caro] {
            let lines = &Tables::of(rule).lines;
            for key in (0..lines.pairs().len()).step_by(7) {
                let mirrored = swap_colors(key as u32) as usize;
                assert_eq!(
                    lines.shape(key, Color::Black),
                    lines.shape(mirrored, Color::White)
                );
            }
        }
    }

    #[test]
    fn a_line_read_backwards_has_the_same_shape() {
        for rule in Rule::ALL {
            let lines = &Tables::of(rule).lines;
            let points = 2 * lines.radius();
            for key in (0..lines.pairs().len()).step_by(5) {
                let backwards = (0..points).fold(0, |acc, i| acc << 2 | (key >> (2 * i) & 3));
                assert_eq!(lines.pair(key), lines.pair(backwards), "{rule} {key:b}");
            }
        }
    }
}
