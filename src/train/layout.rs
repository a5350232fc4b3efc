//! Where each number of the tables lies among the parameters of a fit, and
//! what it is made of.
//!
//! A code's number is the sum of a weight for each of its shapes, one for its
//! class, and a weight of its own. Only the last is pulled towards zero hard:
//! a code that was hardly ever seen is then worth what its shapes and class
//! are worth. Threat sets are made of single threats in the same way.

use crate::eval::{EvalTables, THREAT_NAMES, THREAT_SETS};
use crate::pattern::{CODES, Class, Code, Merger, Shape};
use crate::rules::{Color, Rule};

/// The slots of one rule's tables. Values come first, then threats; move
/// scores are fitted apart and count from zero again.
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
        color.index() % self.colors
    }

    /// The slot of a code's value to `color` while it is to move, or not.
    #[inline]
    pub fn value(self, color: Color, is_moving: bool, code: Code) -> usize {
        (2 * self.block(color) + usize::from(is_moving)) * CODES + code.index()
    }

    /// The slot of a set of threats.
    #[inline]
    pub fn threats(self, side: Color, set: usize) -> usize {
        2 * self.colors * CODES + self.block(side) * THREAT_SETS + set
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

    /// What the slots of values and threats are made of.
    pub fn value_parts(self) -> Parts {
        let mut parts = Parts::default();
        for color in 0..self.colors {
            for _waiting_and_moving in 0..2 {
                parts.add_codes(self.rule.forbids(Color::ALL[color]));
            }
        }
        for _ in 0..self.colors {
            parts.add_threats();
        }
        parts
    }

    /// What the slots of move scores are made of.
    pub fn move_parts(self) -> Parts {
        let mut parts = Parts::default();
        for _attack_and_defence in 0..2 {
            for color in 0..self.colors {
                parts.add_codes(self.rule.forbids(Color::ALL[color]));
            }
        }
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

    fn add_codes(&mut self, forbids: bool) {
        let merger = Merger::shared();
        let first = self.count;
        self.count += Shape::ALL.len() + Class::ALL.len();
        for code in Code::all() {
            let class = merger.classes(forbids)[code.index()];
            for shape in merger.shapes(code) {
                // Nothing at all is worth nothing.
                if shape != Shape::Dead {
                    self.shared.push((first + shape as usize) as u16);
                }
            }
            if let Some(number) = Class::ALL.iter().position(|&c| c == class)
                && class != Class::None
            {
                self.shared.push((first + Shape::ALL.len() + number) as u16);
            }
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
