//! A whole fit: files of games in, evaluation tables out.

use super::adam::{self, Checkpoint, EpochLoss, Hyperparameters, Objective};
use super::checkpoint::CheckpointFile;
use super::dataset::{Dataset, is_validation};
use super::interrupted::{Interrupted, OnEvent, with_events};
use super::layout::ParameterLayout;
use super::policy::PolicyObjective;
use super::quantize;
use super::record::{GameReader, RecordError, SelfplayGame};
use super::sampler::{OccupiedError, Sampler};
use super::value::ValueObjective;
use quincunx_engine::eval::{EvalTables, TABLES_VERSION};
use quincunx_engine::rules::Rule;
use quincunx_engine::score::Score;
use quincunx_files::WriteError;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How a fit is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// The rule.
    pub rule: Rule,
    /// The seed of the order of samples and of the first weights of the network.
    pub seed: u64,
    /// The weight of the game's result in the targets of the value. The search's
    /// score has the rest.
    pub result_share: f32,
    /// The number of units that a logit of value is worth. The search expects
    /// [`Score::LOGIT`].
    pub value_units: f32,
    /// The number of units that a logit of the policy is worth.
    pub move_units: f32,
    /// The largest number of epochs. Move scores get eight at most.
    pub epochs: usize,
    /// The standard deviation of the prior of a code's own weight in the value, in units
    /// of [`Score`].
    pub spread: f32,
}

/// What happens during a fit.
#[derive(Clone, Debug)]
pub enum FitEvent {
    /// A file of games was read. The counts are totals so far.
    Read {
        /// The file.
        path: PathBuf,
        /// Games that are used.
        games: usize,
        /// Games that are left out: see
        /// [`is_credible`](super::record::SelfplayGame::is_credible).
        left_out: usize,
        /// Training samples and validation samples of the value.
        samples: [usize; 2],
    },
    /// The named fit has finished an epoch.
    Epoch(&'static str, EpochLoss),
    /// Something was measured.
    Note(String),
}

/// Evaluation tables and the loss curves of their fits.
pub struct FittedTables {
    /// The tables.
    pub tables: EvalTables,
    /// The loss curves by the name of the fit.
    pub curves: Vec<(&'static str, Vec<EpochLoss>)>,
}

/// Tables that a fit starts from, perhaps of a similar rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pretrained<'a> {
    /// Where the fit starts. The regularisation is towards these tables.
    pub base: Option<&'a EvalTables>,
    /// Tables whose value is frozen. Only the move scores are fitted.
    pub values: Option<&'a EvalTables>,
    /// Tables whose move scores are frozen. Only the value is fitted.
    pub moves: Option<&'a EvalTables>,
}

/// A fit failed.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file of games can't be read.
    #[error("can't use {}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: RecordError,
    },
    /// A file has games of another rule.
    #[error("can't use {}: its games are of {rule}, not {expected}", path.display())]
    Rule {
        /// The file.
        path: PathBuf,
        /// The rule of its games.
        rule: Rule,
        /// The rule of the fit.
        expected: Rule,
    },
    /// A game has an impossible move.
    #[error("can't use {}: game {number} of seed {seed}", path.display())]
    Move {
        /// The file.
        path: PathBuf,
        /// The number of the game in its run.
        number: u32,
        /// The seed of the run.
        seed: u64,
        /// The move.
        source: OccupiedError,
    },
    /// The labels are of games of another rule.
    #[error("the labels are of games of {0}")]
    LabelRule(Rule),
    /// The labels are of another file of games.
    #[error("the labels go with another file of games, or with one of these alone")]
    Labels,
    /// There are no training samples or no validation samples.
    #[error("there are too few games to learn from")]
    TooFewGames,
    /// The loss has become infinite or is no number any more.
    #[error("the fit diverges; lower learning rates may help")]
    Diverged,
    /// The checkpoint file can't be written.
    #[error(transparent)]
    Checkpoint(#[from] WriteError),
}

/// Fits tables to the games in `files`. A run with a `checkpoint` file writes it
/// after every epoch and resumes from it. The caller removes it.
///
/// # Errors
/// Returns an error if a file can't be read or written, is damaged, or holds games
/// of another rule. An error of `on_event` ends the fit and is returned.
pub fn fit<E: From<FitError>>(
    options: &FitOptions,
    pretrained: Pretrained<'_>,
    files: &[PathBuf],
    checkpoint: Option<&Path>,
    on_event: impl FnMut(FitEvent) -> Result<(), E>,
) -> Result<FittedTables, E> {
    with_events(on_event, |on_event| {
        fit_parts(options, pretrained, files, checkpoint, on_event)
    })
}

