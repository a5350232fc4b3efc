//! The lookup tables of a rule, filled once from the classifier.

use super::classify::{Cell, Classifier};
use super::code::CodeTable;
use super::shape::Shape;
use crate::rules::{Color, Rule};
use std::sync::OnceLock;

/// Returns how many points on each side of a point decide its shapes under `rule`.
///
/// A five reaches four points. Where six in a row are not a win, the fifth point
/// matters too.
pub(crate) const fn radius(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 4,
        _ => 5,
    }
}

/// The shapes of both colours for every window.
pub(crate) struct LineTable {
    radius: usize,
    /// By key: black's shape in the low four bits, white's in the high four.
    both: Box<[u8]>,
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
        let mut both = Vec::with_capacity(half * half);
        for high in 0..half {
            let swapped = swap_colors(high as u32) as usize;
            let black = &black[after.kind_of[high]];
            let white = &white[after.kind_of[swapped]];
            both.extend((0..half).map(|low| {
                let swapped = swap_colors(low as u32) as usize;
                black[before.kind_of[low]] | white[before.kind_of[swapped]] << 4
            }));
        }
        LineTable {
            radius,
            both: both.into(),
        }
    }

    /// Returns both colours' shapes for the window with this key, black's in the low
    /// four bits. A key has two bits a point without the centre, the first point in
    /// the lowest bits.
    #[inline]
    pub(crate) fn both(&self, key: usize) -> u8 {
        self.both[key]
    }

    /// Returns the whole table, which has `1 << (4 * radius)` entries.
    #[inline]
    pub(crate) fn both_colors(&self) -> &[u8] {
        &self.both
    }

    /// Returns the number of points on each side of the centre.
    #[inline]
    pub(crate) fn radius(&self) -> usize {
        self.radius
    }

    /// Returns the shape of `color` for the window with this key.
    #[inline]
    pub(crate) fn shape(&self, key: usize, color: Color) -> Shape {
        Shape::from_number(self.both[key] >> (4 * color.index()))
    }
}

/// The halves of windows on one side of the centre, grouped into kinds: nothing
/// beyond the first point that blocks matters. There are only some dozens of kinds,
/// which is why the tables are filled in milliseconds.
struct Halves {
    /// One half of each kind.
    kinds: Vec<u32>,
    /// The kind of each half.
    kind_of: Vec<usize>,
}

impl Halves {
    /// Groups all halves of `radius` points. In halves before the centre, the last
    /// point is the nearest to it.
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

/// Swaps black and white in a key.
const fn swap_colors(key: u32) -> u32 {
    (key & 0x5555_5555) << 1 | (key >> 1 & 0x5555_5555)
}

/// The tables of a rule that a position looks up.
pub(crate) struct PatternTables {
    /// The shapes of windows.
    pub(crate) lines: LineTable,
    /// The codes of shapes and the classes of codes.
    pub(crate) codes: &'static CodeTable,
}

impl PatternTables {
    /// Returns the tables of `rule`. The first call in the process fills them, in
    /// milliseconds.
    pub(crate) fn of(rule: Rule) -> &'static PatternTables {
        static TABLES: [OnceLock<PatternTables>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        TABLES[rule as usize].get_or_init(|| PatternTables {
            lines: LineTable::build(rule),
            codes: CodeTable::shared(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables group halves into kinds; the classifier does not.
    #[test]
    fn tables_are_what_the_classifier_says() {
        for rule in Rule::ALL {
            let lines = &PatternTables::of(rule).lines;
            for color in Color::ALL {
                let mut classifier = Classifier::new(rule, color, lines.radius());
                for key in 0..lines.both_colors().len() {
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
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Caro] {
            let lines = &PatternTables::of(rule).lines;
            for key in (0..lines.both_colors().len()).step_by(7) {
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
            let lines = &PatternTables::of(rule).lines;
            let points = 2 * lines.radius();
            for key in (0..lines.both_colors().len()).step_by(5) {
                let backwards = (0..points).fold(0, |acc, i| acc << 2 | (key >> (2 * i) & 3));
                assert_eq!(lines.both(key), lines.both(backwards), "{rule} {key:b}");
            }
        }
    }
}
