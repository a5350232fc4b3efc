//! The subcommands that fit weights to games: `fit` and `train`.

use crate::cli::LONG_VERSION;
use crate::cli::exit::unless_gone;
use crate::cli::files::{Files, ensure_each_once};
use crate::cli::numbers::{positive, within};
use crate::cli::options::{RuleOption, Seed};
use crate::cli::runs::exit_on_interrupt;
use crate::cli::weights::{network_in, tables_in};
use anyhow::{Context, Result, bail};
use clap::Args;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::rules::Rule;
use quincunx_files::{self as files, LockedFile};
use quincunx_train::curve::{self, LossPoint};
use quincunx_train::fit::{self, FitEvent, FitOptions, Pretrained};
use quincunx_train::line;
use quincunx_train::line::fit::LineFitEvent;
use quincunx_train::line::labels::Labels;
use quincunx_train::line::options::{LineFitOptions, TargetOptions};
use quincunx_train::line::step_loss::StepLoss;
use quincunx_train::{beside, origin};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The arguments of `fit`.
#[derive(Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    of: RuleOption,
    #[command(flatten)]
    seed: Seed,
    /// Weight of a game's result in the value targets; the search's score has the rest
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.7,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    result_share: f32,
    /// Units that a logit of value is worth
    #[arg(long, value_name = "UNITS", default_value_t = 200.0, value_parser = positive::<f32>(1e4))]
    value_units: f32,
    /// Units that a logit of move score is worth
    #[arg(long, value_name = "UNITS", default_value_t = 60.0, value_parser = positive::<f32>(1e4))]
    move_units: f32,
    /// Standard deviation of a code's own weight in the value, in 200ths of a logit: the
    /// regularisation
    #[arg(long, value_name = "UNITS", default_value_t = 8.0, value_parser = positive::<f32>(1e4))]
    spread: f32,
    /// Largest number of epochs; move scores get eight at most
    #[arg(long, value_name = "N", default_value_t = 16)]
    epochs: usize,
    /// Tables to start from, perhaps of another rule; they save most of the games
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Tables, perhaps of another rule, whose move scores are frozen; only the value is fitted
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    /// Tables, perhaps of another rule, whose value is frozen; only the move scores are fitted
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    values: Option<PathBuf>,
    /// File to write the tables to; loss curves are written to FILE.txt and FILE.svg, and the
    /// origin of the weights to FILE.origin. An interrupted fit resumes from FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the files even if they are not tables, loss curves or origins
    #[arg(long)]
    force: bool,
    /// Files of games
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
}

/// The files of a fit: those that it reads, with what they are, and those that it writes. These
/// are what was fitted, its loss curves and its origin, and the checkpoint until they are
/// written.
struct FitFiles<'a> {
    sources: &'a [(&'a str, &'a [PathBuf])],
    out: &'a PathBuf,
}

impl FitFiles<'_> {
    fn checkpoint(&self) -> PathBuf {
        beside(self.out, "checkpoint")
    }

    /// Returns the paths of the loss curves, as text and as a picture, and of the origin.
    fn notes(&self) -> [PathBuf; 3] {
        ["txt", "svg", origin::EXTENSION].map(|extension| beside(self.out, extension))
    }

    /// Refuses to read a file twice, to overwrite one that the fit reads, and, without `force`,
    /// one that such a fit has not written. `fitted` names what a fit writes, and `is_fitted` says
    /// whether a file holds that. Other fits are kept out until the lock is dropped.
    fn claim(
        &self,
        force: bool,
        fitted: &str,
        is_fitted: impl FnOnce(&Path) -> bool,
    ) -> Result<LockedFile> {
        let out = self.out;
        let (checkpoint, notes) = (self.checkpoint(), self.notes());
        for (_, files) in self.sources {
            ensure_each_once(files)?;
        }
        let sources = self.sources.iter().flat_map(|(_, files)| *files);
        let files = Files::read(sources.clone()).run(out).others([&checkpoint]);
        let files = match out.exists() {
            true => files.others(&notes),
            false => files.replace(&notes, force),
        };
        files.check()?;
        for path in [out, &checkpoint] {
            files::expect_writable(path)?;
        }
        if out.exists() && !force && !is_fitted(out) {
            let name = out.display();
            bail!("{name} is no {fitted}; --force overwrites it");
        }
        for source in sources {
            let cannot = || format!("can't read {}", source.display());
            fs::metadata(source).with_context(cannot)?;
        }
        Ok(files::lock_beside(out)?)
    }

    /// Writes what was fitted, its origin and the loss curves to these files, and removes the
    /// checkpoint.
    fn finish<P: LossPoint>(&self, fitted: &[u8], curves: &[(&str, Vec<P>)]) -> Result<()> {
        files::replace(self.out, fitted)?;
        let words = std::env::args_os().skip(1);
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into()).collect();
        let command = format!("quincunx {}", words.join(" "));
        let origin_text = origin::text(fitted, LONG_VERSION, &command, self.sources)?;
        let [text, picture, origin] = self.notes();
        files::replace(&origin, origin_text.as_bytes())?;
        files::replace(&text, curve::text(curves).as_bytes())?;
        files::replace(&picture, curve::svg(curves).as_bytes())?;
        let checkpoint = self.checkpoint();
        // A fit of no epochs has written none.
        if checkpoint.exists() {
            fs::remove_file(checkpoint)?;
        }
        Ok(())
    }
}

