//! Fitting the policy: softmax regression of the move that the search chose
//! among all moves that it could have tried.

use super::adam::Objective;
use super::dataset::{MoveFeatures, PolicySamples};
use super::factors::Factors;
use super::layout::ParameterLayout;
use quincunx_engine::rules::Rule;
use std::ops::Range;

/// The cross-entropy of the chosen moves under the softmax of the move scores.
pub(crate) struct PolicyObjective<'a> {
    factors: Factors,
    training: &'a PolicySamples,
    validation: &'a PolicySamples,
}

impl<'a> PolicyObjective<'a> {
    /// Creates the objective of these samples.
    pub(crate) fn new(
        rule: Rule,
        training: &'a PolicySamples,
        validation: &'a PolicySamples,
    ) -> PolicyObjective<'a> {
        PolicyObjective {
            factors: ParameterLayout::of(rule).policy_factors(),
            training,
            validation,
        }
    }

    /// Returns the top-1 accuracy: the share of validation samples in which the
    /// move with the highest score is the one that the search chose.
    pub(crate) fn accuracy(&self, parameters: &[f32]) -> f64 {
        let samples = self.validation;
        let is_correct = |&index: &usize| {
            let moves = samples.moves(index).iter();
            let mut logits = moves.map(|features| logit(features, parameters));
            let chosen = logits.next().unwrap_or(0.0);
            logits.all(|logit| logit < chosen)
        };
        let correct = (0..samples.len()).filter(is_correct);
        correct.count() as f64 / samples.len().max(1) as f64
    }
}

/// Returns the logit of a move.
#[inline]
fn logit(features: &MoveFeatures, parameters: &[f32]) -> f32 {
    let weight = |&feature: &u16| parameters[feature as usize];
    features.iter().map(weight).sum()
}

/// Writes the softmax of the moves' logits to `probabilities` and returns the
/// loss of the first move.
#[inline]
fn softmax(moves: &[MoveFeatures], parameters: &[f32], probabilities: &mut Vec<f32>) -> f64 {
    probabilities.clear();
    probabilities.extend(moves.iter().map(|features| logit(features, parameters)));
    let top = probabilities.iter().copied().fold(f32::MIN, f32::max);
    let chosen = f64::from(probabilities[0] - top);
    let mut sum = 0.0;
    for probability in probabilities.iter_mut() {
        *probability = (*probability - top).exp();
        sum += *probability;
    }
    for probability in probabilities.iter_mut() {
        *probability /= sum;
    }
    f64::from(sum).ln() - chosen
}

impl Objective for PolicyObjective<'_> {
    fn factors(&self) -> &Factors {
        &self.factors
    }

    fn training_samples(&self) -> usize {
        self.training.len()
    }

    fn validation_samples(&self) -> usize {
        self.validation.len()
    }

    fn gradient(&self, samples: &[u32], parameters: &[f32], gradient: &mut [f32]) -> f64 {
        let mut probabilities = Vec::new();
        let mut loss = 0.0;
        for &sample in samples {
            let moves = self.training.moves(sample as usize);
            loss += softmax(moves, parameters, &mut probabilities);
            probabilities[0] -= 1.0;
            for (features, &slope) in moves.iter().zip(&probabilities) {
                for &feature in features {
                    gradient[feature as usize] += slope;
                }
            }
        }
        loss
    }

    fn validation_loss(&self, samples: Range<usize>, parameters: &[f32]) -> f64 {
        let mut probabilities = Vec::new();
        samples
            .map(|sample| {
                softmax(
                    self.validation.moves(sample),
                    parameters,
                    &mut probabilities,
                )
            })
            .sum()
    }
}
