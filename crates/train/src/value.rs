//! Fitting the value: logistic regression of the results of games, blended with
//! the scores of the search.

use super::adam::Objective;
use super::dataset::ValueSamples;
use super::factors::Factors;
use super::layout::ParameterLayout;
use super::loss::{cross_entropy, logistic};
use quincunx_engine::eval::{
    EMBEDDING_DIM, EmbeddingSum, HEAD_INPUTS, HEAD_WEIGHTS, HIDDEN_UNITS, OPPONENT, SIDE_TO_MOVE,
    ValueHead,
};
use quincunx_engine::rules::{Color, Rule};
use quincunx_engine::score::Score;
use std::ops::Range;

/// The binary cross-entropy of the value against its targets.
pub(crate) struct ValueObjective<'a> {
    layout: ParameterLayout,
    factors: Factors,
    training: &'a ValueSamples,
    validation: &'a ValueSamples,
    training_targets: Vec<f32>,
    validation_targets: Vec<f32>,
    /// Logits per unit of the search's scores.
    pub(crate) score_scale: f32,
}

impl<'a> ValueObjective<'a> {
    /// Creates the objective of these samples. A target is the result of the game
    /// with the weight `result_share` and the search's score for the rest. Where
    /// later moves were sampled the result says less and gets half its weight.
    pub(crate) fn new(
        rule: Rule,
        training: &'a ValueSamples,
        validation: &'a ValueSamples,
        result_share: f32,
    ) -> ValueObjective<'a> {
        let score_scale = fit_score_scale(training);
        let targets = |samples: &ValueSamples| {
            (0..samples.len())
                .map(|index| {
                    let share = if samples.on_policy[index] {
                        result_share
                    } else {
                        result_share / 2.0
                    };
                    let search = logistic(f32::from(samples.scores[index]) * score_scale);
                    share * samples.results[index] + (1.0 - share) * search
                })
                .collect()
        };
        let layout = ParameterLayout::of(rule);
        ValueObjective {
            layout,
            factors: layout.value_factors(),
            training_targets: targets(training),
            validation_targets: targets(validation),
            training,
            validation,
            score_scale,
        }
    }

    /// Returns the mean validation loss of `parameters` on the results alone.
    pub(crate) fn result_loss(&self, parameters: &[f32]) -> f64 {
        let samples = self.validation;
        let model = ValueModel::new(self.layout, parameters);
        let loss = |index| {
            let logit = model.forward(samples, index).logit;
            cross_entropy(logit, samples.results[index])
        };
        let sum: f64 = (0..samples.len()).map(loss).sum();
        sum / samples.len().max(1) as f64
    }

    /// Returns the mean validation loss of the search's scores on the results.
    pub(crate) fn search_loss(&self) -> f64 {
        let samples = self.validation;
        let loss = |index: usize| {
            let logit = f32::from(samples.scores[index]) * self.score_scale;
            cross_entropy(logit, samples.results[index])
        };
        let sum: f64 = (0..samples.len()).map(loss).sum();
        sum / samples.len().max(1) as f64
    }
}

impl Objective for ValueObjective<'_> {
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
        let model = ValueModel::new(self.layout, parameters);
        let mut heads = [[0.0; HEAD_WEIGHTS]; 2];
        let mut loss = 0.0;
        for &sample in samples {
            let index = sample as usize;
            let pass = model.forward(self.training, index);
            let target = self.training_targets[index];
            loss += cross_entropy(pass.logit, target);
            let slope = logistic(pass.logit) - target;
            let side = self.training.sides[index];
            let slopes = model.backward(side, &pass, slope, &mut heads[side.index()]);
            for &(feature, count) in self.training.features(index) {
                let (is_opponents, first) = model.embedding(feature);
                let embedding = &mut gradient[first..first + EMBEDDING_DIM];
                for (sum, slope) in embedding.iter_mut().zip(&slopes[usize::from(is_opponents)]) {
                    *sum += slope * f32::from(count);
                }
            }
            gradient[model.threats(self.training, index)] += slope;
        }
        for (color, head) in Color::ALL.into_iter().zip(&heads) {
            let first = self.layout.head(color);
            let sums = &mut gradient[first..first + HEAD_WEIGHTS];
            for (sum, slope) in sums.iter_mut().zip(head) {
                *sum += slope;
            }
        }
        loss
    }

    fn validation_loss(&self, samples: Range<usize>, parameters: &[f32]) -> f64 {
        let model = ValueModel::new(self.layout, parameters);
        samples
            .map(|index| {
                let logit = model.forward(self.validation, index).logit;
                cross_entropy(logit, self.validation_targets[index])
            })
            .sum()
    }
}

/// The evaluation in floating point, with the parameters of a fit.
pub struct ValueModel<'a> {
    layout: ParameterLayout,
    parameters: &'a [f32],
    heads: [ValueHead; 2],
}

