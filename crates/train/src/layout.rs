//! The index of every number of the evaluation tables in the parameter vectors of
//! a fit.

use super::factors::Factors;
use quincunx_engine::eval::{
    DISTANCE_BUCKETS, EMBEDDING_DIM, EvalTables, HEAD_WEIGHTS, THREAT_SETS,
};
use quincunx_engine::pattern::{CLASS_PAIRS, CODES, ClassPair, Code};
use quincunx_engine::rules::{Color, Rule};

/// The number of embeddings of one colour: those of codes, then those of pairs.
const EMBEDDINGS: usize = CODES + CLASS_PAIRS;

/// The layout of the parameters of one rule. There are two parameter vectors: the
/// value has the embeddings first, then threats, then value heads; the policy has
/// the move scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterLayout {
    rule: Rule,
    colors: usize,
}

impl ParameterLayout {
    /// Returns the layout of `rule`.
    pub fn of(rule: Rule) -> ParameterLayout {
        ParameterLayout {
            rule,
            colors: EvalTables::colors(rule),
        }
    }

    /// Returns the number of colours with parameters of their own.
    pub fn colors(self) -> usize {
        self.colors
    }

    #[inline]
    fn color_index(self, color: Color) -> usize {
        EvalTables::color_index(self.rule, color)
    }

    /// Returns the number of the embedding of a code of `color`. Its parameters
    /// begin at [`EMBEDDING_DIM`] times that number.
    #[inline]
    pub(crate) fn code_embedding(self, color: Color, code: Code) -> usize {
        self.color_index(color) * EMBEDDINGS + code.index()
    }

    /// Returns the number of the embedding of a pair of classes, as `color` sees
    /// it.
    #[inline]
    pub(crate) fn pair_embedding(self, color: Color, pair: ClassPair) -> usize {
        self.color_index(color) * EMBEDDINGS + CODES + pair.index()
    }

    /// Returns the number of embeddings of all colours.
    #[inline]
    pub fn embeddings(self) -> usize {
        self.colors * EMBEDDINGS
    }

    /// Returns the parameter of a set of threats with `side` to move.
    #[inline]
    pub fn threats(self, side: Color, set: usize) -> usize {
        self.embeddings() * EMBEDDING_DIM + self.color_index(side) * THREAT_SETS + set
    }

    /// Returns the first parameter of the value head for `side` to move.
    #[inline]
    pub fn head(self, side: Color) -> usize {
        self.embeddings() * EMBEDDING_DIM
            + self.colors * THREAT_SETS
            + self.color_index(side) * HEAD_WEIGHTS
    }

    /// Returns the parameter of an attack score.
    #[inline]
    pub fn attack(self, color: Color, code: Code) -> usize {
        self.color_index(color) * CODES + code.index()
    }

    /// Returns the parameter of a defence score.
    #[inline]
    pub fn defence(self, color: Color, code: Code) -> usize {
        self.colors * CODES + self.attack(color, code)
    }

    /// Returns the parameter of the attack-and-defence bonus of a move by `side`.
    #[inline]
    pub fn attack_defence(self, side: Color, pair: ClassPair) -> usize {
        2 * self.colors * CODES + self.color_index(side) * CLASS_PAIRS + pair.index()
    }

    /// Returns the parameter of a distance score for `side` to move: the bucket as
    /// seen from the opponent's last stone (`whose` is 0) or its own (1).
    #[inline]
    pub fn distance(self, side: Color, whose: usize, bucket: usize) -> usize {
        let first = self.colors * (2 * CODES + CLASS_PAIRS);
        first + (self.color_index(side) * 2 + whose) * DISTANCE_BUCKETS + bucket
    }

    /// Returns the factors of the value's parameters.
    pub(crate) fn value_factors(self) -> Factors {
        let mut factors = Factors::default();
        for color in 0..self.colors {
            factors.add_codes(self.rule.forbids(Color::ALL[color]), EMBEDDING_DIM);
            factors.add_independent(CLASS_PAIRS * EMBEDDING_DIM);
        }
        for _ in 0..self.colors {
            factors.add_threats();
        }
        factors.add_independent(self.colors * HEAD_WEIGHTS);
        factors
    }

    /// Returns the factors of the policy's parameters.
    pub(crate) fn policy_factors(self) -> Factors {
        let mut factors = Factors::default();
        for _attack_and_defence in 0..2 {
            for color in 0..self.colors {
                factors.add_codes(self.rule.forbids(Color::ALL[color]), 1);
            }
        }
        factors.add_independent(self.colors * (CLASS_PAIRS + 2 * DISTANCE_BUCKETS));
        factors
    }
}
