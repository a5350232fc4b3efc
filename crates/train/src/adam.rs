//! Fits of factorised parameters: those of the value and of the policy.
//!
//! The same objective and hyperparameters give the same parameters with any number
//! of threads: batches are cut into microbatches of fixed size whose gradients are
//! added in a fixed order.

use super::factors::Factors;
use super::optimizer::{AdamStep, Buffers, Group};
use fastrand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The number of samples in a microbatch.
const MICROBATCH: usize = 256;

/// The decay rates of the moment estimates.
const BETAS: [f32; 2] = [0.9, 0.99];
/// Keeps the step finite where the gradient is zero.
const EPSILON: f32 = 1e-8;

/// The function that a fit minimises: the mean loss of samples under parameters in logits.
pub(crate) trait Objective: Sync {
    /// Returns the factorisation of the parameters.
    fn factors(&self) -> &Factors;
    /// Returns the number of training samples.
    fn training_samples(&self) -> usize;
    /// Returns the number of validation samples.
    fn validation_samples(&self) -> usize;
    /// Adds the gradient of training samples to `gradient` and returns the sum of
    /// their losses.
    fn gradient(&self, samples: &[u32], parameters: &[f32], gradient: &mut [f32]) -> f64;
    /// Returns the sum of the losses of validation samples.
    fn validation_loss(&self, samples: Range<usize>, parameters: &[f32]) -> f64;
}

/// The hyperparameters of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hyperparameters {
    /// The largest number of epochs.
    pub(crate) epochs: usize,
    /// The number of samples in a batch.
    pub(crate) batch_size: usize,
    /// The first learning rate. It decays to zero along a cosine.
    pub(crate) learning_rate: f32,
    /// The standard deviation of the prior of a parameter's own weight, in
    /// logits. A narrow prior is a strong L2 regularisation.
    pub(crate) own_prior: f32,
    /// The standard deviation of the prior of shared weights.
    pub(crate) shared_prior: f32,
    /// The number of epochs without a better validation loss after which the fit
    /// ends.
    pub(crate) patience: usize,
    /// The seed of the order of samples.
    pub(crate) seed: u64,
}

impl Hyperparameters {
    /// Returns the number of batches in an epoch.
    fn batches(&self, objective: &impl Objective) -> usize {
        objective
            .training_samples()
            .div_ceil(self.batch_size)
            .max(1)
    }
}

/// The mean losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochLoss {
    /// The number of the epoch, from one.
    pub number: usize,
    /// The training loss during the epoch.
    pub training: f64,
    /// The validation loss after the epoch.
    pub validation: f64,
}

/// The state of a fit after an epoch: everything that is needed to resume it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// The losses of every epoch.
    pub(crate) curve: Vec<EpochLoss>,
    /// The parameters after the epoch with the lowest validation loss.
    pub(crate) best: Vec<f32>,
    state: OptimizerState,
}

impl Checkpoint {
    fn initial(factors: &Factors, initial: &[f32]) -> Checkpoint {
        Checkpoint {
            curve: Vec::new(),
            best: initial.to_vec(),
            state: OptimizerState::zero(factors.parameters() + factors.shared()),
        }
    }

    /// Returns whether the checkpoint has weights for these factors.
    pub(crate) fn matches(&self, factors: &Factors) -> bool {
        let OptimizerState {
            weights,
            average,
            first_moment,
            second_moment,
            ..
        } = &self.state;
        let count = factors.parameters() + factors.shared();
        let mut lists = [weights, average, first_moment, second_moment].into_iter();
        self.best.len() == factors.parameters() && lists.all(|list| list.len() == count)
    }

    /// Returns the lowest validation loss and the number of epochs since.
    fn lowest_loss(&self) -> (f64, usize) {
        let mut lowest = (f64::INFINITY, 0);
        for epoch in &self.curve {
            lowest = if epoch.validation < lowest.0 {
                (epoch.validation, 0)
            } else {
                (lowest.0, lowest.1 + 1)
            };
        }
        lowest
    }

