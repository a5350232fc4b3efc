//! The classical evaluator: an accumulator, a value head and a value for the
//! threats on the board.

use super::accumulator::AccumulatorStack;
use super::embedding::{EMBEDDING_SCALE, OPPONENT, SIDE_TO_MOVE};
use super::move_scores::MoveScores;
use super::threats::{THREAT_SETS, threat_set};
use super::weights::ClassicalWeights;
use crate::eval::simd::InstructionSet;
use crate::position::Position;
use crate::score::Score;
use std::sync::Arc;

/// Evaluates positions of one rule with the classical evaluation.
pub struct Classical {
    weights: Arc<ClassicalWeights>,
    accumulators: AccumulatorStack,
    /// The best ones of this machine, unless others are set. The values are the same.
    pub(in crate::eval) instructions: InstructionSet,
}

/// The terms of an evaluation, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalTerms {
    /// The linear term over the empty points, in units over
    /// [`EMBEDDING_SCALE`].
    pub linear: i32,
    /// The output of the value head, in units of [`Score`].
    pub network: i32,
    /// The value of the threats on the board and of having the move, in units of
    /// [`Score`].
    pub threats: i32,
}

impl Classical {
    /// Creates an evaluator with these weights, which are for the rule of
    /// `position`.
    pub fn new(weights: &Arc<ClassicalWeights>, position: &Position) -> Classical {
        Classical {
            weights: Arc::clone(weights),
            accumulators: AccumulatorStack::new(position, weights),
            instructions: InstructionSet::best(),
        }
    }

    /// Evaluates the position for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let terms = self.terms(position);
        Score::new(terms.linear / EMBEDDING_SCALE + terms.network + terms.threats)
    }

    /// Returns the terms of [`Classical::evaluate`].
    #[inline]
    pub fn terms(&mut self, position: &Position) -> EvalTerms {
        debug_assert_eq!(position.rule(), self.weights.tables.rule);
        let side = position.side();
        let accumulator = self.accumulators.accumulator(position, &self.weights);
        let own = accumulator.sum(side);
        let theirs = accumulator.sum(side.opponent());
        let stones = position.size().points() - position.empty_points();
        let threats = &self.weights.tables.threats[side.index()];
        EvalTerms {
            linear: own[SIDE_TO_MOVE] - theirs[OPPONENT],
            network: self.instructions.run(
                #[inline(always)]
                || self.weights.heads[side.index()].units(&own, &theirs, stones),
            ),
            threats: i32::from(threats[threat_set(position) % THREAT_SETS]),
        }
    }

    /// Returns the scores of the moves of `position`.
    #[inline]
    pub fn moves<'a>(&'a self, position: &'a Position) -> MoveScores<'a> {
        MoveScores::new(&self.weights, position)
    }
}
