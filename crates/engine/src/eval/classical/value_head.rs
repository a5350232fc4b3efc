//! The value head: a network with one hidden layer over the sums of both sides'
//! embeddings.
//!
//! The linear term alone would count three twos as three times one. The hidden
//! layer can tell that they are more, or that an attack is worth less to a side
//! that has to defend.

use super::super::dense::{dense, dot, relu};
use super::embedding::{EMBEDDING_DIM, EmbeddingSum, PARTS_PER_LOGIT};
use crate::score::Score;

/// The number of hidden units.
pub const HIDDEN_UNITS: usize = 32;

/// The number of inputs: the embedding sums of the side to move and of its
/// opponent, the number of stones, and a constant one for the biases.
pub const HEAD_INPUTS: usize = 2 * EMBEDDING_DIM + 2;

/// The number of weights of a head: those of the hidden layer, input by input,
/// and then those of the output.
pub const HEAD_WEIGHTS: usize = (HEAD_INPUTS + 1) * HIDDEN_UNITS;

/// The quantisation scale of the weights.
pub const HEAD_SCALE: f32 = 1024.0;

/// The weights of the network for one colour to move.
#[derive(Clone, Debug)]
pub struct ValueHead {
    /// The weights of the hidden layer, by input and hidden unit.
    pub hidden_weights: [[f32; HIDDEN_UNITS]; HEAD_INPUTS],
    /// The weights of the output, in logits.
    pub output_weights: [f32; HIDDEN_UNITS],
}

impl ValueHead {
    /// Creates a head from its weights in the order of [`HEAD_WEIGHTS`].
    pub fn new(weight: impl Fn(usize) -> f32) -> ValueHead {
        let row = |input: usize| std::array::from_fn(|unit| weight(input * HIDDEN_UNITS + unit));
        ValueHead {
            hidden_weights: std::array::from_fn(row),
            output_weights: row(HEAD_INPUTS),
        }
    }

    /// Returns the inputs in their order.
    #[inline(always)]
    pub fn inputs(
        side_to_move: &EmbeddingSum,
        opponent: &EmbeddingSum,
        stones: usize,
    ) -> [f32; HEAD_INPUTS] {
        let mut inputs = [1.0; HEAD_INPUTS];
        inputs[..EMBEDDING_DIM].copy_from_slice(side_to_move);
        inputs[EMBEDDING_DIM..2 * EMBEDDING_DIM].copy_from_slice(opponent);
        // Normalised to the range of the other inputs, for games of usual length.
        inputs[2 * EMBEDDING_DIM] = (stones as f32 - 40.0) / 50.0;
        inputs
    }

    /// Returns the hidden layer before its activation function.
    #[inline(always)]
    pub fn hidden(&self, inputs: &[f32; HEAD_INPUTS]) -> [f32; HIDDEN_UNITS] {
        dense(&[0.0; HIDDEN_UNITS], &self.hidden_weights, inputs)
    }

    /// Returns the output for a hidden layer, in logits. The activation function
    /// is ReLU.
    #[inline(always)]
    pub fn output(&self, hidden: &[f32; HIDDEN_UNITS]) -> f32 {
        dot(&relu(*hidden), &self.output_weights)
    }

    /// Returns the output for quantised embedding sums, in units of [`Score`]. It
    /// is clamped, so that absurd weights can't overflow what it is added to.
    #[inline(always)]
    pub(super) fn units(
        &self,
        side_to_move: &[i32; EMBEDDING_DIM],
        opponent: &[i32; EMBEDDING_DIM],
        stones: usize,
    ) -> i32 {
        const LIMIT: f32 = Score::MAX_EVAL.units() as f32;
        let logits = |sum: &[i32; EMBEDDING_DIM]| sum.map(|part| part as f32 / PARTS_PER_LOGIT);
        let inputs = ValueHead::inputs(&logits(side_to_move), &logits(opponent), stones);
        let units = self.output(&self.hidden(&inputs)) * Score::LOGIT;
        units.clamp(-LIMIT, LIMIT) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::embedding::EMBEDDING_LIMIT;
    use super::*;

    #[test]
    fn absurd_weights_are_clamped() {
        let sum = [484 * i32::from(EMBEDDING_LIMIT); EMBEDDING_DIM];
        let none = [0; EMBEDDING_DIM];
        let limit = Score::MAX_EVAL.units();
        assert_eq!(ValueHead::new(|_| 32.0).units(&sum, &none, 9), limit);
        let hidden_weights = HEAD_INPUTS * HIDDEN_UNITS;
        let negative = |index| if index < hidden_weights { 32.0 } else { -32.0 };
        assert_eq!(ValueHead::new(negative).units(&none, &sum, 9), -limit);
        assert_eq!(ValueHead::new(|_| 0.0).units(&sum, &sum, 9), 0);
    }
}