/// The activations of a forward pass.
pub struct ForwardPass {
    inputs: [f32; HEAD_INPUTS],
    hidden: [f32; HIDDEN_UNITS],
    /// The value for the side to move.
    pub logit: f32,
}

impl<'a> ValueModel<'a> {
    /// Creates the model with these parameters of the value.
    pub fn new(layout: ParameterLayout, parameters: &'a [f32]) -> ValueModel<'a> {
        let heads = Color::ALL.map(|side| {
            let first = layout.head(side);
            ValueHead::new(|index| parameters[first + index])
        });
        ValueModel {
            layout,
            parameters,
            heads,
        }
    }

    /// Returns whether a feature is the opponent's, and the first parameter of its
    /// embedding.
    #[inline]
    fn embedding(&self, feature: u16) -> (bool, usize) {
        let (number, embeddings) = (usize::from(feature), self.layout.embeddings());
        if number < embeddings {
            (false, number * EMBEDDING_DIM)
        } else {
            (true, (number - embeddings) * EMBEDDING_DIM)
        }
    }

    /// Returns the parameter of the threats of a sample.
    #[inline]
    fn threats(&self, samples: &ValueSamples, index: usize) -> usize {
        let set = usize::from(samples.threats[index]);
        self.layout.threats(samples.sides[index], set)
    }

    /// Evaluates a sample.
    #[inline]
    pub fn forward(&self, samples: &ValueSamples, index: usize) -> ForwardPass {
        let mut sums: [EmbeddingSum; 2] = [[0.0; EMBEDDING_DIM]; 2];
        for &(feature, count) in samples.features(index) {
            let (is_opponents, first) = self.embedding(feature);
            let embedding = &self.parameters[first..first + EMBEDDING_DIM];
            for (sum, weight) in sums[usize::from(is_opponents)].iter_mut().zip(embedding) {
                *sum += weight * f32::from(count);
            }
        }
        let [own, theirs] = &sums;
        let inputs = ValueHead::inputs(own, theirs, usize::from(samples.stones[index]));
        let head = &self.heads[samples.sides[index].index()];
        let hidden = head.hidden(&inputs);
        let linear = own[SIDE_TO_MOVE] - theirs[OPPONENT];
        let threats = self.parameters[self.threats(samples, index)];
        ForwardPass {
            inputs,
            hidden,
            logit: linear + head.output(&hidden) + threats,
        }
    }

    /// Propagates `slope`, the derivative of the loss by the logit, back to the
    /// embedding sums of both sides, whose derivatives it returns. Those of the
    /// value head are added to `gradient`.
    #[inline]
    fn backward(
        &self,
        side: Color,
        pass: &ForwardPass,
        slope: f32,
        gradient: &mut [f32; HEAD_WEIGHTS],
    ) -> [EmbeddingSum; 2] {
        let head = &self.heads[side.index()];
        let mut of_hidden = [0.0; HIDDEN_UNITS];
        let (hidden_weights, output_weights) = gradient.split_at_mut(HEAD_INPUTS * HIDDEN_UNITS);
        for unit in 0..HIDDEN_UNITS {
            output_weights[unit] += slope * pass.hidden[unit].max(0.0);
            if pass.hidden[unit] > 0.0 {
                of_hidden[unit] = slope * head.output_weights[unit];
            }
        }
        let mut of_inputs = [0.0; HEAD_INPUTS];
        for (input, row) in hidden_weights.chunks_exact_mut(HIDDEN_UNITS).enumerate() {
            for unit in 0..HIDDEN_UNITS {
                row[unit] += pass.inputs[input] * of_hidden[unit];
                of_inputs[input] += head.hidden_weights[input][unit] * of_hidden[unit];
            }
        }
        let mut of_sums: [EmbeddingSum; 2] = [[0.0; EMBEDDING_DIM]; 2];
        of_sums[0].copy_from_slice(&of_inputs[..EMBEDDING_DIM]);
        of_sums[1].copy_from_slice(&of_inputs[EMBEDDING_DIM..2 * EMBEDDING_DIM]);
        of_sums[0][SIDE_TO_MOVE] += slope;
        of_sums[1][OPPONENT] -= slope;
        of_sums
    }
}

/// Returns the logits per unit of score: the slope of the logistic regression of
/// results on scores, by Newton's method.
fn fit_score_scale(samples: &ValueSamples) -> f32 {
    let mut scale = 1.0 / f64::from(Score::LOGIT);
    for _ in 0..20 {
        let (mut slope, mut curvature) = (0.0f64, 1e-6f64);
        for index in (0..samples.len()).filter(|&index| samples.on_policy[index]) {
            let score = f64::from(samples.scores[index]);
            let probability = 1.0 / (1.0 + (-score * scale).exp());
            slope += (probability - f64::from(samples.results[index])) * score;
            curvature += probability * (1.0 - probability) * score * score;
        }
        // At most a factor of two, so that a first guess far off does not overshoot.
        scale = (scale - slope / curvature).clamp(scale / 2.0, scale * 2.0);
    }
    scale as f32
}
