//! The numbers of the classical evaluation, by rule.
//!
//! Lanes, an attack score and a defence score for every code, lanes and a move
//! score for every pair of classes, move scores for places near the last stones, a value for every set of present threats, and the weights of
//! the network over the lanes. Where a rule has learned tables they are part of
//! the program; the others' are spread from a few dozen weights set by hand, one
//! for each shape and class.

use super::head::{HEAD_NUMBERS, LANES, MOVING, VALUE_SCALE, WAITING};
use super::moves::PLACES;
use crate::pattern::{CODE_TABLE, Class, Code, Merger, PAIRS, Shape};
use crate::rules::{Color, Rule};

/// How many sets of present threats are told apart.
pub const THREAT_SETS: usize = 1 << 11;

/// Learned tables by rule; see [`super::store`] for their format.
const LEARNED: [Option<&[u8]>; Rule::ALL.len()] = [
    Some(include_bytes!("learned/freestyle.tables")),
    Some(include_bytes!("learned/standard.tables")),
    Some(include_bytes!("learned/renju.tables")),
    Some(include_bytes!("learned/caro.tables")),
    Some(include_bytes!("learned/caro-overline.tables")),
];

/// What an empty point is to a colour, in units over [`VALUE_SCALE`]: its
/// values in the lanes [`MOVING`] and [`WAITING`], what else the network knows
/// of it in the others.
pub type Lanes = [i16; LANES];

/// The evaluation of one rule. All numbers but the lanes and heads are in units
/// of [`super::Score`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalTables {
    /// The rule they are for.
    pub rule: Rule,
    /// By colour and code.
    pub lanes: [Box<[Lanes; CODE_TABLE]>; 2],
    /// By colour and pair of its class and its opponent's: what is added to the
    /// lanes of the code.
    pub pairs: [Box<[Lanes; PAIRS]>; 2],
    /// By colour and code: how good a move there looks for what it makes.
    pub attack: [Box<[i16; CODE_TABLE]>; 2],
    /// By the opponent's colour and code: how good for what it prevents.
    pub defence: [Box<[i16; CODE_TABLE]>; 2],
    /// By the colour to move and pair of its class and its opponent's: how much
    /// better a move there is for making and preventing something at once.
    pub both: [Box<[i16; PAIRS]>; 2],
    /// By the colour to move and [`super::place`]: how good a move is there as seen
    /// from the opponent's last stone, and from its own.
    pub near: [Box<[[i16; PLACES]; 2]>; 2],
    /// By the colour to move and the set of threats on the board.
    pub threats: [Box<[i16; THREAT_SETS]>; 2],
    /// By the colour to move: the weights of the network over the lanes, in
    /// parts of [`super::head::HEAD_SCALE`].
    pub heads: [Box<[i16; HEAD_NUMBERS]>; 2],
}

/// Weights by shape, in the order of [`Shape::ALL`].
struct ShapeWeights {
    value: [i32; 14],
    attack: [i32; 14],
    defence: [i32; 14],
}

/// Weights by class, in the order of [`Class::ALL`].
struct ClassWeights {
    value: [i32; 14],
    attack: [i32; 14],
    defence: [i32; 14],
}

const SHAPES: ShapeWeights = ShapeWeights {
    value: [0, 0, 0, 1, 1, 3, 4, 4, 4, 8, 9, 6, 10, 0],
    attack: [0, 0, 1, 4, 8, 22, 26, 28, 24, 60, 66, 40, 200, 400],
    defence: [0, 0, 0, 2, 5, 14, 17, 18, 16, 42, 48, 30, 160, 300],
};

const CLASSES: ClassWeights = ClassWeights {
    value: [0, 0, 0, 0, 3, 2, 3, 8, 20, 2, 8, 40, 60, 0],
    attack: [0, 0, 0, 0, 14, 14, 0, 30, 160, 10, 40, 300, 500, 900],
    defence: [0, 0, 0, 0, 10, 10, 0, 24, 120, 0, 30, 200, 400, 800],
};

/// What each threat is worth to the side to move; see [`super::threat_set`] for the
/// order.
const THREATS: [i32; 11] = [-150, 300, -60, 150, 90, 70, 40, -40, -40, -35, -30];

/// What having the move is worth by itself.
const TEMPO: i32 = 20;

/// Names of the threats in the order of their bits in a threat set.
pub const THREAT_NAMES: [&str; 11] = [
    "opponent has a five",
    "own open four",
    "opponent's open four",
    "own four-three",
    "own four-plus",
    "own four",
    "own three-plus",
    "opponent's four-three",
    "opponent's four-plus",
    "opponent's four",
    "opponent's three-plus",
];

impl EvalTables {
    /// The tables that are part of the program.
    pub(super) fn learned(rule: Rule) -> EvalTables {
        LEARNED[rule as usize]
            .and_then(|bytes| EvalTables::from_bytes(bytes).ok())
            .unwrap_or_else(|| EvalTables::hand_set(rule))
    }