/// Why a fit has ended early.
type Stop = Interrupted<FitError>;

/// Does what [`fit`] says.
fn fit_parts(
    options: &FitOptions,
    pretrained: Pretrained<'_>,
    files: &[PathBuf],
    checkpoint: Option<&Path>,
    on_event: OnEvent<'_, FitEvent, FitError>,
) -> Result<FittedTables, Stop> {
    let mut run = Run {
        options,
        checkpoints: CheckpointFile::open(checkpoint, fingerprint(options, pretrained, files)?)
            .map_err(FitError::from)?,
        on_event,
    };
    if let Some(note) = run.checkpoints.note() {
        (run.on_event)(FitEvent::Note(note))?;
    }
    let datasets = run.load(files)?;
    let mut tables = match pretrained.base {
        Some(base) => base.for_rule(options.rule),
        None => EvalTables::zero(options.rule),
    };
    let mut curves = Vec::new();
    if let Some(values) = pretrained.values {
        let initial = std::mem::replace(&mut tables, values.for_rule(options.rule));
        tables.replace_move_scores(initial);
    } else {
        curves.push(("values", run.fit_value(&datasets, &mut tables)?));
    }
    if let Some(moves) = pretrained.moves {
        tables.replace_move_scores(moves.for_rule(options.rule));
    } else {
        curves.push(("moves", run.fit_policy(&datasets, &mut tables)?));
    }
    Ok(FittedTables { tables, curves })
}

/// Returns everything that decides the result of a fit, as text. Checkpoints of
/// another fingerprint are of no use. Files keep it, so its form is fixed.
fn fingerprint(
    options: &FitOptions,
    pretrained: Pretrained<'_>,
    files: &[PathBuf],
) -> Result<String, FitError> {
    let FitOptions {
        rule,
        seed,
        result_share,
        value_units,
        move_units,
        epochs,
        spread,
    } = options;
    let options = format!(
        "Options {{ rule: {rule:?}, seed: {seed}, result_share: {result_share:?}, \
         value_units: {value_units:?}, move_units: {move_units:?}, epochs: {epochs}, \
         spread: {spread:?} }}"
    );
    let layout = ParameterLayout::of(*rule);
    let sizes = [layout.value_factors(), layout.policy_factors()]
        .map(|factors| (factors.parameters(), factors.shared()));
    let Pretrained {
        base,
        values,
        moves,
    } = pretrained;
    let checksum = |tables: &EvalTables| crc32fast::hash(&tables.to_bytes());
    let pretrained = [base, values, moves].map(|tables| tables.map(checksum));
    let games = checksums(files)?;
    let version = (env!("CARGO_PKG_VERSION"), TABLES_VERSION);
    Ok(format!(
        "{version:?}, {sizes:?}, {options}, {pretrained:?}, {games:?}"
    ))
}

/// Returns the checksums of files of games.
pub(super) fn checksums(files: &[PathBuf]) -> Result<Vec<u32>, FitError> {
    (files.iter())
        .map(|path| match fs::read(path) {
            Ok(bytes) => Ok(crc32fast::hash(&bytes)),
            Err(error) => Err(cannot_use(path)(error.into())),
        })
        .collect()
}

fn cannot_use(path: &Path) -> impl Fn(RecordError) -> FitError {
    move |source| FitError::Games {
        path: path.to_owned(),
        source,
    }
}

/// A fit in progress.
struct Run<'a> {
    options: &'a FitOptions,
    checkpoints: CheckpointFile<'a, Checkpoint>,
    on_event: OnEvent<'a, FitEvent, FitError>,
}

