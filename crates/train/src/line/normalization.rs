//! The mean and spread of the pooled channels, so that heads are trained on inputs of similar
//! size.

use quincunx_engine::eval::line::LINE_CHANNELS;
use serde::{Deserialize, Serialize};

/// The pooled channels: those of the side to move, then its opponent's.
pub(super) const POOLED: usize = 2 * LINE_CHANNELS;

/// The smallest spread that a channel is normalised by.
const LEAST_SPREAD: f64 = 0.1;

/// How much of the mean and spread of the channels stays from batch to batch.
const DECAY: f64 = 0.99;

/// The mean and spread of each pooled channel, by which the inputs of a head are
/// normalised.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Normalization {
    means: Vec<f64>,
    squares: Vec<f64>,
    /// The number that is subtracted from each channel.
    pub(crate) shift: Vec<f32>,
    /// The factor by which each channel is then multiplied.
    pub(crate) scale: Vec<f32>,
}

impl Normalization {
    /// Returns the normalisation that changes nothing: shift zero, scale one.
    pub(crate) fn none() -> Normalization {
        Normalization {
            means: vec![0.0; POOLED],
            squares: vec![0.0; POOLED],
            shift: vec![0.0; POOLED],
            scale: vec![1.0; POOLED],
        }
    }

    /// Returns whether there is a number for each channel.
    pub(crate) fn is_whole(&self) -> bool {
        [self.means.len(), self.squares.len()] == [POOLED; 2]
            && [self.shift.len(), self.scale.len()] == [POOLED; 2]
    }

    /// Takes the channels of a batch into account. The first batch counts whole.
    pub(crate) fn update(&mut self, moments: &Moments) {
        if moments.count == 0 {
            return;
        }
        let is_first = self.squares == [0.0; POOLED];
        let decay = if is_first { 0.0 } else { DECAY };
        for channel in 0..POOLED {
            let mean = moments.sums[channel] / moments.count as f64;
            let square = moments.squares[channel] / moments.count as f64;
            self.means[channel] += (1.0 - decay) * (mean - self.means[channel]);
            self.squares[channel] += (1.0 - decay) * (square - self.squares[channel]);
            let variance = self.squares[channel] - self.means[channel].powi(2);
            self.shift[channel] = self.means[channel] as f32;
            self.scale[channel] = (1.0 / variance.max(0.0).sqrt().max(LEAST_SPREAD)) as f32;
        }
    }
}

/// Sums over the samples of a batch, for [`Normalization`].
#[derive(Clone)]
pub(crate) struct Moments {
    sums: [f64; POOLED],
    squares: [f64; POOLED],
    count: usize,
}

impl Moments {
    /// The sums over no samples.
    pub(super) const ZERO: Moments = Moments {
        sums: [0.0; POOLED],
        squares: [0.0; POOLED],
        count: 0,
    };

    /// Adds the pooled channels of a sample.
    pub(super) fn add(&mut self, pooled: &[f32]) {
        for (channel, &value) in pooled.iter().enumerate() {
            self.sums[channel] += f64::from(value);
            self.squares[channel] += f64::from(value).powi(2);
        }
        self.count += 1;
    }

    /// Adds the sums of other samples.
    pub(crate) fn merge(&mut self, other: &Moments) {
        for channel in 0..POOLED {
            self.sums[channel] += other.sums[channel];
            self.squares[channel] += other.squares[channel];
        }
        self.count += other.count;
    }
}
