//! The value head: from the channels summed over the board to a logit.

use super::super::dense::{dense, dot, relu};
use super::board_features::{BOARD_INPUTS, BoardFeatures};
use super::row::{ACTIVATION_SCALES, LINE_CHANNELS, RELU_CHANNELS, ROW, slots};
use crate::rules::Color;

/// The units of each hidden layer.
pub const LINE_HIDDEN: usize = 32;

/// The inputs: the pooled channels of the side to move, those of its opponent, and the
/// [`BoardFeatures`].
pub const LINE_INPUTS: usize = ROW + BOARD_INPUTS;

/// The divisor of the sums over the board.
pub const POOL: f32 = 15.0;

/// The weights of a head, in logits.
#[derive(Clone, Debug, PartialEq)]
pub struct LineHead {
    /// The first layer, by input and unit.
    pub first: [[f32; LINE_HIDDEN]; LINE_INPUTS],
    /// The bias of the first layer.
    pub first_bias: [f32; LINE_HIDDEN],
    /// The second layer, by unit of the first and unit.
    pub second: [[f32; LINE_HIDDEN]; LINE_HIDDEN],
    /// The bias of the second layer.
    pub second_bias: [f32; LINE_HIDDEN],
    /// The output.
    pub last: [f32; LINE_HIDDEN],
    /// The bias of the output.
    pub bias: f32,
    /// The weight of the classical evaluation.
    pub classical: f32,
}

impl LineHead {
    /// A head whose value is always zero.
    pub const ZERO: LineHead = LineHead {
        first: [[0.0; LINE_HIDDEN]; LINE_INPUTS],
        first_bias: [0.0; LINE_HIDDEN],
        second: [[0.0; LINE_HIDDEN]; LINE_HIDDEN],
        second_bias: [0.0; LINE_HIDDEN],
        last: [0.0; LINE_HIDDEN],
        bias: 0.0,
        classical: 0.0,
    };

    /// The number of parameters of a head.
    pub const NUMBERS: usize = (LINE_INPUTS + 1 + LINE_HIDDEN + 1 + 1) * LINE_HIDDEN + 2;

    /// Returns all numbers, in the order of files.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        (self.first.as_flattened_mut().iter_mut())
            .chain(&mut self.first_bias)
            .chain(self.second.as_flattened_mut())
            .chain(&mut self.second_bias)
            .chain(&mut self.last)
            .chain([&mut self.bias, &mut self.classical])
    }

    /// Returns the layers for these inputs.
    #[inline(always)]
    pub fn layers(&self, inputs: &[f32; LINE_INPUTS]) -> HeadLayers {
        let first = relu(dense(&self.first_bias, &self.first, inputs));
        let second = relu(dense(&self.second_bias, &self.second, &first));
        HeadLayers {
            value: self.bias + dot(&second, &self.last),
            first,
            second,
        }
    }

    /// Returns the value for `side` to move in logits, without the classical
    /// evaluation, from the sums over the board as black and as white see them.
    #[inline(always)]
    pub(super) fn value(&self, side: Color, sums: &[i32; ROW], board: &BoardFeatures) -> f32 {
        let mut pooled = [0.0; ROW];
        for slot in 0..ROW {
            pooled[slot] = sums[slot] as f32 * (1.0 / (POOL * ACTIVATION_SCALES[slot]));
        }
        let mut inputs = [0.0; LINE_INPUTS];
        let sides = inputs.chunks_exact_mut(LINE_CHANNELS);
        for (channels, color) in sides.zip([side, side.opponent()]) {
            let [relu, screlu] = slots(color);
            channels[..RELU_CHANNELS].copy_from_slice(&pooled[relu]);
            channels[RELU_CHANNELS..].copy_from_slice(&pooled[screlu]);
        }
        inputs[ROW..].copy_from_slice(&board.inputs());
        self.layers(&inputs).value
    }
}

/// The layers of a head for some inputs.
#[derive(Clone, Debug)]
pub struct HeadLayers {
    /// The first layer, after its activation function.
    pub first: [f32; LINE_HIDDEN],
    /// The second layer, after its activation function.
    pub second: [f32; LINE_HIDDEN],
    /// The output: a correction of the classical evaluation, in logits.
    pub value: f32,
}
