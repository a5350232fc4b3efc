//! Adam over weights that are sums: the part of a fit that values and move
//! scores have in common.
//!
//! The same problem and settings give the same weights on every machine with
//! any number of threads: batches are cut into pieces of fixed size whose
//! gradients are added in a fixed order.

use super::layout::Parts;
use anyhow::{Result, ensure};
use fastrand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How many samples make one piece of work.
const PIECE: usize = 256;

/// What is to be fitted: the mean loss of samples under the weights of slots,
/// in logits.
pub trait Problem: Sync {
    /// What the slots are made of.
    fn parts(&self) -> &Parts;
    /// How many samples there are to fit to.
    fn training(&self) -> usize;
    /// How many samples there are to judge by.
    fn validation(&self) -> usize;
    /// Adds the gradient of training samples; returns the sum of their losses.
    fn gradient(&self, samples: &[u32], weights: &[f32], gradient: &mut [f32]) -> f64;
    /// The sum of the losses of validation samples.
    fn losses(&self, samples: Range<usize>, weights: &[f32]) -> f64;
}

/// How a fit is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The most passes over the data.
    pub epochs: usize,
    /// Samples between two steps.
    pub batch: usize,
    /// The first step size; it falls to nothing along a cosine.
    pub rate: f32,
    /// How far a slot's own weight is expected to be from zero, in logits.
    pub own_spread: f32,
    /// The same for shared weights.
    pub shared_spread: f32,
    /// Passes without a better validation loss before the fit ends.
    pub patience: usize,
    /// The seed of the order of samples.
    pub seed: u64,
}

impl Schedule {
    /// Steps in a pass.
    fn batches(&self, problem: &impl Problem) -> usize {
        problem.training().div_ceil(self.batch).max(1)
    }
}

/// The mean losses after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Which pass, from one.
    pub number: usize,
    /// On the samples fitted to, during the pass.
    pub training: f64,
    /// On those kept apart, after it.
    pub validation: f64,
}

/// How far a fit has come, whole passes only: all that it takes to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The losses of every pass.
    pub curve: Vec<Epoch>,
    /// The weights of all slots after the pass with the least validation loss.
    pub best: Vec<f32>,
    state: State,
}

impl Progress {
    fn begin(parts: &Parts, base: &[f32]) -> Progress {
        Progress {
            curve: Vec::new(),
            best: base.to_vec(),
            state: State::begin(parts.slots() + parts.shared()),
        }
    }

    fn is_of(&self, parts: &Parts) -> bool {
        let state = &self.state;
        let weights = [&state.weights, &state.average, &state.mean, &state.square];
        let count = parts.slots() + parts.shared();
        self.best.len() == parts.slots() && weights.iter().all(|part| part.len() == count)
    }

    /// The least validation loss and the passes since.
    fn record(&self) -> (f64, usize) {
        let mut record = (f64::INFINITY, 0);
        for epoch in &self.curve {
            record = if epoch.validation < record.0 {
                (epoch.validation, 0)
            } else {
                (record.0, record.1 + 1)
            };
        }
        record
    }

    /// Notes what a pass has led to.
    fn add(&mut self, epoch: Epoch, slots: Vec<f32>) {
        if epoch.validation < self.record().0 {
            self.best = slots;
        }
        self.curve.push(epoch);
    }
}

/// Fits the weights of slots. What is fitted, and pulled towards zero, is how far
/// they are from `base`. A fit goes on from where `begun` has come with the same
/// problem, schedule and base, and ends as if it had never been interrupted.
/// `told` hears of every pass.
///
/// # Errors
/// What `told` says, which ends the fit; when `begun` is of another problem.
pub fn fit(
    problem: &impl Problem,
    schedule: &Schedule,
    base: &[f32],
    begun: Option<Progress>,
    mut told: impl FnMut(&Progress) -> Result<()>,
) -> Result<Progress> {
    let batches = schedule.batches(problem);
    let adam = Adam::new(problem, schedule, base);
    let mut progress = begun.unwrap_or_else(|| Progress::begin(problem.parts(), base));
    ensure!(
        progress.is_of(problem.parts()),
        "the fit that was begun is of other tables"
    );
    let mut order: Vec<u32> = (0..problem.training() as u32).collect();
    let mut rng = Rng::with_seed(schedule.seed);
    for number in 1..=schedule.epochs {
        // Every pass shuffles what the one before left.
        rng.shuffle(&mut order);
        if number <= progress.curve.len() {
            continue;
        }
        if progress.record().1 >= schedule.patience {
            break;
        }
        let mut loss = 0.0;
        for (index, batch) in order.chunks(schedule.batch).enumerate() {
            let done = (number - 1) as f32 + index as f32 / batches as f32;
            let phase = done / schedule.epochs as f32 * std::f32::consts::PI;
            let rate = schedule.rate * 0.5 * (1.0 + phase.cos());
            loss += adam.step(&mut progress.state, problem, batch, rate);
        }
        let slots = adam.slots(&progress.state.average);
        let epoch = Epoch {
            number,
            training: loss / order.len().max(1) as f64,
            validation: validation_loss(problem, &slots),
        };
        progress.add(epoch, slots);
        told(&progress)?;
    }
    Ok(progress)
}

