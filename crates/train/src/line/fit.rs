//! The fit of a line network: files of games in, a network out.
//!
//! The same files, options and seed give the same network with any number of threads,
//! on machines whose exponentials are the same to the last bit. An interrupted fit that
//! resumes gives it too.

use super::layout::LineLayout;
use super::network::{LineModel, LossSums, quantize};
use super::optimizer::LineOptimizer;
use super::options::LineFitOptions;
use super::samples::{LabelledGame, SampleSets, Samples};
use super::step_loss::StepLoss;
use crate::checkpoint::CheckpointFile;
use crate::fit::{FitError, checksums, games_in};
use crate::interrupted::{Interrupted, OnEvent, with_events};
use fastrand::Rng;
use quincunx_engine::eval::ClassicalWeights;
use quincunx_engine::eval::line::{LINE_VERSION, LineWeights};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Games that are read before their samples are taken.
const CHUNK_GAMES: usize = 4096;

/// Samples whose validation losses are added up by one thread.
const CHUNK_SAMPLES: usize = 1024;

/// How often the losses are reported.
const REPORTS: usize = 12;

/// What the fit is called in its checkpoint and its loss curve.
const NAME: &str = "network";

/// What happens during a fit.
#[derive(Clone, Debug)]
pub enum LineFitEvent {
    /// A file of games was read. The counts are totals so far.
    Read {
        /// The file.
        path: PathBuf,
        /// Games left out because their scores are impossible.
        left_out: usize,
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

/// A network and the loss curve of its fit.
pub struct FittedNetwork {
    /// The network.
    pub network: LineWeights,
    /// The loss curve by the name of the fit.
    pub curves: [(&'static str, Vec<StepLoss>); 1],
}

/// Fits a network that corrects `classical` to the games in `files`. A run with a
/// `checkpoint` file writes it whenever it reports losses and resumes from it. The
/// caller removes it.
///
/// # Errors
/// Returns an error if a file can't be read or written, is damaged, or holds games of
/// another rule, if there are too few games, or if the loss diverges. An error of
/// `on_event` ends the fit and is returned.
pub fn fit<E: From<FitError>>(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    files: &[PathBuf],
    checkpoint: Option<&Path>,
    on_event: impl FnMut(LineFitEvent) -> Result<(), E>,
) -> Result<FittedNetwork, E> {
    with_events(on_event, |on_event| {
        fit_network(options, classical, files, checkpoint, on_event)
    })
}

/// Does what [`fit`] says.
fn fit_network(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    files: &[PathBuf],
    checkpoint: Option<&Path>,
    on_event: OnEvent<'_, LineFitEvent, FitError>,
) -> Result<FittedNetwork, Interrupted<FitError>> {
    let fingerprint = fingerprint(options, classical, files)?;
    let mut checkpoints = CheckpointFile::open(checkpoint, fingerprint).map_err(FitError::from)?;
    if let Some(note) = checkpoints.note() {
        on_event(LineFitEvent::Note(note))?;
    }
    let sets = read_files(options, classical, files, on_event)?;
    let samples = sets.training.samples.len();
    let steps = (options.passes * samples as f64 / options.batch_size as f64).ceil() as usize;
    let has_labels = options.labels.is_some();
    let mut optimizer = LineOptimizer::new(options, steps, checkpoints.get(NAME));
    if options.start.is_some() && optimizer.state.step == 0 {
        let start = optimizer.with_current(|model| losses(model, &sets.validation));
        let start = StepLoss::new(0, &LossSums::default(), &start, has_labels);
        let StepLoss { target, result, .. } = start;
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
        if step < optimizer.state.step {
            continue;
        }
        let first = step % batches * options.batch_size;
        let batch = &order[first..first + options.batch_size];
        running.merge(&optimizer.step(&sets.training, batch));
        if (step + 1) % steps.div_ceil(REPORTS) == 0 || step + 1 == steps {
            let samples_per_second = running.samples as f64 / since.elapsed().as_secs_f64();
            let validation = optimizer.with_average(|model| losses(model, &sets.validation));
            let losses = StepLoss::new(step + 1, &running, &validation, has_labels);
            if !losses.target.is_finite() {
                return Err(FitError::Diverged.into());
            }
            optimizer.state.curve.push(losses);
            let saved = checkpoints.save(NAME, &optimizer.state);
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
        network: optimizer.with_average(|model| quantize(options.rule, model)),
        curves: [(NAME, optimizer.state.curve)],
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

/// Reads the samples of all files, and refuses labels of other games and too few samples.
fn read_files(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    files: &[PathBuf],
    on_event: OnEvent<'_, LineFitEvent, FitError>,
) -> Result<SampleSets, Interrupted<FitError>> {
    if let Some(labels) = &options.labels {
        if labels.rule() != options.rule {
            return Err(FitError::LabelRule(labels.rule()).into());
        }
        if checksums(files)? != [labels.games()] {
            return Err(FitError::Labels.into());
        }
    }
    let mut sets = SampleSets::default();
    let mut left_out = 0;
    let mut plies = 0;
    for path in files {
        left_out += read_file(options, classical, path, &mut plies, &mut sets)?;
        on_event(LineFitEvent::Read {
            path: path.clone(),
            left_out,
            samples: [&sets.training, &sets.validation].map(|set| set.samples.len()),
        })?;
    }
    if (options.labels.as_ref()).is_some_and(|labels| labels.count() != plies) {
        return Err(FitError::Labels.into());
    }
    let is_enough = sets.training.samples.len() >= options.batch_size;
    if !is_enough || sets.validation.samples.is_empty() {
        return Err(FitError::TooFewGames.into());
    }
    Ok(sets)
}

/// Adds the samples of the games in a file, and the number of its searched plies. Returns how
/// many games it left out.
fn read_file(
    options: &LineFitOptions,
    classical: &Arc<ClassicalWeights>,
    path: &Path,
    plies: &mut usize,
    sets: &mut SampleSets,
) -> Result<usize, FitError> {
    let mut games = games_in(path, options.rule)?;
    let mut left_out = 0;
    loop {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_GAMES {
            let Some(game) = games.next().transpose()? else {
                break;
            };
            let first = *plies;
            *plies += game.plies.len();
            if game.is_credible() {
                let labels = options.labels.as_deref().map(|labels| (labels, first));
                chunk.push(LabelledGame { game, labels });
            } else {
                left_out += 1;
            }
        }
        if chunk.is_empty() {
            return Ok(left_out);
        }
        sets.add(options.rule, classical, &options.targets, &chunk)
            .map_err(|(game, source)| FitError::Move {
                path: path.to_owned(),
                number: chunk[game].game.number,
                seed: chunk[game].game.seed,
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::labels::{Labels, tests::file};
    use super::*;
    use crate::record::{GameReader, header, random_game};
    use quincunx_engine::rules::{BoardSize, Rule};

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
    fn labels_go_with_one_file_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("games");
        let bytes = games(Rule::Freestyle);
        std::fs::write(&data, &bytes).unwrap();
        let mut reader = GameReader::new(&bytes[..]).unwrap();
        let mut plies = 0;
        while let Some(game) = reader.next_game().unwrap() {
            plies += game.plies.len();
        }
        let sum = crc32fast::hash(&bytes);
        let classical = Arc::new(ClassicalWeights::built_in(Rule::Freestyle));
        for (rule, count, sum, files, refusal) in [
            (Rule::Freestyle, plies, sum, 1, None),
            (Rule::Freestyle, plies, sum, 2, Some("another file")),
            (Rule::Freestyle, plies, sum ^ 1, 1, Some("another file")),
            (Rule::Freestyle, plies - 1, sum, 1, Some("another file")),
            (Rule::Caro, plies, sum, 1, Some("games of caro")),
        ] {
            let labels = file(rule, &vec![(148, [(1, 1), (1, 1)]); count], sum);
            let options = LineFitOptions {
                labels: Some(Arc::new(Labels::from_bytes(&labels).unwrap())),
                batch_size: 64,
                passes: 0.1,
                ..LineFitOptions::of(Rule::Freestyle)
            };
            let files = vec![data.clone(); files];
            let fitted = fit::<FitError>(&options, &classical, &files, None, |_| Ok(()));
            let error = fitted
                .err()
                .map_or(String::new(), |error| error.to_string());
            match refusal {
                Some(text) => assert!(error.contains(text), "{error}"),
                None => assert_eq!(error, ""),
            }
        }
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
    fn a_fit_that_diverges_ends_with_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("games");
        std::fs::write(&data, games(Rule::Freestyle)).unwrap();
        let options = LineFitOptions {
            batch_size: 64,
            embedding_rate: f32::MAX,
            head_rate: f32::MAX,
            ..LineFitOptions::of(Rule::Freestyle)
        };
        let classical = Arc::new(ClassicalWeights::built_in(Rule::Freestyle));
        let fitted = fit(&options, &classical, &[data], None, |_| Ok(()));
        assert!(matches!(fitted, Err(FitError::Diverged)));
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

        // A checkpoint of other options, or a damaged one, is not used.
        let sound = std::fs::read(&checkpoint).unwrap();
        let other = LineFitOptions {
            seed: 2,
            ..options.clone()
        };
        let (notes, steps, _) = fit_until(&other, 1);
        assert!(notes[0].contains("another fit"), "{notes:?}");
        assert_eq!(steps, all[..1]);
        let mut rng = fastrand::Rng::with_seed(9);
        for _ in 0..6 {
            let mut damaged = sound.clone();
            // Behind the words that say what it is.
            let at = rng.usize(23..damaged.len());
            damaged[at] ^= 1 << rng.u32(0..8);
            std::fs::write(&checkpoint, damaged).unwrap();
            let (notes, steps, _) = fit_until(&options, 1);
            assert!(notes[0].contains("damaged"), "{notes:?}");
            assert_eq!(steps, all[..1]);
        }
        // A file of another kind stays.
        std::fs::write(&checkpoint, "{").unwrap();
        let classical = Arc::new(ClassicalWeights::built_in(options.rule));
        let data = [data.clone()];
        let fitted = fit(&options, &classical, &data, Some(&checkpoint), |_| Ok(()));
        assert!(matches!(fitted, Err(FitError::Checkpoint(_))));
        assert_eq!(std::fs::read(&checkpoint).unwrap(), b"{");
    }
}
