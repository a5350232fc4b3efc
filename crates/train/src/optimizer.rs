//! Adam over groups of parameters, and the average of the parameters: the step of every fit.

use quincunx_engine::eval::InstructionSet;
use rayon::prelude::*;
use std::ops::Range;

/// Parameters that one thread updates.
const CHUNK: usize = 1 << 15;

/// A group of parameters with a learning rate and a regularisation of its own.
pub(crate) struct Group {
    /// The parameters of the group.
    pub(crate) range: Range<usize>,
    /// The learning rate.
    pub(crate) rate: f32,
    /// Keeps the step finite where the gradient is zero. A larger one shortens the steps of
    /// parameters with small gradients.
    pub(crate) epsilon: f32,
    /// The L2 coefficient, which adds to the gradient.
    pub(crate) l2: f32,
    /// The decoupled weight decay, as a factor of the learning rate.
    pub(crate) weight_decay: f32,
}

/// The buffers of the optimiser, with one element for each parameter.
pub(crate) struct Buffers<'a> {
    pub(crate) parameters: &'a mut [f32],
    pub(crate) first_moment: &'a mut [f32],
    pub(crate) second_moment: &'a mut [f32],
    pub(crate) average: &'a mut [f32],
    /// The parameters that the regularisation pulls to.
    pub(crate) origin: &'a [f32],
}

/// A step of Adam.
pub(crate) struct AdamStep {
    /// The decay rates of the moment estimates.
    pub(crate) betas: [f32; 2],
    /// The number of the step, from one.
    pub(crate) number: i32,
    /// The factor of the gradient.
    pub(crate) scale: f32,
    /// The decay rate of the average of the parameters.
    pub(crate) average_decay: f32,
}

impl AdamStep {
    /// Takes the step in every group.
    pub(crate) fn take(&self, buffers: &mut Buffers<'_>, gradient: &[f32], groups: &[Group]) {
        let AdamStep {
            scale,
            average_decay,
            ..
        } = *self;
        let [beta_1, beta_2] = self.betas;
        let [bias_1, bias_2] = self.betas.map(|beta| 1.0 - beta.powi(self.number));
        for group in groups {
            let &Group {
                rate,
                epsilon,
                l2,
                weight_decay,
                ..
            } = group;
            let range = || group.range.clone();
            let chunks = (buffers.parameters[range()].par_chunks_mut(CHUNK))
                .zip(gradient[range()].par_chunks(CHUNK))
                .zip(buffers.origin[range()].par_chunks(CHUNK))
                .zip(buffers.first_moment[range()].par_chunks_mut(CHUNK))
                .zip(buffers.second_moment[range()].par_chunks_mut(CHUNK))
                .zip(buffers.average[range()].par_chunks_mut(CHUNK));
            chunks.for_each(
                |(((((parameters, gradient), origin), first), second), average)| {
                    InstructionSet::best().run(
                        #[inline(always)]
                        || {
                            let all = (parameters.iter_mut().zip(gradient).zip(origin))
                                .zip(first.iter_mut().zip(second).zip(average));
                            for (((parameter, slope), origin), ((first, second), average)) in all {
                                let moved = *parameter - origin;
                                let slope = slope * scale + l2 * moved;
                                *first = beta_1 * *first + (1.0 - beta_1) * slope;
                                *second = beta_2 * *second + (1.0 - beta_2) * slope * slope;
                                let spread = (*second / bias_2).sqrt() + epsilon;
                                let change = *first / bias_1 / spread + weight_decay * moved;
                                *parameter -= rate * change;
                                *average =
                                    average_decay * *average + (1.0 - average_decay) * *parameter;
                            }
                        },
                    );
                },
            );
        }
    }
}
