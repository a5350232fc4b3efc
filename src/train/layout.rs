//! Where each number of the tables lies among the parameters of a fit, and
//! what it is made of.
//!
//! A code's number is the sum of a weight for each of its shapes, one for its
//! class, and a weight of its own. Only the last is pulled towards zero hard:
//! a code that was hardly ever seen is then worth what its shapes and class
//! are worth. Threat sets are made of single threats in the same way. Pairs of
//! classes, places and the weights of the network have nothing in common and are
//! pulled as gently as what is shared.

use crate::eval::{EvalTables, HEAD_NUMBERS, LANES, PLACES, THREAT_NAMES, THREAT_SETS};
use crate::pattern::{CODES, Class, Code, Merger, PAIRS, Pair, Shape};
use crate::rules::{Color, Rule};

/// Rows of lanes of one colour: its codes', then its pairs'.
const ROWS: usize = CODES + PAIRS;

/// The slots of one rule's tables. The lanes come first, a row of them for every
/// code and every pair of classes, then threats, then heads; move scores are
/// fitted apart and count from zero again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    rule: Rule,
    colors: usize,
}

impl Layout {
    /// The layout of `rule`: one table where the rule treats both colours
    /// alike, else one for each.
    pub fn of(rule: Rule) -> Layout {
        Layout {
            rule,
            colors: EvalTables::colors(rule),
        }
    }

    /// How many colours have numbers of their own: one or two.
    pub fn colors(self) -> usize {
        self.colors
    }

    #[inline]
    fn block(self, color: Color) -> usize {
        EvalTables::owner(self.rule, color)
    }

    /// Which row of lanes is that of a code of `color`: it begins at [`LANES`]
    /// times that.
    #[inline]
    pub fn code_row(self, color: Color, code: Code) -> usize {
        self.block(color) * ROWS + code.index()
    }

    /// Which is that of a pair.
    #[inline]
    pub fn pair_row(self, color: Color, pair: Pair) -> usize {
        self.block(color) * ROWS + CODES + pair.index()
    }

    /// How many rows there are, of all colours.
    #[inline]
    pub fn rows(self) -> usize {
        self.colors * ROWS
    }

    /// The slot of a set of threats.
    #[inline]
    pub fn threats(self, side: Color, set: usize) -> usize {
        self.rows() * LANES + self.block(side) * THREAT_SETS + set
    }

    /// The first slot of the head for `side` to move.
    #[inline]
    pub fn head(self, side: Color) -> usize {
        self.rows() * LANES + self.colors * THREAT_SETS + self.block(side) * HEAD_NUMBERS
    }

    /// The slot of an attack score.
    #[inline]
    pub fn attack(self, color: Color, code: Code) -> usize {
        self.block(color) * CODES + code.index()
    }

    /// The slot of a defence score.
    #[inline]
    pub fn defence(self, color: Color, code: Code) -> usize {
        self.colors * CODES + self.attack(color, code)
    }

    /// The slot of what doing both at once adds to a move of `side`.
    #[inline]
    pub fn both(self, side: Color, pair: Pair) -> usize {
        2 * self.colors * CODES + self.block(side) * PAIRS + pair.index()
    }

    /// The slot of what a move of `side` gets for its [`crate::eval::place`] as seen
    /// from the opponent's last stone (0) or its own (1).
    #[inline]
    pub fn near(self, side: Color, whose: usize, place: usize) -> usize {
        let first = self.colors * (2 * CODES + PAIRS);
        first + (self.block(side) * 2 + whose) * PLACES + place
    }

    /// What the slots of lanes, threats and heads are made of.
    pub fn value_parts(self) -> Parts {
        let mut parts = Parts::default();
        for color in 0..self.colors {
            parts.add_codes(self.rule.forbids(Color::ALL[color]), LANES);
            parts.add_free(PAIRS * LANES);
        }
        for _ in 0..self.colors {
            parts.add_threats();
        }
        parts.add_free(self.colors * HEAD_NUMBERS);
        parts
    }

    /// What the slots of move scores are made of.
    pub fn move_parts(self) -> Parts {
        let mut parts = Parts::default();
        for _attack_and_defence in 0..2 {
            for color in 0..self.colors {
                parts.add_codes(self.rule.forbids(Color::ALL[color]), 1);
            }
        }
        parts.add_free(self.colors * (PAIRS + 2 * PLACES));
        parts
    }
}

/// What slots are made of: besides a weight of its own each has some of the
/// shared weights.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The shared weights of each slot, one after another.
    shared: Vec<u16>,
    /// Where each slot's end.
    ends: Vec<u32>,
    /// How many shared weights there are.
    count: usize,
}

impl Parts {
    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.ends.len()
    }

    /// How many shared weights there are.
    pub fn shared(&self) -> usize {
        self.count
    }

    /// The shared weights of a slot.
    #[inline]
    pub fn of(&self, slot: usize) -> &[u16] {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.shared[start as usize..self.ends[slot] as usize]
    }

    /// Slots for so many numbers of every code.
    fn add_codes(&mut self, forbids: bool, numbers: usize) {
        let merger = Merger::shared();
        let first = self.count;
        self.count += numbers * (Shape::ALL.len() + Class::ALL.len());
        for code in Code::all() {
            let class = merger.classes(forbids)[code.index()];
            let class = Class::ALL.iter().position(|&c| c == class);
            for number in 0..numbers {
                let mut share = |part: usize| {
                    self.shared.push((first + part * numbers + number) as u16);
                };
                // Nothing at all is worth nothing.
                for shape in merger.shapes(code) {
                    if shape != Shape::Dead {
                        share(shape as usize);
                    }
                }
                if let Some(class) = class
                    && Class::ALL[class] != Class::None
                {
                    share(Shape::ALL.len() + class);
                }
                self.ends.push(self.shared.len() as u32);
            }
        }
    }

    /// Slots that have nothing in common with others.
    fn add_free(&mut self, slots: usize) {
        for _ in 0..slots {
            self.shared.push(self.count as u16);
            self.count += 1;
            self.ends.push(self.shared.len() as u32);
        }
    }

    fn add_threats(&mut self) {
        let first = self.count;
        let bits = THREAT_NAMES.len();
        self.count += bits + 1;
        for set in 0..THREAT_SETS {
            let present = (0..bits).filter(|bit| set >> bit & 1 != 0);
            self.shared.extend(present.map(|bit| (first + bit) as u16));
            // Having the move.
            self.shared.push((first + bits) as u16);
            self.ends.push(self.shared.len() as u32);
        }
    }
}