/// Fits evaluation tables to games.
pub(crate) fn fit(arguments: &Fit, output: &mut impl Write) -> Result<()> {
    let files = FitFiles {
        sources: &[
            ("base", arguments.base.as_slice()),
            ("values", arguments.values.as_slice()),
            ("moves", arguments.moves.as_slice()),
            ("games", arguments.data.as_slice()),
        ],
        out: &arguments.out,
    };
    let is_tables = |file: &Path| tables_in(file).is_ok();
    let _lock = files.claim(arguments.force, "file of tables", is_tables)?;
    exit_on_interrupt("the same command resumes after the last complete epoch")?;
    let options = FitOptions {
        rule: arguments.of.rule,
        seed: arguments.seed.seed,
        result_share: arguments.result_share,
        value_units: arguments.value_units,
        move_units: arguments.move_units,
        epochs: arguments.epochs,
        spread: arguments.spread,
    };
    let start = Instant::now();
    let read = |file: &Option<PathBuf>| file.as_deref().map(tables_in).transpose();
    let [base, values, moves] = [
        read(&arguments.base)?,
        read(&arguments.values)?,
        read(&arguments.moves)?,
    ];
    let pretrained = Pretrained {
        base: base.as_ref(),
        values: values.as_ref(),
        moves: moves.as_ref(),
    };
    let report = |event| -> Result<()> {
        let seconds = start.elapsed().as_secs_f32();
        let line = writeln!(output, "{seconds:7.1} s: {}", describe(event));
        Ok(unless_gone(line)?)
    };
    let fitted = fit::fit(
        &options,
        pretrained,
        &arguments.data,
        Some(&files.checkpoint()),
        report,
    )?;
    files.finish(&fitted.tables.to_bytes(), &fitted.curves)?;
    let written = writeln!(output, "tables written to {}", arguments.out.display());
    Ok(unless_gone(written)?)
}

/// The default options of a training.
fn train_defaults() -> LineFitOptions {
    LineFitOptions::of(Rule::default())
}

/// The arguments of `train`.
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    of: RuleOption,
    #[command(flatten)]
    seed: Seed,
    /// How often every position is used (epochs)
    #[arg(
        long,
        value_name = "N",
        default_value_t = train_defaults().passes,
        value_parser = positive(1e4),
    )]
    passes: f64,
    /// Positions in a batch
    #[arg(
        long,
        value_name = "N",
        default_value_t = train_defaults().batch_size as u32,
        value_parser = clap::value_parser!(u32).range(4..=1 << 20),
    )]
    batch: u32,
    /// Weight of the rest of a game in the targets; the search's score has the rest
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = train_defaults().targets.future_share,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    future_share: f32,
    /// How far the rest of a game looks, from 0 to 1: the lambda of TD(lambda)
    #[arg(
        long,
        value_name = "L",
        default_value_t = train_defaults().targets.lambda,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    lambda: f32,
    /// A teacher's labels of the positions of all DATA, as lab/teacher.py writes them
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Weight of a position's label in its target; the game has the rest
    #[arg(
        long,
        value_name = "SHARE",
        requires = "labels",
        default_value_t = train_defaults().targets.label_share,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    label_share: f32,
    /// Largest learning rate of the embeddings
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = train_defaults().embedding_rate,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    embedding_rate: f32,
    /// Largest learning rate of the head
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = train_defaults().head_rate,
        value_parser = within::<f32>(0.0, 1.0),
    )]
    head_rate: f32,
    /// Epsilon of Adam for the embeddings: a larger one slows rare windows down
    #[arg(
        long,
        value_name = "E",
        default_value_t = train_defaults().epsilon,
        value_parser = positive::<f32>(1.0),
    )]
    epsilon: f32,
    /// Decoupled weight decay of the embeddings, towards those of --start or zero
    #[arg(
        long,
        value_name = "W",
        default_value_t = train_defaults().weight_decay,
        value_parser = within::<f32>(0.0, 1e3),
    )]
    weight_decay: f32,
    /// Start from the network in this file, of the same rule or of another, instead of
    /// random weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// File to write the network to; loss curves are written to FILE.txt and FILE.svg, and the
    /// origin of the weights to FILE.origin. An interrupted training resumes from
    /// FILE.checkpoint
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the files even if they are not a network, loss curves or origins
    #[arg(long)]
    force: bool,
    /// Files of games
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
}