    /// How many colours have tables of their own under `rule`: one where it
    /// treats both alike, else two.
    pub fn colors(rule: Rule) -> usize {
        if rule == Rule::Renju { 2 } else { 1 }
    }

    /// The place of the tables of `color` among those of both colours: where
    /// both have the same there is no need to keep two in the cache.
    pub fn owner(rule: Rule, color: Color) -> usize {
        color.index() % EvalTables::colors(rule)
    }

    /// Tables in which everything is worth nothing.
    pub fn zero(rule: Rule) -> EvalTables {
        let codes = || Color::ALL.map(|_| Box::new([0; CODE_TABLE]));
        EvalTables {
            rule,
            lanes: Color::ALL.map(|_| Box::new([[0; LANES]; CODE_TABLE])),
            pairs: Color::ALL.map(|_| Box::new([[0; LANES]; PAIRS])),
            attack: codes(),
            defence: codes(),
            both: Color::ALL.map(|_| Box::new([0; PAIRS])),
            near: Color::ALL.map(|_| Box::new([[0; PLACES]; 2])),
            threats: Color::ALL.map(|_| Box::new([0; THREAT_SETS])),
            heads: Color::ALL.map(|_| Box::new([0; HEAD_NUMBERS])),
        }
    }

    /// The same numbers for another rule. Where that treats both colours alike
    /// they have black's.
    pub fn for_rule(&self, rule: Rule) -> EvalTables {
        let mut tables = self.clone();
        tables.rule = rule;
        if EvalTables::colors(rule) == 1 {
            tables.lanes[1] = tables.lanes[0].clone();
            tables.pairs[1] = tables.pairs[0].clone();
            tables.heads[1] = tables.heads[0].clone();
            for table in [&mut tables.attack, &mut tables.defence] {
                table[1] = table[0].clone();
            }
            tables.both[1] = tables.both[0].clone();
            tables.near[1] = tables.near[0].clone();
            tables.threats[1] = tables.threats[0].clone();
        }
        tables
    }

    /// Takes the move scores of `other`, which is for the same rule.
    pub fn take_moves(&mut self, other: EvalTables) {
        (self.attack, self.defence) = (other.attack, other.defence);
        (self.both, self.near) = (other.both, other.near);
    }

    /// The tables before anything was learned.
    pub fn hand_set(rule: Rule) -> EvalTables {
        let by_code = |shapes: &[i32; 14], classes: &[i32; 14]| {
            Color::ALL.map(|color| spread(rule.forbids(color), shapes, classes))
        };
        let mut threats = Box::new([0; THREAT_SETS]);
        for (set, value) in threats.iter_mut().enumerate() {
            let sum: i32 = (0..THREATS.len())
                .filter(|bit| set >> bit & 1 != 0)
                .map(|bit| THREATS[bit])
                .sum();
            *value = (TEMPO + sum) as i16;
        }
        let finer = |weights: &[i32; 14]| weights.map(|weight| weight * VALUE_SCALE);
        EvalTables {
            rule,
            lanes: by_code(&finer(&SHAPES.value), &finer(&CLASSES.value)).map(|values| {
                Box::new(values.map(|worth| {
                    let mut lanes = [0; LANES];
                    lanes[MOVING] = worth;
                    lanes[WAITING] = worth;
                    lanes
                }))
            }),
            attack: by_code(&SHAPES.attack, &CLASSES.attack),
            defence: by_code(&SHAPES.defence, &CLASSES.defence),
            threats: [threats.clone(), threats],
            ..EvalTables::zero(rule)
        }
    }
}

/// A number for every code: its shapes' weights and its class's.
fn spread(forbids: bool, shapes: &[i32; 14], classes: &[i32; 14]) -> Box<[i16; CODE_TABLE]> {
    let merger = Merger::shared();
    let mut table = Box::new([0; CODE_TABLE]);
    for code in Code::all() {
        let class = merger.classes(forbids)[code.index()];
        if class == Class::Forbidden {
            continue;
        }
        let of_shapes: i32 = merger
            .shapes(code)
            .iter()
            .map(|&shape| shapes[shape as usize])
            .sum();
        let of_class = Class::ALL
            .iter()
            .zip(classes)
            .find(|(c, _)| **c == class)
            .map_or(0, |(_, w)| *w);
        table[code.index()] = (of_shapes + of_class) as i16;
    }
    table
}

const _: () = assert!(Shape::ALL.len() == 14 && Class::ALL.len() == 14);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learned_tables_are_whole_and_of_their_rule() {
        for (rule, bytes) in Rule::ALL.into_iter().zip(LEARNED) {
            if let Some(bytes) = bytes {
                let tables = EvalTables::from_bytes(bytes).expect("whole tables");
                assert_eq!(tables.rule, rule);
            }
        }
    }
}
