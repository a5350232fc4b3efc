//! The fit of a line network: files of games in, a network out.
//!
//! The same files, options and seed give the same network on every machine with any
//! number of threads: a batch is cut into a fixed number of parts, and their
//! gradients are added in order.

use super::layout::{LineLayout, Rows};
use super::network::{LineGradient, LineModel, LossSums, Normalization, Scratch, quantize};
use super::samples::{SampleSets, Samples, TargetOptions};
use crate::eval::ClassicalWeights;
use crate::eval::line::LineWeights;
use crate::rules::Rule;
use crate::train::fit::{FitError, games_in};
use fastrand::Rng;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of parts of a batch.
const PARTS: usize = 4;

/// Games that are read before their samples are taken.
const CHUNK_GAMES: usize = 4096;

/// Samples whose validation losses are added up by one thread.
const CHUNK_SAMPLES: usize = 1024;

/// Parameters that one thread updates.
const CHUNK_PARAMETERS: usize = 1 << 15;

/// The decay rates of the moment estimates of Adam.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

/// The epsilon of Adam for heads.
const HEAD_EPSILON: f32 = 1e-6;

/// The steps in which the learning rate rises to its full height.
const WARM_UP: f32 = 100.0;

/// The reciprocal of the part of all steps over which the weights are averaged.
const AVERAGED_ONE_IN: f32 = 20.0;

/// How often the losses are reported.
const REPORTS: usize = 12;

/// How a line network is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFitOptions {
    /// The rule.
    pub rule: Rule,
    /// The network to start from, of this rule or of another; random weights if there is
    /// none.
    pub start: Option<LineWeights>,
    /// The seed of the first weights and of the order of samples.
    pub seed: u64,
    /// How often every sample is used.
    pub passes: f64,
    /// The samples of a batch.
    pub batch_size: usize,
    /// The largest learning rate of the heads.
    pub head_rate: f32,
    /// The largest learning rate of the embeddings.
    pub embedding_rate: f32,
    /// The epsilon of Adam for embeddings: rows whose gradient is smaller take
    /// smaller steps.
    pub epsilon: f32,
    /// How the targets of the value are made.
    pub targets: TargetOptions,
}

/// The default options, but for the rule.
impl LineFitOptions {
    /// Returns the default options for `rule`.
    pub fn of(rule: Rule) -> LineFitOptions {
        LineFitOptions {
            rule,
            start: None,
            seed: 1,
            passes: 2.0,
            batch_size: 2048,
            head_rate: 1e-3,
            embedding_rate: 4e-3,
            epsilon: 3e-6,
            targets: TargetOptions {
                future_share: 0.6,
                lambda: 0.9,
            },
        }
    }
}

/// What happens during a fit.
#[derive(Clone, Debug)]
pub enum LineFitEvent {
    /// A file of games was read. The counts are totals so far.
    Read {
        /// The file.
        path: PathBuf,
        /// Training samples and validation samples.
        samples: [usize; 2],
    },
    /// Some steps were made.
    Steps {
        /// The steps so far, and all.
        steps: [usize; 2],
        /// The mean loss of the training samples since the last event.
        training: f64,
        /// The sums of the losses of all validation samples.
        validation: LossSums,
    },
}

/// The state of a fit.
struct LineFit<'a> {
    options: &'a LineFitOptions,
    layout: LineLayout,
    parameters: Vec<f32>,
    /// The moment estimates of Adam.
    first_moment: Vec<f32>,
    second_moment: Vec<f32>,
    /// The average of the parameters, and the weight of all that is in it.
    average: Vec<f32>,
    average_weight: f32,
    normalizations: Vec<Normalization>,
    rows: Rows,
    /// The gradients of the parts of a batch.
    parts: Vec<LineGradient>,
    steps: usize,
}

