//! The fit of a line network: files of games in, a network out.
//!
//! The same files, options and seed give the same network on every machine with any
//! number of threads: a batch is cut into a fixed number of parts, and their
//! gradients are added in order. An interrupted fit that resumes gives it too.

use super::layout::{Embeddings, LineLayout};
use super::network::{LineGradient, LineModel, LossSums, Normalization, quantize};
use super::samples::{SampleSets, Samples, TargetOptions};
use crate::eval::line::{LINE_VERSION, LineWeights};
use crate::eval::{ClassicalWeights, InstructionSet};
use crate::rules::Rule;
use crate::train::checkpoint::{CheckpointFile, FitState};
use crate::train::curve::{Loss, LossKind, LossPoint};
use crate::train::fit::{FitError, checksums, games_in};
use fastrand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

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

/// What the fit is called in its checkpoint and its loss curve.
const NAME: &str = "network";

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
    /// How fast embeddings return to those of the network that the fit starts from, or
    /// to zero: decoupled weight decay, as a factor of the learning rate.
    pub weight_decay: f32,
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
            weight_decay: 0.5,
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
    /// The fit starts from a network.
    Start {
        /// The validation loss of that network against the targets.
        target: f64,
        /// Its validation loss against the results of the games.
        result: f64,
    },
    /// Some steps were made.
    Steps {
        /// The losses after these steps.
        losses: StepLoss,
        /// The number of steps of the whole fit.
        steps: usize,
        /// The speed of the steps since the last event, without the validation.
        samples_per_second: f64,
    },
    /// Something that a user should know.
    Note(String),
}

/// The mean losses after a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepLoss {
    /// The number of steps so far.
    pub step: usize,
    /// The training loss since the point before.
    pub training: f64,
    /// The validation loss against the targets.
    pub target: f64,
    /// The validation loss against the results of the games.
    pub result: f64,
    /// The loss of the classical evaluation against the results.
    pub classical: f64,
    /// The loss of the search's scores against the results.
    pub search: f64,
}

impl StepLoss {
    fn new(step: usize, training: &LossSums, validation: &LossSums) -> StepLoss {
        let mean = |sum: f64| sum / validation.samples.max(1) as f64;
        StepLoss {
            step,
            training: training.target / training.samples.max(1) as f64,
            target: mean(validation.target),
            result: mean(validation.result),
            classical: mean(validation.classical),
            search: mean(validation.search),
        }
    }
}

impl LossPoint for StepLoss {
    const UNIT: &'static str = "step";
    const LOSSES: &'static [Loss] = &[
        Loss::new("training", "#999", LossKind::Training),
        Loss::new("targets", "#06c", LossKind::Validation),
        Loss::new("results", "#c60", LossKind::Validation),
        Loss::new("classical", "#363", LossKind::Reference),
        Loss::new("search", "#939", LossKind::Reference),
    ];

    fn number(&self) -> usize {
        self.step
    }

    fn losses(&self) -> Vec<f64> {
        let StepLoss {
            training,
            target,
            result,
            classical,
            search,
            ..
        } = *self;
        vec![training, target, result, classical, search]
    }
}

