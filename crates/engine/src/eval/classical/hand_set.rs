//! Tables before training: spread from a few dozen numbers set by hand, one for
//! each shape and class.

use super::embedding::{EMBEDDING_DIM, EMBEDDING_SCALE, OPPONENT, SIDE_TO_MOVE};
use super::tables::EvalTables;
use super::threats::{THREAT_NAMES, THREAT_SETS};
use crate::pattern::{Class, Code, CodeTable, PADDED_CODES, Shape};
use crate::rules::{Color, Rule};

/// Numbers by shape, in the order of [`Shape::ALL`], or by class, in the order of
/// [`Class::ALL`].
struct Numbers {
    value: [i32; 14],
    attack: [i32; 14],
    defence: [i32; 14],
}

const _: () = assert!(Shape::ALL.len() == 14 && Class::ALL.len() == 14);

const SHAPES: Numbers = Numbers {
    value: [0, 0, 0, 1, 1, 3, 4, 4, 4, 8, 9, 6, 10, 0],
    attack: [0, 0, 1, 4, 8, 22, 26, 28, 24, 60, 66, 40, 200, 400],
    defence: [0, 0, 0, 2, 5, 14, 17, 18, 16, 42, 48, 30, 160, 300],
};

const CLASSES: Numbers = Numbers {
    value: [0, 0, 0, 0, 3, 2, 3, 8, 20, 2, 8, 40, 60, 0],
    attack: [0, 0, 0, 0, 14, 14, 0, 30, 160, 10, 40, 300, 500, 900],
    defence: [0, 0, 0, 0, 10, 10, 0, 24, 120, 0, 30, 200, 400, 800],
};

/// The value of each threat to the side to move, in the order of
/// [`THREAT_NAMES`].
const THREATS: [i32; THREAT_NAMES.len()] = [-150, 300, -60, 150, 90, 70, 40, -40, -40, -35, -30];

/// The value of having the move.
const TEMPO: i32 = 20;

impl EvalTables {
    /// Returns the tables before training.
    pub fn hand_set(rule: Rule) -> EvalTables {
        let by_code = |shapes: &[i32; 14], classes: &[i32; 14]| {
            Color::ALL.map(|color| spread(rule.forbids(color), shapes, classes))
        };
        let scaled = |numbers: &[i32; 14]| numbers.map(|number| number * EMBEDDING_SCALE);
        let values = by_code(&scaled(&SHAPES.value), &scaled(&CLASSES.value));
        let threats = threat_values();
        EvalTables {
            code_embeddings: values.map(|values| {
                Box::new(values.map(|value| {
                    let mut embedding = [0; EMBEDDING_DIM];
                    embedding[SIDE_TO_MOVE] = value;
                    embedding[OPPONENT] = value;
                    embedding
                }))
            }),
            attack: by_code(&SHAPES.attack, &CLASSES.attack),
            defence: by_code(&SHAPES.defence, &CLASSES.defence),
            threats: [threats.clone(), threats],
            ..EvalTables::zero(rule)
        }
    }
}

/// Adds up the values of the threats of every set.
fn threat_values() -> Box<[i16; THREAT_SETS]> {
    let mut values = Box::new([0; THREAT_SETS]);
    for (set, value) in values.iter_mut().enumerate() {
        let threats = (0..THREATS.len()).filter(|bit| set >> bit & 1 != 0);
        let sum: i32 = threats.map(|bit| THREATS[bit]).sum();
        *value = (TEMPO + sum) as i16;
    }
    values
}

/// Adds up the numbers of the shapes and of the class of every code.
fn spread(forbids: bool, shapes: &[i32; 14], classes: &[i32; 14]) -> Box<[i16; PADDED_CODES]> {
    let codes = CodeTable::shared();
    let mut table = Box::new([0; PADDED_CODES]);
    for code in Code::all() {
        let class = codes.classes(forbids)[code.index()];
        if class == Class::Forbidden {
            continue;
        }
        let of_shapes: i32 = codes
            .shapes(code)
            .iter()
            .map(|&shape| shapes[shape as usize])
            .sum();
        let of_class = Class::ALL
            .iter()
            .zip(classes)
            .find(|(c, _)| **c == class)
            .map_or(0, |(_, number)| *number);
        table[code.index()] = (of_shapes + of_class) as i16;
    }
    table
}