    /// Records an epoch and the parameters after it.
    fn add(&mut self, epoch: EpochLoss, parameters: Vec<f32>) {
        if epoch.validation < self.lowest_loss().0 {
            self.best = parameters;
        }
        self.curve.push(epoch);
    }
}

/// Minimises the loss of `objective`, starting from the parameters `initial`.
/// The regularisation is towards these parameters.
///
/// A fit resumes from `checkpoint`, which is of the same objective, hyperparameters
/// and initial parameters, and gives the same result as without an interruption.
/// `on_epoch` is called after every epoch.
///
/// # Errors
/// Returns an error of `on_epoch`, which ends the fit.
pub(crate) fn minimize<E>(
    objective: &impl Objective,
    hyperparameters: &Hyperparameters,
    initial: &[f32],
    checkpoint: Option<Checkpoint>,
    mut on_epoch: impl FnMut(&Checkpoint) -> Result<(), E>,
) -> Result<Checkpoint, E> {
    let batches = hyperparameters.batches(objective);
    let adam = Adam::new(objective, hyperparameters, initial);
    let start = || Checkpoint::initial(objective.factors(), initial);
    let mut checkpoint = checkpoint.unwrap_or_else(start);
    let mut order: Vec<u32> = (0..objective.training_samples() as u32).collect();
    let mut rng = Rng::with_seed(hyperparameters.seed);
    for number in 1..=hyperparameters.epochs {
        // Every epoch shuffles the order of the epoch before, so those that are
        // skipped shuffle too.
        rng.shuffle(&mut order);
        if number <= checkpoint.curve.len() {
            continue;
        }
        if checkpoint.lowest_loss().1 >= hyperparameters.patience {
            break;
        }
        let mut loss = 0.0;
        for (index, batch) in order.chunks(hyperparameters.batch_size).enumerate() {
            let done = (number - 1) as f32 + index as f32 / batches as f32;
            let phase = done / hyperparameters.epochs as f32 * std::f32::consts::PI;
            let learning_rate = hyperparameters.learning_rate * 0.5 * (1.0 + phase.cos());
            loss += adam.step(&mut checkpoint.state, objective, batch, learning_rate);
        }
        let parameters = adam.parameters(&checkpoint.state.average);
        let epoch = EpochLoss {
            number,
            training: loss / order.len().max(1) as f64,
            validation: validation_loss(objective, &parameters),
        };
        checkpoint.add(epoch, parameters);
        on_epoch(&checkpoint)?;
    }
    Ok(checkpoint)
}

/// Returns the mean loss of the validation samples.
pub(crate) fn validation_loss(objective: &impl Objective, parameters: &[f32]) -> f64 {
    let count = objective.validation_samples();
    let losses: Vec<f64> = (0..count.div_ceil(MICROBATCH))
        .into_par_iter()
        .map(|index| {
            let samples = index * MICROBATCH..count.min((index + 1) * MICROBATCH);
            objective.validation_loss(samples, parameters)
        })
        .collect();
    losses.iter().sum::<f64>() / count.max(1) as f64
}

/// The state of the optimiser by weight: the parameters' own weights first, then
/// the shared ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OptimizerState {
    weights: Vec<f32>,
    /// The weights averaged over about the last epoch. Single steps are noisy,
    /// most of all in weights that are part of every sample. Only the average is
    /// validated and returned.
    average: Vec<f32>,
    first_moment: Vec<f32>,
    second_moment: Vec<f32>,
    steps: i32,
}

impl OptimizerState {
    fn zero(count: usize) -> OptimizerState {
        OptimizerState {
            weights: vec![0.0; count],
            average: vec![0.0; count],
            first_moment: vec![0.0; count],
            second_moment: vec![0.0; count],
            steps: 0,
        }
    }
}

