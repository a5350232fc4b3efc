//! Evaluation tables in the layout of inference: numbers that are read together
//! lie together, and no lookup needs a bounds check.

use super::distance::by_offset;
use super::embedding::Embedding;
use super::tables::EvalTables;
use super::value_head::{HEAD_SCALE, ValueHead};
use crate::pattern::{ClassPair, PADDED_CLASS_PAIRS};
use crate::rules::{Color, OffsetTable, Rule};

/// The weights of the classical evaluation for one rule: its tables, and the
/// same numbers in the order in which the evaluation reads them.
pub struct ClassicalWeights {
    /// The tables themselves.
    pub(super) tables: EvalTables,
    /// [`EvalTables::color_index`] of each colour.
    pub(super) color_indices: [usize; 2],
    /// [`EvalTables::pair_embeddings`] of both colours, by [`ClassPair::number`] of
    /// the pair as black sees it.
    pub(super) pair_embeddings: [[Embedding; 2]; PADDED_CLASS_PAIRS],
    /// [`EvalTables::attack_defence`] of both colours, by the same number.
    pub(super) attack_defence: [[i16; 2]; PADDED_CLASS_PAIRS],
    /// [`EvalTables::distance`] by the colour to move and whose last stone it is:
    /// the opponent's or its own.
    pub(super) distance: [[OffsetTable<i16>; 2]; 2],
    /// [`EvalTables::heads`] by the colour to move.
    pub(super) heads: [ValueHead; 2],
}

impl ClassicalWeights {
    /// Returns the built-in weights.
    pub fn built_in(rule: Rule) -> ClassicalWeights {
        ClassicalWeights::new(EvalTables::built_in(rule))
    }

    /// Lays out `tables` for inference.
    pub fn new(tables: EvalTables) -> ClassicalWeights {
        let color_index = |color| EvalTables::color_index(tables.rule, color);
        let distance = |color: Color| tables.distance[color.index()].each_ref().map(by_offset);
        let head = |color: Color| {
            let weights = &tables.heads[color.index()];
            ValueHead::new(|index| f32::from(weights[index]) / HEAD_SCALE)
        };
        let mut weights = ClassicalWeights {
            color_indices: Color::ALL.map(color_index),
            pair_embeddings: [Default::default(); PADDED_CLASS_PAIRS],
            attack_defence: [Default::default(); PADDED_CLASS_PAIRS],
            distance: Color::ALL.map(distance),
            heads: Color::ALL.map(head),
            tables,
        };
        let tables = &weights.tables;
        for pair in ClassPair::all() {
            let (number, [black, white]) =
                (pair.number(), [pair, pair.swapped()].map(ClassPair::index));
            weights.pair_embeddings[number] = [
                tables.pair_embeddings[0][black],
                tables.pair_embeddings[1][white],
            ];
            weights.attack_defence[number] = [
                tables.attack_defence[0][black],
                tables.attack_defence[1][white],
            ];
        }
        weights
    }

    /// Returns the tables that the weights were made from.
    pub fn tables(&self) -> &EvalTables {
        &self.tables
    }
}