/// The mean loss of the samples kept apart.
pub fn validation_loss(problem: &impl Problem, slots: &[f32]) -> f64 {
    let count = problem.validation();
    let pieces: Vec<f64> = (0..count.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| problem.losses(piece * PIECE..count.min((piece + 1) * PIECE), slots))
        .collect();
    pieces.iter().sum::<f64>() / count.max(1) as f64
}

/// What the optimizer goes on with, by weight: own weights of slots first, then
/// the shared ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    weights: Vec<f32>,
    /// The weights averaged over about the last pass. Every step is a little
    /// wrong, all the more where a weight is part of every sample; the average
    /// is not, and only it is judged and given away.
    average: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl State {
    fn begin(count: usize) -> State {
        State {
            weights: vec![0.0; count],
            average: vec![0.0; count],
            mean: vec![0.0; count],
            square: vec![0.0; count],
            steps: 0,
        }
    }
}

/// The optimizer's settings.
struct Adam<'a> {
    parts: &'a Parts,
    /// What the weights of slots are added to.
    base: &'a [f32],
    /// One over the squared spread and the number of samples.
    pull: [f32; 2],
    /// What a step counts for in the average, once there were as many steps as
    /// in a pass.
    share: f32,
}

impl<'a> Adam<'a> {
    fn new(problem: &'a impl Problem, schedule: &Schedule, base: &'a [f32]) -> Adam<'a> {
        let pull = |spread: f32| 1.0 / (spread * spread * problem.training().max(1) as f32);
        Adam {
            parts: problem.parts(),
            base,
            pull: [pull(schedule.own_spread), pull(schedule.shared_spread)],
            share: 1.0 / schedule.batches(problem) as f32,
        }
    }

    /// The weights of slots, summed up.
    fn slots(&self, weights: &[f32]) -> Vec<f32> {
        let (own, shared) = weights.split_at(self.parts.slots());
        own.iter()
            .zip(self.base)
            .enumerate()
            .map(|(slot, (weight, base))| {
                let parts = self.parts.of(slot);
                base + weight + parts.iter().map(|&part| shared[part as usize]).sum::<f32>()
            })
            .collect()
    }

    /// Takes one step; returns the sum of the batch's losses before it.
    fn step(&self, state: &mut State, problem: &impl Problem, batch: &[u32], rate: f32) -> f64 {
        const KEEP_MEAN: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.99;
        let slots = self.slots(&state.weights);
        let pieces: Vec<(f64, Vec<f32>)> = batch
            .par_chunks(PIECE)
            .map(|samples| {
                let mut gradient = vec![0.0; slots.len()];
                (problem.gradient(samples, &slots, &mut gradient), gradient)
            })
            .collect();
        let loss = pieces.iter().map(|(loss, _)| loss).sum();
        let gradient = self.gradient(&pieces, batch.len());
        state.steps += 1;
        let mean_scale = 1.0 / (1.0 - KEEP_MEAN.powi(state.steps));
        let square_scale = 1.0 / (1.0 - KEEP_SQUARE.powi(state.steps));
        for (index, slope) in gradient.into_iter().enumerate() {
            let pull = self.pull[usize::from(index >= self.parts.slots())];
            let slope = slope + pull * state.weights[index];
            let mean = &mut state.mean[index];
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            let square = &mut state.square[index];
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            state.weights[index] -=
                rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
        }
        let share = self.share.max(1.0 / state.steps as f32);
        for (average, weight) in state.average.iter_mut().zip(&state.weights) {
            *average += (weight - *average) * share;
        }
        loss
    }

    /// The mean gradient of all weights from the gradients of slots.
    fn gradient(&self, pieces: &[(f64, Vec<f32>)], samples: usize) -> Vec<f32> {
        let slots = self.parts.slots();
        let mut gradient = vec![0.0; slots + self.parts.shared()];
        for (_, piece) in pieces {
            for (sum, slope) in gradient.iter_mut().zip(piece) {
                *sum += slope;
            }
        }
        let (own, shared) = gradient.split_at_mut(slots);
        for (slot, slope) in own.iter_mut().enumerate() {
            *slope /= samples as f32;
            for &part in self.parts.of(slot) {
                shared[part as usize] += *slope;
            }
        }
        gradient
    }
}