/// The settings of the optimiser.
struct Adam<'a> {
    factors: &'a Factors,
    /// What the weights are added to.
    initial: &'a [f32],
    /// The L2 coefficients of own weights and of shared ones.
    decay: [f32; 2],
    /// The weights that the regularisation pulls to, which are zero.
    origin: Vec<f32>,
    /// The weight of a step in the average, once there were as many steps as in
    /// an epoch.
    averaging: f32,
}

impl<'a> Adam<'a> {
    fn new(
        objective: &'a impl Objective,
        hyperparameters: &Hyperparameters,
        initial: &'a [f32],
    ) -> Adam<'a> {
        let samples = objective.training_samples().max(1) as f32;
        let decay = |prior: f32| 1.0 / (prior * prior * samples);
        let factors = objective.factors();
        Adam {
            factors,
            initial,
            decay: [
                decay(hyperparameters.own_prior),
                decay(hyperparameters.shared_prior),
            ],
            origin: vec![0.0; factors.parameters() + factors.shared()],
            averaging: 1.0 / hyperparameters.batches(objective) as f32,
        }
    }

    /// Adds up the weights of every parameter.
    fn parameters(&self, weights: &[f32]) -> Vec<f32> {
        let (own, shared) = weights.split_at(self.factors.parameters());
        own.iter()
            .zip(self.initial)
            .enumerate()
            .map(|(parameter, (weight, initial))| {
                let shared_by = self.factors.of(parameter).iter();
                initial + weight + shared_by.map(|&index| shared[index as usize]).sum::<f32>()
            })
            .collect()
    }

    /// Takes one step and returns the sum of the batch's losses before it.
    fn step(
        &self,
        state: &mut OptimizerState,
        objective: &impl Objective,
        batch: &[u32],
        learning_rate: f32,
    ) -> f64 {
        let parameters = self.parameters(&state.weights);
        let microbatches: Vec<(f64, Vec<f32>)> = batch
            .par_chunks(MICROBATCH)
            .map(|samples| {
                let mut gradient = vec![0.0; parameters.len()];
                let loss = objective.gradient(samples, &parameters, &mut gradient);
                (loss, gradient)
            })
            .collect();
        let loss = microbatches.iter().map(|(loss, _)| loss).sum();
        let gradient = self.gradient(&microbatches);
        state.steps += 1;
        let own = self.factors.parameters();
        let ranges = [0..own, own..state.weights.len()];
        let group = |(range, l2)| Group {
            range,
            rate: learning_rate,
            epsilon: EPSILON,
            l2,
            weight_decay: 0.0,
        };
        let groups: Vec<Group> = ranges.into_iter().zip(self.decay).map(group).collect();
        let mut buffers = Buffers {
            parameters: &mut state.weights,
            first_moment: &mut state.first_moment,
            second_moment: &mut state.second_moment,
            average: &mut state.average,
            origin: &self.origin,
        };
        let step = AdamStep {
            betas: BETAS,
            number: state.steps,
            scale: 1.0 / batch.len() as f32,
            average_decay: 1.0 - self.averaging.max(1.0 / state.steps as f32),
        };
        step.take(&mut buffers, &gradient, &groups);
        loss
    }

    /// Adds up the gradient of all weights from the gradients of parameters.
    fn gradient(&self, microbatches: &[(f64, Vec<f32>)]) -> Vec<f32> {
        let parameters = self.factors.parameters();
        let mut gradient = vec![0.0; parameters + self.factors.shared()];
        for (_, microbatch) in microbatches {
            for (sum, slope) in gradient.iter_mut().zip(microbatch) {
                *sum += slope;
            }
        }
        let (own, shared) = gradient.split_at_mut(parameters);
        for (parameter, slope) in own.iter().enumerate() {
            for &index in self.factors.of(parameter) {
                shared[index as usize] += *slope;
            }
        }
        gradient
    }
}