/// A network and the loss curve of its fit.
pub struct FittedNetwork {
    /// The network.
    pub network: LineWeights,
    /// The loss curve by the name of the fit.
    pub curves: [(&'static str, Vec<StepLoss>); 1],
}

/// The state of a fit: all that it takes to go on.
#[derive(Clone, Serialize, Deserialize)]
struct LineState {
    /// The number of steps so far.
    step: usize,
    curve: Vec<StepLoss>,
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
    type Loss = StepLoss;

    fn curve(&self) -> &[StepLoss] {
        &self.curve
    }
}

/// A fit in progress.
struct LineFit<'a> {
    options: &'a LineFitOptions,
    layout: LineLayout,
    state: LineState,
    /// The parameters that weight decay pulls to.
    origin: Vec<f32>,
    embeddings: Embeddings,
    /// The gradients of the parts of a batch.
    parts: Vec<LineGradient>,
    /// The number of steps of the whole fit.
    steps: usize,
}

/// Fits a network that corrects `classical` to the games in `files`. A run with a
/// `checkpoint` file writes it whenever it reports losses and resumes from it. The
/// caller removes it.
///
/// # Errors
/// Returns an error if a file can't be read or written, is damaged, or holds games of
/// another rule, or if there are too few games. An error of `on_event` ends the fit
/// and is returned.
pub fn fit<E: From<FitError>>(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    files: &[PathBuf],
    checkpoint: Option<&Path>,
    mut on_event: impl FnMut(LineFitEvent) -> Result<(), E>,
) -> Result<FittedNetwork, E> {
    let fingerprint = fingerprint(options, classical, files)?;
    let mut checkpoints = CheckpointFile::open(checkpoint, fingerprint);
    if let Some(note) = checkpoints.note() {
        on_event(LineFitEvent::Note(note))?;
    }
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
    let mut fit = LineFit::new(options, steps, checkpoints.get(NAME));
    if options.start.is_some() && fit.state.step == 0 {
        let parameters = &fit.state.parameters;
        let start = fit.with_model(parameters, |model| losses(model, &sets.validation));
        let StepLoss { target, result, .. } = StepLoss::new(0, &LossSums::default(), &start);
        on_event(LineFitEvent::Start { target, result })?;
    }
    let mut order: Vec<u32> = (0..samples as u32).collect();
    let mut random = Rng::with_seed(options.seed);
    let batches = samples / options.batch_size;
    let mut running = LossSums::default();
    let mut since = Instant::now();
    for step in 0..steps {
        // Every pass shuffles the order of the pass before, so those that are skipped
        // shuffle too.
        if step % batches == 0 {
            random.shuffle(&mut order);
        }
        if step < fit.state.step {
            continue;
        }
        let first = step % batches * options.batch_size;
        let batch = &order[first..first + options.batch_size];
        running.merge(&fit.step(&sets.training, batch));
        if (step + 1) % steps.div_ceil(REPORTS) == 0 || step + 1 == steps {
            let samples_per_second = running.samples as f64 / since.elapsed().as_secs_f64();
            let validation = fit.with_average(|model| losses(model, &sets.validation));
            let losses = StepLoss::new(step + 1, &running, &validation);
            fit.state.curve.push(losses);
            let saved = checkpoints.save(NAME, &fit.state);
            saved.map_err(FitError::from)?;
            on_event(LineFitEvent::Steps {
                losses,
                steps,
                samples_per_second,
            })?;
            running = LossSums::default();
            since = Instant::now();
        }
    }
    Ok(FittedNetwork {
        network: fit.with_average(|model| quantize(options.rule, model)),
        curves: [(NAME, fit.state.curve)],
    })
}

/// Returns everything that decides the result of a fit, as text. Checkpoints of
/// another fingerprint are of no use.
fn fingerprint(
    options: &LineFitOptions,
    classical: &ClassicalWeights,
    files: &[PathBuf],
) -> Result<String, FitError> {
    let version = (env!("CARGO_PKG_VERSION"), LINE_VERSION);
    let parameters = LineLayout::of(options.rule).parameters();
    let start = options.start.as_ref().map(LineWeights::to_bytes);
    let start = start.map(|bytes| crc32fast::hash(&bytes));
    let options = LineFitOptions {
        start: None,
        ..options.clone()
    };
    let classical = crc32fast::hash(&classical.tables().to_bytes());
    let games = checksums(files)?;
    Ok(format!(
        "{version:?}, {parameters}, {options:?}, {start:?}, {classical}, {games:?}"
    ))
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
    let count = samples.samples.len();
    let chunks: Vec<LossSums> = (0..count.div_ceil(CHUNK_SAMPLES))
        .into_par_iter()
        .map(|chunk| {
            let first = chunk * CHUNK_SAMPLES;
            model.run(samples, first..(first + CHUNK_SAMPLES).min(count), None)
        })
        .collect();
    let mut sums = LossSums::default();
    chunks.iter().for_each(|chunk| sums.merge(chunk));
    sums
}

impl<'a> LineFit<'a> {
    /// Begins a fit, or goes on from a checkpoint.
    fn new(
        options: &'a LineFitOptions,
        steps: usize,
        checkpoint: Option<LineState>,
    ) -> LineFit<'a> {
        let layout = LineLayout::of(options.rule);
        LineFit {
            options,
            state: checkpoint
                .filter(|state| state.matches(&layout))
                .unwrap_or_else(|| LineState::initial(options, &layout)),
            origin: match &options.start {
                Some(start) => layout.parameters_of(start),
                None => vec![0.0; layout.parameters()],
            },
            embeddings: layout.zeros(),
            parts: (0..PARTS).map(|_| LineGradient::new(&layout)).collect(),
            layout,
            steps,
        }
    }