impl Run<'_> {
    /// Reads the training set and the validation set.
    fn load(&mut self, files: &[PathBuf]) -> Result<[Dataset; 2], Stop> {
        let mut sampler = Sampler::new(self.options.rule);
        let mut datasets = [Dataset::default(), Dataset::default()];
        let mut left_out = 0;
        for path in files {
            left_out += load_file(self.options.rule, path, &mut sampler, &mut datasets)?;
            (self.on_event)(FitEvent::Read {
                path: path.clone(),
                games: datasets[0].games + datasets[1].games,
                left_out,
                samples: [datasets[0].values.len(), datasets[1].values.len()],
            })?;
        }
        let is_empty = |set: &Dataset| set.values.is_empty() || set.policy.is_empty();
        if datasets.iter().any(is_empty) {
            return Err(FitError::TooFewGames.into());
        }
        Ok(datasets)
    }

    fn fit_value(
        &mut self,
        [training, validation]: &[Dataset; 2],
        tables: &mut EvalTables,
    ) -> Result<Vec<EpochLoss>, Stop> {
        let options = self.options;
        let objective = ValueObjective::new(
            options.rule,
            &training.values,
            &validation.values,
            options.result_share,
        );
        self.note(format!(
            "a logit of the search is {:.0} units; its loss on results is {:.5}",
            1.0 / objective.score_scale,
            objective.search_loss()
        ))?;
        let hyperparameters = Hyperparameters {
            epochs: options.epochs,
            batch_size: 1024,
            learning_rate: 0.002,
            own_prior: options.spread / Score::LOGIT,
            shared_prior: 1.0,
            patience: 4,
            seed: options.seed,
        };
        let mut initial = quantize::value_parameters(tables, options.value_units);
        quantize::randomize_zero_head(tables, options.seed, &mut initial);
        let fitted = self.minimize("values", &objective, &hyperparameters, &initial)?;
        self.note(format!(
            "validation loss of the value on results is {:.5}",
            objective.result_loss(&fitted.best)
        ))?;
        quantize::store_value(&fitted.best, options.value_units, tables);
        Ok(fitted.curve)
    }

    fn fit_policy(
        &mut self,
        [training, validation]: &[Dataset; 2],
        tables: &mut EvalTables,
    ) -> Result<Vec<EpochLoss>, Stop> {
        let options = self.options;
        let objective = PolicyObjective::new(options.rule, &training.policy, &validation.policy);
        self.note(format!(
            "{} training samples and {} validation samples of moves",
            objective.training_samples(),
            objective.validation_samples(),
        ))?;
        let hyperparameters = Hyperparameters {
            epochs: options.epochs.min(8),
            batch_size: 1024,
            learning_rate: 0.03,
            own_prior: 0.5,
            shared_prior: 3.0,
            patience: 3,
            seed: options.seed,
        };
        let initial = quantize::policy_parameters(tables, options.move_units);
        let fitted = self.minimize("moves", &objective, &hyperparameters, &initial)?;
        self.note(format!(
            "top-1 accuracy of move scores is {:.2} %",
            100.0 * objective.accuracy(&fitted.best)
        ))?;
        quantize::store_policy(&fitted.best, options.move_units, tables);
        Ok(fitted.curve)
    }

    fn note(&mut self, text: String) -> Result<(), Stop> {
        (self.on_event)(FitEvent::Note(text))
    }

    /// Runs [`adam::minimize`] with checkpoints.
    fn minimize(
        &mut self,
        name: &'static str,
        objective: &impl Objective,
        hyperparameters: &Hyperparameters,
        initial: &[f32],
    ) -> Result<Checkpoint, Stop> {
        let Run {
            checkpoints,
            on_event,
            ..
        } = self;
        let checkpoint = checkpoints
            .get(name)
            .filter(|checkpoint| checkpoint.matches(objective.factors()));
        adam::minimize(
            objective,
            hyperparameters,
            initial,
            checkpoint,
            |checkpoint| {
                checkpoints.save(name, checkpoint).map_err(FitError::from)?;
                let report = |epoch: &EpochLoss| on_event(FitEvent::Epoch(name, *epoch));
                checkpoint.curve.last().map_or(Ok(()), report)
            },
        )
    }
}

/// Reads the games of a file, which must be of `rule`.
pub(super) fn games_in(
    path: &Path,
    rule: Rule,
) -> Result<impl Iterator<Item = Result<SelfplayGame, FitError>> + '_, FitError> {
    let file = File::open(path).map_err(|error| cannot_use(path)(error.into()))?;
    let mut reader = GameReader::new(BufReader::new(file)).map_err(cannot_use(path))?;
    if reader.rule() != rule {
        return Err(FitError::Rule {
            path: path.to_owned(),
            rule: reader.rule(),
            expected: rule,
        });
    }
    let next = move || reader.next_game().map_err(cannot_use(path)).transpose();
    Ok(std::iter::from_fn(next))
}

/// Adds the samples of a file and returns the number of games that it leaves out.
fn load_file(
    rule: Rule,
    path: &Path,
    sampler: &mut Sampler,
    datasets: &mut [Dataset; 2],
) -> Result<usize, FitError> {
    let mut left_out = 0;
    for game in games_in(path, rule)? {
        let game = game?;
        if !game.is_credible() {
            left_out += 1;
            continue;
        }
        let dataset = &mut datasets[usize::from(is_validation(&game))];
        sampler
            .add(&game, dataset)
            .map_err(|source| FitError::Move {
                path: path.to_owned(),
                number: game.number,
                seed: game.seed,
                source,
            })?;
    }
    Ok(left_out)
}