/// Reads a file of labels.
fn labels_in(path: &Path) -> Result<Arc<Labels>> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let labels = Labels::from_bytes(&bytes);
    let labels = labels.with_context(|| format!("can't use {}", path.display()))?;
    Ok(Arc::new(labels))
}

/// Trains a line network on games.
pub(crate) fn train(
    arguments: &Train,
    weights: &Arc<WeightSet>,
    output: &mut impl Write,
) -> Result<()> {
    let files = FitFiles {
        sources: &[
            ("start", arguments.start.as_slice()),
            ("labels", arguments.labels.as_slice()),
            ("games", arguments.data.as_slice()),
        ],
        out: &arguments.out,
    };
    let is_network = |file: &Path| network_in(file).is_ok();
    let _lock = files.claim(arguments.force, "line network", is_network)?;
    exit_on_interrupt("the same command resumes after the last printed losses")?;
    let start = arguments.start.as_deref().map(network_in).transpose()?;
    let labels = arguments.labels.as_deref().map(labels_in).transpose()?;
    let options = LineFitOptions {
        rule: arguments.of.rule,
        start,
        seed: arguments.seed.seed,
        passes: arguments.passes,
        batch_size: arguments.batch as usize,
        head_rate: arguments.head_rate,
        embedding_rate: arguments.embedding_rate,
        epsilon: arguments.epsilon,
        weight_decay: arguments.weight_decay,
        targets: TargetOptions {
            future_share: arguments.future_share,
            lambda: arguments.lambda,
            label_share: arguments.label_share,
        },
        labels,
    };
    let start = Instant::now();
    let classical = &weights.of(arguments.of.rule).classical;
    let report = |event| -> Result<()> {
        let seconds = start.elapsed().as_secs_f32();
        let line = writeln!(output, "{seconds:7.1} s: {}", describe_line(event));
        Ok(unless_gone(line)?)
    };
    let fitted = line::fit::fit(
        &options,
        classical,
        &arguments.data,
        Some(&files.checkpoint()),
        report,
    )?;
    files.finish(&fitted.network.to_bytes(), &fitted.curves)?;
    let written = writeln!(output, "network written to {}", arguments.out.display());
    Ok(unless_gone(written)?)
}

/// Describes an event of the fit of a line network in one line.
fn describe_line(event: LineFitEvent) -> String {
    match event {
        LineFitEvent::Read {
            path,
            left_out,
            samples: [training, validation],
        } => format!(
            "{} read; {left_out} games left out, {training} training samples and {validation} validation samples",
            path.display()
        ),
        LineFitEvent::Start { target, result } => {
            format!("the network at the start: validation loss {target:.5}; on results {result:.5}")
        }
        LineFitEvent::Steps {
            losses,
            steps,
            samples_per_second,
        } => {
            let StepLoss {
                step,
                training,
                target,
                result,
                classical,
                search,
                label,
            } = losses;
            let label = label.map_or(String::new(), |loss| format!(", labels {loss:.5}"));
            format!(
                "step {step}/{steps}: training loss {training:.5}, validation loss {target:.5}; \
                 on results {result:.5}, classical {classical:.5}, search {search:.5}{label}; \
                 {samples_per_second:.0} samples a second"
            )
        }
        LineFitEvent::Note(text) => text,
    }
}

/// Describes an event of a fit in one line.
fn describe(event: FitEvent) -> String {
    match event {
        FitEvent::Read {
            path,
            games,
            left_out,
            samples: [training, validation],
        } => format!(
            "{} read; {games} games and {left_out} left out, {training} training samples and {validation} validation samples",
            path.display()
        ),
        FitEvent::Epoch(name, epoch) => format!(
            "{name} epoch {}: training loss {:.6}, validation loss {:.6}",
            epoch.number, epoch.training, epoch.validation
        ),
        FitEvent::Note(text) => text,
    }
}
