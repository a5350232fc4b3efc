//! The evaluator of a line network: accumulator and head, compiled for each
//! instruction set that makes them faster.

use super::super::simd::InstructionSet;
use super::accumulator::LineAccumulator;
use super::board_features::BoardFeatures;
use super::network::LineNetwork;
use crate::position::Position;
use std::sync::Arc;

/// Evaluates positions with a line network.
pub(in crate::eval) struct LineEvaluator {
    network: Arc<LineNetwork>,
    accumulator: LineAccumulator,
    instructions: InstructionSet,
}

impl LineEvaluator {
    /// Creates the evaluator of `network` at `position`, for these instructions.
    pub(in crate::eval) fn new(
        network: &Arc<LineNetwork>,
        position: &Position,
        instructions: InstructionSet,
    ) -> LineEvaluator {
        LineEvaluator {
            network: Arc::clone(network),
            accumulator: LineAccumulator::new(position, network),
            instructions,
        }
    }

    /// Corrects the classical evaluation of a position for the side to move. Both
    /// are in logits.
    #[inline]
    pub(in crate::eval) fn corrected(&mut self, position: &Position, classical: f32) -> f32 {
        let (network, accumulator) = (&self.network, &mut self.accumulator);
        self.instructions.run(
            #[inline(always)]
            || {
                let sums = accumulator.sums(position, network);
                let side = position.side();
                let head = network.head(side);
                let board = BoardFeatures::of(position);
                head.classical * classical + head.value(side, sums, &board)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::random_weights;
    use super::*;
    use crate::rules::{BoardSize, Point, Rule};

    #[test]
    fn all_instruction_sets_give_the_same_values() {
        let mut random = fastrand::Rng::with_seed(9);
        let weights = random_weights(Rule::Freestyle, 1, &mut random);
        let network = Arc::new(LineNetwork::new(&weights));
        for size in ["7x9", "15", "22"] {
            let size: BoardSize = size.parse().expect("a size");
            let mut position = Position::new(Rule::Freestyle, size);
            let mut evaluators: Vec<LineEvaluator> = InstructionSet::available()
                .map(|instructions| LineEvaluator::new(&network, &position, instructions))
                .collect();
            for _ in 0..200 {
                for _ in 0..random.usize(..3) {
                    position.undo();
                }
                let empty: Vec<Point> = (size.iter())
                    .filter(|&point| position.is_empty(point))
                    .collect();
                let Some(&point) = random.choice(&empty) else {
                    break;
                };
                position.play(point);
                let values = (evaluators.iter_mut())
                    .map(|evaluator| evaluator.corrected(&position, 0.25).to_bits());
                let values: Vec<u32> = values.collect();
                assert!(values.iter().all(|&value| value == values[0]), "{values:?}");
            }
        }
    }
}
