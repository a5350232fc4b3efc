//! Fitting values: logistic regression of how games end, and of what the
//! search said, on the features of the evaluation.

use super::adam::Problem;
use super::layout::{Layout, Parts};
use super::samples::ValueSamples;
use crate::rules::Rule;

/// Values and threats, to be fitted to positions.
pub struct ValueProblem<'a> {
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
        ValueProblem {
            parts: Layout::of(rule).value_parts(),
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
        let sum: f64 = (0..samples.len())
            .map(|index| cross_entropy(logit(samples, index, slots), samples.results[index]))
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
        let mut loss = 0.0;
        for &sample in samples {
            let index = sample as usize;
            let logit = logit(self.training, index, weights);
            let target = self.training_targets[index];
            loss += cross_entropy(logit, target);
            let slope = logistic(logit) - target;
            for &(slot, times) in self.training.features(index) {
                gradient[slot as usize] += slope * f32::from(times);
            }
            gradient[self.training.threats[index] as usize] += slope;
        }
        loss
    }

    fn loss(&self, sample: usize, weights: &[f32]) -> f64 {
        cross_entropy(
            logit(self.validation, sample, weights),
            self.validation_targets[sample],
        )
    }
}

/// What the evaluation would say with these weights, in logits.
#[inline]
fn logit(samples: &ValueSamples, index: usize, weights: &[f32]) -> f32 {
    let sum: f32 = samples
        .features(index)
        .iter()
        .map(|&(slot, times)| weights[slot as usize] * f32::from(times))
        .sum();
    sum + weights[samples.threats[index] as usize]
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
    let mut scale = 1.0 / 200.0;
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