/// Fits a network that corrects `classical` to the games in `files`.
///
/// # Errors
/// Returns an error if a file can't be read, is damaged, or holds games of another
/// rule, or if there are too few games. An error of `on_event` ends the fit and is
/// returned.
pub fn fit<E: From<FitError>>(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    files: &[PathBuf],
    mut on_event: impl FnMut(LineFitEvent) -> Result<(), E>,
) -> Result<LineWeights, E> {
    let mut sets = SampleSets::default();
    for path in files {
        read(options, classical, path, &mut sets)?;
        on_event(LineFitEvent::Read {
            path: path.clone(),
            samples: [&sets.training, &sets.validation].map(|set| set.samples.len()),
        })?;
    }
    let samples = sets.training.samples.len();
    if samples < options.batch_size || sets.validation.samples.is_empty() {
        return Err(FitError::TooFewGames.into());
    }
    let steps = (options.passes * samples as f64 / options.batch_size as f64).ceil() as usize;
    let mut fit = LineFit::new(options, steps);
    let mut order: Vec<u32> = (0..samples as u32).collect();
    let mut random = Rng::with_seed(options.seed);
    let mut next = samples;
    let mut running = LossSums::default();
    for step in 0..steps {
        if next + options.batch_size > samples {
            random.shuffle(&mut order);
            next = 0;
        }
        let batch = &order[next..next + options.batch_size];
        next += options.batch_size;
        running.merge(&fit.step(step, &sets.training, batch));
        if (step + 1) % steps.div_ceil(REPORTS) == 0 || step + 1 == steps {
            on_event(LineFitEvent::Steps {
                steps: [step + 1, steps],
                training: running.target / running.samples.max(1) as f64,
                validation: fit.with_average(|model| losses(model, &sets.validation)),
            })?;
            running = LossSums::default();
        }
    }
    Ok(fit.with_average(|model| quantize(options.rule, model)))
}

/// Adds the samples of the games in a file.
fn read(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    path: &Path,
    sets: &mut SampleSets,
) -> Result<(), FitError> {
    let mut games = games_in(path, options.rule)?;
    loop {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_GAMES {
            let Some(game) = games.next().transpose()? else {
                break;
            };
            if game.is_credible() {
                chunk.push(game);
            }
        }
        if chunk.is_empty() {
            return Ok(());
        }
        sets.add(options.rule, classical, &options.targets, &chunk)
            .map_err(|(game, source)| FitError::Move {
                path: path.to_owned(),
                number: chunk[game].number,
                seed: chunk[game].seed,
                source,
            })?;
    }
}

/// Returns the losses of all samples.
fn losses(model: &LineModel<'_>, samples: &Samples) -> LossSums {
    let chunks: Vec<LossSums> = (samples.samples.par_chunks(CHUNK_SAMPLES))
        .map(|chunk| {
            let mut scratch = Scratch::default();
            let mut sums = LossSums::default();
            for sample in chunk {
                sums.merge(&model.run(samples, sample, &mut scratch, None));
            }
            sums
        })
        .collect();
    let mut sums = LossSums::default();
    chunks.iter().for_each(|chunk| sums.merge(chunk));
    sums
}

