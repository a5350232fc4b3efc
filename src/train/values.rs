//! Fitting what the evaluation adds up and the network over it: logistic
//! regression of how games end, and of what the search said.

use super::adam::Problem;
use super::layout::{Layout, Parts};
use super::samples::ValueSamples;
use crate::eval::{HEAD_NUMBERS, HIDDEN, Head, INPUTS, LANES, Logits, MOVING, Score, WAITING};
use crate::rules::{Color, Rule};
use std::ops::Range;

/// Lanes, threats and heads, to be fitted to positions.
pub struct ValueProblem<'a> {
    layout: Layout,
    parts: Parts,
    training: &'a ValueSamples,
    validation: &'a ValueSamples,
    training_targets: Vec<f32>,
    validation_targets: Vec<f32>,
    /// Logits that one unit of the search's scores is worth.
    pub score_scale: f32,
}

impl<'a> ValueProblem<'a> {
    /// The problem with targets that are the game's result for a `result`
    /// share, and the search's word for the rest. Where later moves were drawn
    /// by lot the result says less, and gets half its share.
    pub fn new(
        rule: Rule,
        training: &'a ValueSamples,
        validation: &'a ValueSamples,
        result: f32,
    ) -> ValueProblem<'a> {
        let score_scale = score_scale(training);
        let targets = |samples: &ValueSamples| {
            (0..samples.len())
                .map(|index| {
                    let share = if samples.fair[index] {
                        result
                    } else {
                        result / 2.0
                    };
                    let said = logistic(f32::from(samples.scores[index]) * score_scale);
                    share * samples.results[index] + (1.0 - share) * said
                })
                .collect()
        };
        let layout = Layout::of(rule);
        ValueProblem {
            layout,
            parts: layout.value_parts(),
            training_targets: targets(training),
            validation_targets: targets(validation),
            training,
            validation,
            score_scale,
        }
    }

    /// How well `slots` tell the results of the games kept apart, blended with
    /// nothing: the mean logistic loss.
    pub fn result_loss(&self, slots: &[f32]) -> f64 {
        let samples = self.validation;
        let model = Model::new(self.layout, slots);
        let sum: f64 = (0..samples.len())
            .map(|index| cross_entropy(model.run(samples, index).logit, samples.results[index]))
            .sum();
        sum / samples.len().max(1) as f64
    }

    /// The same for the search's scores.
    pub fn search_loss(&self) -> f64 {
        let samples = self.validation;
        let sum: f64 = (0..samples.len())
            .map(|index| {
                let logit = f32::from(samples.scores[index]) * self.score_scale;
                cross_entropy(logit, samples.results[index])
            })
            .sum();
        sum / samples.len().max(1) as f64
    }
}

impl Problem for ValueProblem<'_> {
    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn training(&self) -> usize {
        self.training.len()
    }

    fn validation(&self) -> usize {
        self.validation.len()
    }

    fn gradient(&self, samples: &[u32], weights: &[f32], gradient: &mut [f32]) -> f64 {
        let model = Model::new(self.layout, weights);
        let mut heads = [[0.0; HEAD_NUMBERS]; 2];
        let mut loss = 0.0;
        for &sample in samples {
            let index = sample as usize;
            let run = model.run(self.training, index);
            let target = self.training_targets[index];
            loss += cross_entropy(run.logit, target);
            let slope = logistic(run.logit) - target;
            let side = self.training.sides[index];
            let slopes = model.slopes(side, &run, slope, &mut heads[side.index()]);
            for &(row, times) in self.training.features(index) {
                let (theirs, first) = model.lanes_of(row);
                let lanes = &mut gradient[first..first + LANES];
                for (sum, slope) in lanes.iter_mut().zip(&slopes[usize::from(theirs)]) {
                    *sum += slope * f32::from(times);
                }
            }
            gradient[model.threats(self.training, index)] += slope;
        }
        for (color, head) in Color::ALL.into_iter().zip(&heads) {
            let first = self.layout.head(color);
            let sums = &mut gradient[first..first + HEAD_NUMBERS];
            sums.iter_mut()
                .zip(head)
                .for_each(|(sum, part)| *sum += part);
        }
        loss
    }

    fn losses(&self, samples: Range<usize>, weights: &[f32]) -> f64 {
        let model = Model::new(self.layout, weights);
        samples
            .map(|index| {
                let logit = model.run(self.validation, index).logit;
                cross_entropy(logit, self.validation_targets[index])
            })
            .sum()
    }
}

/// The evaluation with the weights of a fit.
pub struct Model<'a> {
    layout: Layout,
    weights: &'a [f32],
    heads: [Head; 2],
}

