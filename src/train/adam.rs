//! Adam over weights that are sums: the part of a fit that values and move
//! scores have in common.
//!
//! The same problem and settings give the same weights on every machine with
//! any number of threads: batches are cut into pieces of fixed size whose
//! gradients are added in a fixed order.

use super::layout::Parts;
use fastrand::Rng;
use rayon::prelude::*;
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Which pass, from one.
    pub number: usize,
    /// On the samples fitted to, during the pass.
    pub training: f64,
    /// On those kept apart, after it.
    pub validation: f64,
}

/// The weights of all slots after the pass with the least validation loss.
/// What is fitted, and pulled towards zero, is how far they are from `base`.
/// `told` hears of every pass.
pub fn fit(
    problem: &impl Problem,
    schedule: &Schedule,
    base: &[f32],
    mut told: impl FnMut(&Epoch),
) -> (Vec<f32>, Vec<Epoch>) {
    let batches = schedule.batches(problem);
    let mut adam = Adam::new(problem, schedule, base);
    let mut order: Vec<u32> = (0..problem.training() as u32).collect();
    let mut rng = Rng::with_seed(schedule.seed);
    let mut best = (f64::INFINITY, adam.averaged());
    let mut curve: Vec<Epoch> = Vec::new();
    let mut worse = 0;
    for number in 1..=schedule.epochs {
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for (index, batch) in order.chunks(schedule.batch).enumerate() {
            let done = (number - 1) as f32 + index as f32 / batches as f32;
            let phase = done / schedule.epochs as f32 * std::f32::consts::PI;
            let rate = schedule.rate * 0.5 * (1.0 + phase.cos());
            loss += adam.step(problem, batch, rate);
        }
        let slots = adam.averaged();
        let epoch = Epoch {
            number,
            training: loss / order.len().max(1) as f64,
            validation: validation_loss(problem, &slots),
        };
        told(&epoch);
        curve.push(epoch);
        if epoch.validation < best.0 {
            best = (epoch.validation, slots);
            worse = 0;
        } else {
            worse += 1;
            if worse >= schedule.patience {
                break;
            }
        }
    }
    (best.1, curve)
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

/// The optimizer's state: own weights of slots first, then the shared ones.
struct Adam<'a> {
    parts: &'a Parts,
    /// What the weights of slots are added to.
    base: &'a [f32],
    /// One over the squared spread and the number of samples.
    pull: [f32; 2],
    weights: Vec<f32>,
    /// The weights averaged over about the last pass. Every step is a little
    /// wrong, all the more where a weight is part of every sample; the average
    /// is not, and only it is judged and given away.
    average: Vec<f32>,
    /// What a step counts for in the average, once there were as many steps as
    /// in a pass.
    share: f32,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl<'a> Adam<'a> {
    fn new(problem: &'a impl Problem, schedule: &Schedule, base: &'a [f32]) -> Adam<'a> {
        let parts = problem.parts();
        let count = parts.slots() + parts.shared();
        let pull = |spread: f32| 1.0 / (spread * spread * problem.training().max(1) as f32);
        Adam {
            parts,
            base,
            pull: [pull(schedule.own_spread), pull(schedule.shared_spread)],
            weights: vec![0.0; count],
            average: vec![0.0; count],
            share: 1.0 / schedule.batches(problem) as f32,
            mean: vec![0.0; count],
            square: vec![0.0; count],
            steps: 0,
        }
    }

    /// The averaged weights of slots, summed up.
    fn averaged(&self) -> Vec<f32> {
        self.slots(&self.average)
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
    fn step(&mut self, problem: &impl Problem, batch: &[u32], rate: f32) -> f64 {
        const KEEP_MEAN: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.999;
        let slots = self.slots(&self.weights);
        let pieces: Vec<(f64, Vec<f32>)> = batch
            .par_chunks(PIECE)
            .map(|samples| {
                let mut gradient = vec![0.0; slots.len()];
                (problem.gradient(samples, &slots, &mut gradient), gradient)
            })
            .collect();
        let loss = pieces.iter().map(|(loss, _)| loss).sum();
        let gradient = self.gradient(&pieces, batch.len());
        self.steps += 1;
        let mean_scale = 1.0 / (1.0 - KEEP_MEAN.powi(self.steps));
        let square_scale = 1.0 / (1.0 - KEEP_SQUARE.powi(self.steps));
        for (index, slope) in gradient.into_iter().enumerate() {
            let pull = self.pull[usize::from(index >= self.parts.slots())];
            let slope = slope + pull * self.weights[index];
            let mean = &mut self.mean[index];
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            let square = &mut self.square[index];
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            self.weights[index] -=
                rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
        }
        let share = self.share.max(1.0 / self.steps as f32);
        for (average, weight) in self.average.iter_mut().zip(&self.weights) {
            *average += (weight - *average) * share;
        }
        loss
    }

    /// The mean gradient of all weights from the gradients of slots.
    fn gradient(&self, pieces: &[(f64, Vec<f32>)], samples: usize) -> Vec<f32> {
        let slots = self.parts.slots();
        let mut gradient = vec![0.0; self.weights.len()];
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
