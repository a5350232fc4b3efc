//! The packed tables of a rule, filled once from the classifier.

use super::{Cell, Classifier, Merger, Shape};
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
        let (before, after) = (Halves::new(radius, true), Halves::new(radius, false));
        let shapes_of = |color| {
            let mut classifier = Classifier::new(rule, color, radius);
            let line = |after: &u32, before: &u32| after << (2 * radius) | before;
            let lines = (after.kinds.iter())
                .map(|after| before.kinds.iter().map(move |before| line(after, before)));
            lines
                .map(|row| row.map(|key| classifier.shape(key) as u8).collect())
                .collect()
        };
        let black: Vec<Vec<u8>> = shapes_of(Color::Black);
        // Only renju treats the colours differently.
        let white = if rule.forbids(Color::Black) {
            shapes_of(Color::White)
        } else {
            black.clone()
        };
        let half = 1usize << (2 * radius);
        let mut pairs = Vec::with_capacity(half * half);
        for high in 0..half {
            let swapped = swap_colors(high as u32) as usize;
            let black = &black[after.kind_of[high]];
            let white = &white[after.kind_of[swapped]];
            pairs.extend((0..half).map(|low| {
                let swapped = swap_colors(low as u32) as usize;
                black[before.kind_of[low]] | white[before.kind_of[swapped]] << 4
            }));
        }
        LineTable {
            radius,
            pairs: pairs.into(),
        }
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

/// The halves of lines on one side of the centre, sorted by what can be seen of
/// them: nothing beyond the first point that blocks matters. That leaves some
/// dozens of kinds, which is why the tables take no time to fill.
struct Halves {
    /// One half of each kind.
    kinds: Vec<u32>,
    /// The number of each half's kind.
    kind_of: Vec<usize>,
}

impl Halves {
    /// All halves of `radius` points; `before` says that the point nearest to
    /// the centre is the last one.
    fn new(radius: usize, before: bool) -> Halves {
        let mut halves = Halves {
            kinds: Vec::new(),
            kind_of: Vec::new(),
        };
        for half in 0..1u32 << (2 * radius) {
            let mut blocker = None;
            let mut seen = 0;
            for step in 0..radius {
                let slot = 2 * if before { radius - 1 - step } else { step };
                let cell = blocker.unwrap_or(half >> slot & 3);
                if cell == Cell::Wall as u32 || cell == Cell::Enemy as u32 {
                    blocker = Some(cell);
                }
                seen |= cell << slot;
            }
            let known = halves.kinds.iter().position(|&kind| kind == seen);
            halves.kind_of.push(known.unwrap_or(halves.kinds.len()));
            if known.is_none() {
                halves.kinds.push(seen);
            }
        }
        halves
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

    /// The tables know only kinds of halves; the classifier every line.
    #[test]
    fn tables_are_what_the_classifier_says() {
        for rule in Rule::ALL {
            let lines = &Tables::of(rule).lines;
            for color in Color::ALL {
                let mut classifier = Classifier::new(rule, color, lines.radius());
                for key in 0..lines.pairs().len() {
                    let seen = match color {
                        Color::Black => key as u32,
                        Color::White => swap_colors(key as u32),
                    };
                    assert_eq!(
                        lines.shape(key, color),
                        classifier.shape(seen),
                        "{rule} {key:b}"
                    );
                }
            }
        }
    }

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
