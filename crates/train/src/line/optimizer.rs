//! The steps of a fit of a line network: the gradient of a batch, Adam with weight decay,
//! and the average of the parameters.
//!
//! A batch is cut into parts, whose number depends on its size, and their gradients are added
//! in order, so that the steps are the same with any number of threads. The number of parts is
//! limited, because the gradient of each has a number for every parameter.

use super::layout::{Embeddings, LineLayout};
use super::network::{LineGradient, LineModel, LossSums};
use super::normalization::Normalization;
use super::options::LineFitOptions;
use super::samples::Samples;
use super::step_loss::StepLoss;
use crate::checkpoint::FitState;
use crate::optimizer::{AdamStep, Buffers, Group};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The samples of a part of a batch. The gradient of a part has a number for each parameter, so
/// adding many small parts takes longer than computing them.
const PART_SAMPLES: usize = 512;

/// The numbers of parts of a small batch and of a large one. The gradients of a large batch take
/// 400 MB, under renju twice as much.
const LEAST_PARTS: usize = 4;
const MOST_PARTS: usize = 64;

/// The decay rates of the moment estimates of Adam.
const BETAS: [f32; 2] = [0.9, 0.999];

/// The epsilon of Adam for heads.
const HEAD_EPSILON: f32 = 1e-6;

/// The number of steps in which the learning rate rises to its maximum.
const WARM_UP: f32 = 100.0;

/// The reciprocal of the part of all steps over which the weights are averaged.
const AVERAGED_ONE_IN: f32 = 20.0;

/// The state of a fit: everything that is needed to resume it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct LineState {
    /// The number of steps so far.
    pub(super) step: usize,
    /// The losses so far.
    pub(super) curve: Vec<StepLoss>,
    normalizations: Vec<Normalization>,
    parameters: Vec<f32>,
    /// The moment estimates of Adam.
    first_moment: Vec<f32>,
    second_moment: Vec<f32>,
    /// The average of the parameters, and the weight of all that is in it.
    average: Vec<f32>,
    average_weight: f32,
}

impl LineState {
    fn initial(options: &LineFitOptions, layout: &LineLayout) -> LineState {
        let zeros = || vec![0.0; layout.parameters()];
        LineState {
            step: 0,
            curve: Vec::new(),
            normalizations: vec![Normalization::none(); layout.colors],
            parameters: match &options.start {
                Some(start) => layout.parameters_of(start),
                None => layout.initial(options.seed),
            },
            first_moment: zeros(),
            second_moment: zeros(),
            average: zeros(),
            average_weight: 0.0,
        }
    }

    /// Returns whether the state has numbers for this layout.
    fn matches(&self, layout: &LineLayout) -> bool {
        let LineState {
            parameters,
            first_moment,
            second_moment,
            average,
            ..
        } = self;
        let mut lists = [parameters, first_moment, second_moment, average].into_iter();
        self.normalizations.len() == layout.colors
            && self.normalizations.iter().all(Normalization::is_whole)
            && lists.all(|list| list.len() == layout.parameters())
    }
}

impl FitState for LineState {
    type Point = StepLoss;

    fn curve(&self) -> &[StepLoss] {
        &self.curve
    }
}

/// Makes the steps of a fit.
pub(super) struct LineOptimizer<'a> {
    options: &'a LineFitOptions,
    layout: LineLayout,
    pub(super) state: LineState,
    /// The parameters that weight decay pulls to.
    origin: Vec<f32>,
    embeddings: Embeddings,
    /// The gradients of the parts of a batch.
    parts: Vec<LineGradient>,
    /// The number of steps of the whole fit.
    steps: usize,
}