/// What the evaluation says of a position, and how it comes to that.
pub struct Run {
    inputs: [f32; INPUTS],
    sums: [f32; HIDDEN],
    /// The value for the side to move.
    pub logit: f32,
}

impl<'a> Model<'a> {
    /// The evaluation with these slots of [`Layout::value_parts`].
    pub fn new(layout: Layout, weights: &'a [f32]) -> Model<'a> {
        let heads = Color::ALL.map(|side| {
            let first = layout.head(side);
            Head::new(|number| weights[first + number])
        });
        Model {
            layout,
            weights,
            heads,
        }
    }

    /// Whether a feature is of the opponent, and the first slot of its lanes.
    #[inline]
    fn lanes_of(&self, row: u16) -> (bool, usize) {
        let (row, rows) = (usize::from(row), self.layout.rows());
        if row < rows {
            (false, row * LANES)
        } else {
            (true, (row - rows) * LANES)
        }
    }

    #[inline]
    fn threats(&self, samples: &ValueSamples, index: usize) -> usize {
        let set = usize::from(samples.threats[index]);
        self.layout.threats(samples.sides[index], set)
    }

    /// The evaluation of a sample.
    #[inline]
    pub fn run(&self, samples: &ValueSamples, index: usize) -> Run {
        let mut lanes: [Logits; 2] = [[0.0; LANES]; 2];
        for &(row, times) in samples.features(index) {
            let (theirs, first) = self.lanes_of(row);
            let weights = &self.weights[first..first + LANES];
            for (sum, weight) in lanes[usize::from(theirs)].iter_mut().zip(weights) {
                *sum += weight * f32::from(times);
            }
        }
        let [own, theirs] = &lanes;
        let inputs = Head::inputs(own, theirs, usize::from(samples.stones[index]));
        let head = &self.heads[samples.sides[index].index()];
        let sums = head.sums(&inputs);
        let points = own[MOVING] - theirs[WAITING];
        let threats = self.weights[self.threats(samples, index)];
        Run {
            inputs,
            sums,
            logit: points + head.logit(&sums) + threats,
        }
    }

    /// How the loss changes with the lanes of both sides, where it changes with
    /// the logit by `slope`; what it does with the weights of the head is added
    /// to `gradient`.
    #[inline]
    fn slopes(
        &self,
        side: Color,
        run: &Run,
        slope: f32,
        gradient: &mut [f32; HEAD_NUMBERS],
    ) -> [Logits; 2] {
        let head = &self.heads[side.index()];
        let mut of_sums = [0.0; HIDDEN];
        let (inward, outward) = gradient.split_at_mut(INPUTS * HIDDEN);
        for unit in 0..HIDDEN {
            outward[unit] += slope * run.sums[unit].max(0.0);
            if run.sums[unit] > 0.0 {
                of_sums[unit] = slope * head.outward[unit];
            }
        }
        let mut of_inputs = [0.0; INPUTS];
        for (input, row) in inward.chunks_exact_mut(HIDDEN).enumerate() {
            for unit in 0..HIDDEN {
                row[unit] += run.inputs[input] * of_sums[unit];
                of_inputs[input] += head.inward[input][unit] * of_sums[unit];
            }
        }
        let mut slopes: [Logits; 2] = [[0.0; LANES]; 2];
        slopes[0].copy_from_slice(&of_inputs[..LANES]);
        slopes[1].copy_from_slice(&of_inputs[LANES..2 * LANES]);
        slopes[0][MOVING] += slope;
        slopes[1][WAITING] -= slope;
        slopes
    }
}

#[inline]
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The logistic loss of a logit against a target between 0 and 1.
#[inline]
fn cross_entropy(logit: f32, target: f32) -> f64 {
    let logit = f64::from(logit);
    let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
    softplus - f64::from(target) * logit
}

/// The logits a unit of score is worth: the slope of the logistic regression
/// of results on scores, by Newton's method.
fn score_scale(samples: &ValueSamples) -> f32 {
    let mut scale = 1.0 / f64::from(Score::LOGIT);
    for _ in 0..20 {
        let (mut slope, mut curvature) = (0.0f64, 1e-6f64);
        for index in (0..samples.len()).filter(|&index| samples.fair[index]) {
            let score = f64::from(samples.scores[index]);
            let chance = 1.0 / (1.0 + (-score * scale).exp());
            slope += (chance - f64::from(samples.results[index])) * score;
            curvature += chance * (1.0 - chance) * score * score;
        }
        // Half steps at most: a first guess far off must not overshoot.
        scale = (scale - slope / curvature).clamp(scale / 2.0, scale * 2.0);
    }
    scale as f32
}
