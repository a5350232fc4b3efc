//! The evaluator that plays: the classical evaluation, corrected by a line network
//! where there is one.

use super::classical::{Classical, ClassicalWeights, MoveScores};
use super::evaluator::Evaluator;
use super::line::{LineEvaluator, LineNetwork};
use super::move_score::MoveScore;
use super::simd::InstructionSet;
use crate::position::Position;
use crate::rules::{Point, Rule};
use crate::score::Score;
use std::sync::Arc;

/// The weights of a [`Hybrid`] for one rule.
#[derive(Clone)]
pub struct HybridWeights {
    /// The weights of the classical evaluation.
    pub classical: Arc<ClassicalWeights>,
    /// The network that corrects the classical evaluation, if there is one.
    pub line: Option<Arc<LineNetwork>>,
    pub(super) instructions: InstructionSet,
}

impl HybridWeights {
    /// Joins the weights of both evaluations, which then use the best instruction set of this
    /// machine.
    pub fn new(classical: Arc<ClassicalWeights>, line: Option<Arc<LineNetwork>>) -> HybridWeights {
        HybridWeights {
            classical,
            line,
            instructions: InstructionSet::best(),
        }
    }
}

/// Evaluates positions of one rule with the classical evaluation and, where there
/// is one, a line network.
pub struct Hybrid {
    classical: Classical,
    line: Option<LineEvaluator>,
}

/// If the classical evaluation is beyond this, the game is as good as decided and the
/// network is not evaluated.
const DECIDED: i32 = 1_200;

impl Hybrid {
    /// Creates an evaluator with these weights, which are for the rule of
    /// `position`.
    pub fn new(weights: &HybridWeights, position: &Position) -> Hybrid {
        let mut classical = Classical::new(&weights.classical, position);
        classical.instructions = weights.instructions;
        let line = weights.line.as_ref();
        Hybrid {
            classical,
            line: line.map(|network| LineEvaluator::new(network, position, weights.instructions)),
        }
    }

    /// Returns the scores of the moves of `position`.
    #[inline]
    pub fn moves<'a>(&'a self, position: &'a Position) -> MoveScores<'a> {
        self.classical.moves(position)
    }
}

impl Evaluator for Hybrid {
    type Weights = HybridWeights;

    fn built_in(rule: Rule) -> HybridWeights {
        HybridWeights::new(
            Arc::new(ClassicalWeights::built_in(rule)),
            LineNetwork::built_in(rule).map(Arc::new),
        )
    }

    fn new(weights: &Arc<HybridWeights>, position: &Position) -> Hybrid {
        Hybrid::new(weights, position)
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let classical = self.classical.evaluate(position);
        match &mut self.line {
            Some(line) if classical.units().abs() <= DECIDED => {
                let logit = classical.units() as f32 / Score::LOGIT;
                let value = line.corrected(position, logit) * Score::LOGIT;
                const LIMIT: f32 = Score::MAX_EVAL.units() as f32;
                Score::new(value.clamp(-LIMIT, LIMIT) as i32)
            }
            _ => classical,
        }
    }

    #[inline]
    fn score_moves(&mut self, position: &Position, points: &[Point], scores: &mut [MoveScore]) {
        let moves = self.moves(position);
        for (score, &point) in scores.iter_mut().zip(points) {
            *score = moves.of(point);
        }
    }
}