impl<'a> LineOptimizer<'a> {
    /// Begins a fit, or resumes one from a checkpoint.
    pub(super) fn new(
        options: &'a LineFitOptions,
        steps: usize,
        checkpoint: Option<LineState>,
    ) -> LineOptimizer<'a> {
        let layout = LineLayout::of(options.rule);
        LineOptimizer {
            options,
            state: checkpoint
                .filter(|state| state.matches(&layout))
                .unwrap_or_else(|| LineState::initial(options, &layout)),
            origin: match &options.start {
                Some(start) => layout.parameters_of(start),
                None => vec![0.0; layout.parameters()],
            },
            embeddings: layout.zeros(),
            parts: (0..(options.batch_size / PART_SAMPLES).clamp(LEAST_PARTS, MOST_PARTS))
                .map(|_| LineGradient::new(&layout))
                .collect(),
            layout,
            steps,
        }
    }

    /// Calls `with` on the model with the current parameters.
    pub(super) fn with_current<T>(&self, with: impl FnOnce(&LineModel<'_>) -> T) -> T {
        self.with_model(&self.state.parameters, with)
    }

    /// Calls `with` on the model with the averaged parameters.
    pub(super) fn with_average<T>(&self, with: impl FnOnce(&LineModel<'_>) -> T) -> T {
        let parameters: Vec<f32> = (self.state.average.iter())
            .map(|weight| weight / self.state.average_weight)
            .collect();
        self.with_model(&parameters, with)
    }

    /// Calls `with` on the model with these parameters.
    fn with_model<T>(&self, parameters: &[f32], with: impl FnOnce(&LineModel<'_>) -> T) -> T {
        with(&LineModel {
            embeddings: &self.layout.embeddings(parameters),
            heads: &self.layout.heads(parameters),
            normalizations: &self.state.normalizations,
        })
    }

    /// Makes a step with a batch, and returns its losses.
    pub(super) fn step(&mut self, samples: &Samples, batch: &[u32]) -> LossSums {
        let state = &self.state;
        let embeddings = &mut self.embeddings;
        self.layout.write_embeddings(&state.parameters, embeddings);
        let model = LineModel {
            embeddings,
            heads: &self.layout.heads(&state.parameters),
            normalizations: &state.normalizations,
        };
        let part = batch.len().div_ceil(self.parts.len());
        let losses: Vec<LossSums> = (self.parts.par_iter_mut())
            .zip(batch.par_chunks(part))
            .map(|(gradient, part)| {
                gradient.clear();
                let numbers = part.iter().map(|&number| number as usize);
                model.run(samples, numbers, Some(gradient))
            })
            .collect();
        let mut sums = LossSums::default();
        losses.iter().for_each(|part| sums.merge(part));
        let gradient = self.gradient();
        // The normalisation settles in the first half. A network to start from has its own
        // in the heads.
        if self.options.start.is_none() && 2 * self.state.step < self.steps {
            for (color, normalization) in self.state.normalizations.iter_mut().enumerate() {
                normalization.update(&self.parts[0].moments[color]);
            }
        }
        self.descend(&gradient, 1.0 / batch.len() as f32);
        sums
    }

    /// Adds up the gradients of the parts, and returns that of the parameters.
    fn gradient(&mut self) -> Vec<f32> {
        let (total, others) = self.parts.split_at_mut(1);
        let total = &mut total[0];
        for other in others {
            let embeddings = total.embeddings.iter_mut().zip(&other.embeddings);
            for (embeddings, others) in embeddings {
                let embeddings = embeddings.par_iter_mut().zip(others);
                embeddings.for_each(|(embedding, other)| {
                    let sums = embedding.iter_mut().zip(other);
                    sums.for_each(|(sum, part)| *sum += part);
                });
            }
            for (head, other) in total.heads.iter_mut().zip(&mut other.heads) {
                head.numbers()
                    .zip(other.numbers())
                    .for_each(|(sum, part)| *sum += *part);
            }
            for (moments, other) in total.moments.iter_mut().zip(&other.moments) {
                moments.merge(other);
            }
        }
        let mut gradient = vec![0.0; self.layout.parameters()];
        self.layout.write_gradient(&total.embeddings, &mut gradient);
        for (color, head) in total.heads.iter_mut().enumerate() {
            self.layout.write_head(color, head, &mut gradient);
        }
        gradient
    }

    /// Makes a step of Adam, and averages the parameters.
    fn descend(&mut self, gradient: &[f32], scale: f32) {
        let options = self.options;
        let state = &mut self.state;
        let step = state.step;
        state.step += 1;
        let (number, steps) = (step as f32 + 1.0, self.steps as f32);
        let warm_up = (number / WARM_UP).min(1.0);
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / steps).cos());
        // The first parameters are forgotten soon.
        let longest = 1.0 - AVERAGED_ONE_IN / steps.max(2.0 * AVERAGED_ONE_IN);
        let average_decay = (number / (number + 100.0)).min(longest);
        state.average_weight = average_decay * state.average_weight + 1.0 - average_decay;
        let tables = self.layout.tables();
        let heads = tables.end..self.layout.parameters();
        let rate = warm_up * cosine;
        let groups = [
            Group {
                range: tables,
                rate: rate * options.embedding_rate,
                epsilon: options.epsilon,
                l2: 0.0,
                weight_decay: options.weight_decay,
            },
            Group {
                range: heads,
                rate: rate * options.head_rate,
                epsilon: HEAD_EPSILON,
                l2: 0.0,
                weight_decay: 0.0,
            },
        ];
        let mut buffers = Buffers {
            parameters: &mut state.parameters,
            first_moment: &mut state.first_moment,
            second_moment: &mut state.second_moment,
            average: &mut state.average,
            origin: &self.origin,
        };
        let step = AdamStep {
            betas: BETAS,
            number: step as i32 + 1,
            scale,
            average_decay,
        };
        step.take(&mut buffers, gradient, &groups);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;

    #[test]
    fn the_memory_of_large_batches_is_bounded() {
        for (batch_size, parts) in [(4, 4), (8192, 16), (1 << 20, 64)] {
            let options = LineFitOptions {
                batch_size,
                ..LineFitOptions::of(Rule::Freestyle)
            };
            assert_eq!(LineOptimizer::new(&options, 1, None).parts.len(), parts);
        }
    }
}