impl<'a> LineFit<'a> {
    fn new(options: &'a LineFitOptions, steps: usize) -> LineFit<'a> {
        let layout = LineLayout::of(options.rule);
        let zeros = || vec![0.0; layout.parameters()];
        LineFit {
            options,
            parameters: match &options.start {
                Some(start) => layout.parameters_of(start),
                None => layout.initial(options.seed),
            },
            first_moment: zeros(),
            second_moment: zeros(),
            average: zeros(),
            average_weight: 0.0,
            normalizations: vec![Normalization::NONE; layout.colors],
            rows: Rows::new(),
            parts: (0..PARTS).map(|_| LineGradient::new(&layout)).collect(),
            layout,
            steps,
        }
    }

    /// Calls `with` on the model with the averaged parameters.
    fn with_average<T>(&self, with: impl FnOnce(&LineModel<'_>) -> T) -> T {
        let parameters: Vec<f32> = (self.average.iter())
            .map(|weight| weight / self.average_weight)
            .collect();
        let mut rows = Rows::new();
        self.layout.write_rows(&parameters, &mut rows);
        with(&LineModel {
            rows: &rows,
            heads: &self.layout.heads(&parameters),
            normalizations: &self.normalizations,
        })
    }

    /// Makes a step with a batch, and returns its losses.
    fn step(&mut self, step: usize, samples: &Samples, batch: &[u32]) -> LossSums {
        self.layout.write_rows(&self.parameters, &mut self.rows);
        let model = LineModel {
            rows: &self.rows,
            heads: &self.layout.heads(&self.parameters),
            normalizations: &self.normalizations,
        };
        let losses: Vec<LossSums> = (self.parts.par_iter_mut())
            .zip(batch.par_chunks(batch.len().div_ceil(PARTS)))
            .map(|(gradient, part)| {
                gradient.clear();
                let mut scratch = Scratch::default();
                let mut sums = LossSums::default();
                for &index in part {
                    let sample = &samples.samples[index as usize];
                    sums.merge(&model.run(samples, sample, &mut scratch, Some(&mut *gradient)));
                }
                sums
            })
            .collect();
        let mut sums = LossSums::default();
        losses.iter().for_each(|part| sums.merge(part));
        let gradient = self.gradient();
        // The normalisation settles in the first half. A network to start from has its own
        // in the heads.
        if self.options.start.is_none() && 2 * step < self.steps {
            for (color, normalization) in self.normalizations.iter_mut().enumerate() {
                normalization.update(&self.parts[0].moments[color]);
            }
        }
        self.descend(step, &gradient, 1.0 / batch.len() as f32);
        sums
    }

    /// Adds up the gradients of the parts, and returns that of the parameters.
    fn gradient(&mut self) -> Vec<f32> {
        let (total, others) = self.parts.split_at_mut(1);
        let total = &mut total[0];
        for other in others {
            for (rows, others) in total.rows.iter_mut().zip(&other.rows) {
                rows.par_iter_mut().zip(others).for_each(|(row, other)| {
                    row.iter_mut()
                        .zip(other)
                        .for_each(|(sum, part)| *sum += part);
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
        self.layout.add_gradient(&total.rows, &mut gradient);
        for (color, head) in total.heads.iter_mut().enumerate() {
            let slots = gradient[self.layout.head(color)].iter_mut();
            slots
                .zip(head.numbers())
                .for_each(|(slot, number)| *slot = *number);
        }
        gradient
    }

    /// Makes a step of Adam, and averages the parameters.
    fn descend(&mut self, step: usize, gradient: &[f32], scale: f32) {
        let options = self.options;
        let (number, steps) = (step as f32 + 1.0, self.steps as f32);
        let warm_up = (number / WARM_UP).min(1.0);
        let cosine = 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / steps).cos());
        let biases = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(step as i32 + 1));
        // The first parameters are forgotten soon.
        let longest = 1.0 - AVERAGED_ONE_IN / steps.max(2.0 * AVERAGED_ONE_IN);
        let decay = (number / (number + 100.0)).min(longest);
        self.average_weight = decay * self.average_weight + 1.0 - decay;
        let tables = self.layout.tables().end;
        (self.parameters.par_chunks_mut(CHUNK_PARAMETERS))
            .zip(gradient.par_chunks(CHUNK_PARAMETERS))
            .zip(self.first_moment.par_chunks_mut(CHUNK_PARAMETERS))
            .zip(self.second_moment.par_chunks_mut(CHUNK_PARAMETERS))
            .zip(self.average.par_chunks_mut(CHUNK_PARAMETERS))
            .enumerate()
            .for_each(
                |(chunk, ((((parameters, gradient), first), second), average))| {
                    for index in 0..parameters.len() {
                        let (rate, epsilon) = if chunk * CHUNK_PARAMETERS + index < tables {
                            (options.embedding_rate, options.epsilon)
                        } else {
                            (options.head_rate, HEAD_EPSILON)
                        };
                        let slope = gradient[index] * scale;
                        first[index] = BETA_1 * first[index] + (1.0 - BETA_1) * slope;
                        second[index] = BETA_2 * second[index] + (1.0 - BETA_2) * slope * slope;
                        let spread = (second[index] / biases[1]).sqrt() + epsilon;
                        let change = first[index] / biases[0] / spread;
                        parameters[index] -= rate * warm_up * cosine * change;
                        average[index] = decay * average[index] + (1.0 - decay) * parameters[index];
                    }
                },
            );
    }
}