    /// Calls `with` on the model with the averaged parameters.
    fn with_average<T>(&self, with: impl FnOnce(&LineModel<'_>) -> T) -> T {
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
    fn step(&mut self, samples: &Samples, batch: &[u32]) -> LossSums {
        let state = &self.state;
        let embeddings = &mut self.embeddings;
        self.layout.write_embeddings(&state.parameters, embeddings);
        let model = LineModel {
            embeddings,
            heads: &self.layout.heads(&state.parameters),
            normalizations: &state.normalizations,
        };
        let losses: Vec<LossSums> = (self.parts.par_iter_mut())
            .zip(batch.par_chunks(batch.len().div_ceil(PARTS)))
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
        let biases = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(step as i32 + 1));
        // The first parameters are forgotten soon.
        let longest = 1.0 - AVERAGED_ONE_IN / steps.max(2.0 * AVERAGED_ONE_IN);
        let decay = (number / (number + 100.0)).min(longest);
        state.average_weight = decay * state.average_weight + 1.0 - decay;
        let tables = self.layout.tables();
        let heads = tables.end..self.layout.parameters();
        let rate = warm_up * cosine;
        for (range, rate, epsilon, weight_decay) in [
            (
                tables,
                rate * options.embedding_rate,
                options.epsilon,
                options.weight_decay,
            ),
            (heads, rate * options.head_rate, HEAD_EPSILON, 0.0),
        ] {
            let chunks = (state.parameters[range.clone()].par_chunks_mut(CHUNK_PARAMETERS))
                .zip(gradient[range.clone()].par_chunks(CHUNK_PARAMETERS))
                .zip(self.origin[range.clone()].par_chunks(CHUNK_PARAMETERS))
                .zip(state.first_moment[range.clone()].par_chunks_mut(CHUNK_PARAMETERS))
                .zip(state.second_moment[range.clone()].par_chunks_mut(CHUNK_PARAMETERS))
                .zip(state.average[range].par_chunks_mut(CHUNK_PARAMETERS));
            chunks.for_each(
                |(((((parameters, gradient), origin), first), second), average)| {
                    InstructionSet::best().run(
                        #[inline(always)]
                        || {
                            let all = (parameters.iter_mut().zip(gradient).zip(origin))
                                .zip(first.iter_mut().zip(second).zip(average));
                            for (((parameter, slope), origin), ((first, second), average)) in all {
                                let slope = slope * scale;
                                *first = BETA_1 * *first + (1.0 - BETA_1) * slope;
                                *second = BETA_2 * *second + (1.0 - BETA_2) * slope * slope;
                                let spread = (*second / biases[1]).sqrt() + epsilon;
                                let change = *first / biases[0] / spread
                                    + weight_decay * (*parameter - origin);
                                *parameter -= rate * change;
                                *average = decay * *average + (1.0 - decay) * *parameter;
                            }
                        },
                    );
                },
            );
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::BoardSize;
    use crate::train::record::{header, random_game};

    /// Random games with random scores, as a file.
    fn games(rule: Rule) -> Vec<u8> {
        let mut random = Rng::with_seed(8);
        let mut bytes = header(rule).to_vec();
        for number in 0..60 {
            let game = random_game(number, BoardSize::default(), 12, &mut random);
            bytes.extend(game.to_bytes());
        }
        bytes
    }

    /// Runs a fit that is interrupted after some reports. Returns its notes, its steps,
    /// and what was fitted if it came to its end.
    fn fit_until(
        options: &LineFitOptions,
        data: &Path,
        checkpoint: Option<&Path>,
        reports: usize,
    ) -> (Vec<String>, Vec<usize>, Option<FittedNetwork>) {
        let (mut notes, mut steps) = (Vec::new(), Vec::new());
        let on_event = |event| {
            match event {
                LineFitEvent::Steps { losses, .. } => steps.push(losses.step),
                LineFitEvent::Note(text) => notes.push(text),
                LineFitEvent::Read { .. } | LineFitEvent::Start { .. } => {}
            }
            if steps.len() < reports {
                Ok(())
            } else {
                Err(FitError::TooFewGames)
            }
        };
        let classical = Arc::new(ClassicalWeights::built_in(options.rule));
        let fitted = fit(options, &classical, &[data.into()], checkpoint, on_event);
        (notes, steps, fitted.ok())
    }

    #[test]
    fn weight_decay_pulls_embeddings_to_where_the_fit_starts() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("games");
        std::fs::write(&data, games(Rule::Freestyle)).unwrap();
        let options = LineFitOptions {
            passes: 10.0,
            batch_size: 64,
            ..LineFitOptions::of(Rule::Freestyle)
        };
        let fitted = |start: Option<&LineWeights>, weight_decay: f32| {
            let options = LineFitOptions {
                start: start.cloned(),
                weight_decay,
                ..options.clone()
            };
            let (_, _, fitted) = fit_until(&options, &data, None, usize::MAX);
            fitted.unwrap().network
        };
        // How far the embeddings of a network are from those of another, or from zero.
        let distance = |network: &LineWeights, other: Option<&LineWeights>| {
            let embeddings = |network: &LineWeights| {
                let tables = network.colors[0].embeddings.iter();
                let numbers = tables.flatten().flatten().copied().map(i32::from);
                numbers.collect::<Vec<_>>()
            };
            let ours = embeddings(network);
            let theirs = other.map_or_else(|| vec![0; ours.len()], embeddings);
            let differences = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs());
            differences.sum::<i32>()
        };
        let [free, held] = [0.0, 20.0].map(|weight_decay| fitted(None, weight_decay));
        let all = [&held, &free].map(|network| distance(network, None));
        assert!(2 * all[0] < all[1], "{all:?}");
        let [from, near] = [0.0, 20.0].map(|weight_decay| fitted(Some(&free), weight_decay));
        let all = [&near, &from].map(|network| distance(network, Some(&free)));
        assert!(4 * all[0] < 3 * all[1], "{all:?}");
    }

    #[test]
    fn an_interrupted_fit_gives_the_same_network() {
        let folder = tempfile::tempdir().unwrap();
        let [data, checkpoint] = ["games", "checkpoint"].map(|name| folder.path().join(name));
        std::fs::write(&data, games(Rule::Renju)).unwrap();
        // The order of samples is shuffled within the intervals of reports.
        let options = LineFitOptions {
            passes: 3.3,
            batch_size: 64,
            ..LineFitOptions::of(Rule::Renju)
        };
        let (notes, all, whole) = fit_until(&options, &data, None, usize::MAX);
        let whole = whole.unwrap();
        assert!(notes.is_empty() && all.len() >= REPORTS, "{all:?}");

        let fit_until = |options: &LineFitOptions, reports| {
            fit_until(options, &data, Some(&checkpoint), reports)
        };
        let (notes, steps, _) = fit_until(&options, 3);
        assert!(notes.is_empty() && steps == all[..3], "{notes:?} {steps:?}");
        let (notes, steps, _) = fit_until(&options, 5);
        let note = format!("resuming after step {} of network", all[2]);
        assert!(notes[0].ends_with(&note), "{notes:?}");
        assert_eq!(steps, all[3..8]);
        let (_, steps, resumed) = fit_until(&options, usize::MAX);
        assert_eq!(steps, all[8..]);
        let resumed = resumed.unwrap();
        assert!(resumed.network.to_bytes() == whole.network.to_bytes());
        assert_eq!(resumed.curves, whole.curves);

        // A checkpoint of other options or without sense is not used.
        let other = LineFitOptions { seed: 2, ..options };
        for damage in [None, Some("{")] {
            if let Some(text) = damage {
                std::fs::write(&checkpoint, text).unwrap();
            }
            let (notes, steps, _) = fit_until(&other, 1);
            assert!(notes[0].contains("another fit"), "{notes:?}");
            assert_eq!(steps, all[..1]);
        }
    }
}
