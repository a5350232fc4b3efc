//! The subcommands of training by games, self-play and parameter tuning, and those
//! for files of games.

use crate::cli::balance::BalanceArgs;
use crate::cli::files::Files;
use crate::cli::numbers::{at_least_one, positive, within};
use crate::cli::options::{Force, RuleOption, Seed, Threads};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::gomocup::Info;
use quincunx_engine::rules::BoardSize;
use quincunx_files::{WriteError, lock_of};
use quincunx_train::dump::{self, DumpError};
use quincunx_train::merge;
use quincunx_train::numpy::{self, SampleError};
use quincunx_train::run::{self, SelfplayProgress};
use quincunx_train::selfplay::SelfplayOptions;
use quincunx_train::spsa::{self, SpsaOptions, SpsaState};
use std::fs;
use std::io::Write;
use std::num::NonZeroU8;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rule and the boards of the games.
#[derive(Args)]
struct GameKind {
    #[command(flatten)]
    of: RuleOption,
    /// Board size, or several that are used in turn: 15, or 15,20
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "15")]
    size: Vec<BoardSize>,
}

/// The seed of a run, and where the run is kept.
#[derive(Args)]
struct RunKind {
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    /// File to keep the run in; an interrupted run resumes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

impl RunKind {
    fn check(&self) -> Result<()> {
        Files::default().run(&self.out).check()
    }

    /// Checks the file, and removes it if that is wanted and no run has `lock`.
    fn begin(&self, lock: &Path) -> Result<()> {
        self.check()?;
        if self.force.force && self.out.exists() {
            let name = self.out.display();
            let cannot = || format!("can't write {name}");
            let locked = quincunx_files::lock_file(lock).with_context(cannot)?;
            ensure!(locked.is_some(), "{name} is in use by another run");
            drop(locked);
            fs::remove_file(&self.out).with_context(cannot)?;
        }
        Ok(())
    }
}

/// The arguments of `selfplay`.
#[derive(Args)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    kind: GameKind,
    /// Number of games that the file will have
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one::<u32>)]
    games: u32,
    /// Nodes per move, on average
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1500,
        value_parser = within(1, SelfplayOptions::MAX_NODES),
    )]
    nodes: u32,
    /// Plies after the opening in which a move may be sampled instead of the best one
    #[arg(long, value_name = "N", default_value_t = SelfplayOptions::SAMPLED_PLIES)]
    sampled_plies: u16,
    /// One move in N is sampled in these plies
    #[arg(long, value_name = "N", default_value_t = SelfplayOptions::SAMPLED_ONE_IN)]
    sampled_one_in: NonZeroU8,
    /// Positions of each search's tree that are searched on their own, for `fit` to learn
    /// move scores from
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = within::<usize>(0, 100))]
    tree_positions: usize,
    /// Nodes for each of these positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = SelfplayOptions::TREE_NODES,
        value_parser = within(1, SelfplayOptions::MAX_NODES),
    )]
    tree_nodes: u32,
    #[command(flatten)]
    run: RunKind,
}

/// The arguments of `spsa`.
#[derive(Args)]
pub(crate) struct Spsa {
    #[command(flatten)]
    kind: GameKind,
    /// Pairs of games in the whole run
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one::<u32>)]
    pairs: u32,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = at_least_one::<u64>)]
    nodes: u64,
    /// Perturbation of the parameters at the end of the run, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 2.0, value_parser = positive(1000.0))]
    spread: f64,
    /// Learning rate at the end of the run, in steps for each game won
    #[arg(long, value_name = "STEPS", default_value_t = 0.006, value_parser = positive(1000.0))]
    rate: f64,
    /// Tune only these parameters
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    balance: BalanceArgs,
    #[command(flatten)]
    run: RunKind,
}

/// Tunes the parameters of the search.
pub(crate) fn spsa(
    arguments: &Spsa,
    weights: &Arc<WeightSet>,
    output: &mut impl Write,
) -> Result<()> {
    // A device could be read without end.
    arguments.run.check()?;
    let sizes = arguments.kind.size.iter().map(BoardSize::to_string);
    let openings = match resumed_options(&arguments.run) {
        // A run that goes on keeps its own, unless the options name another.
        Some(before) if !arguments.balance.are_given() => before.openings,
        _ => arguments.balance.test(arguments.nodes),
    };
    let options = SpsaOptions {
        rule: arguments.kind.of.rule.to_string(),
        sizes: sizes.collect(),
        nodes: arguments.nodes,
        pairs: arguments.pairs,
        spread: arguments.spread,
        learning_rate: arguments.rate,
        seed: arguments.run.seed.seed,
        only: arguments.only.clone(),
        openings,
    };
    let weights_sum = weights.checksum_of(&[arguments.kind.of.rule]);
    let initial = SpsaState::begin(options.clone(), weights_sum)?;
    arguments.run.begin(&lock_of(&arguments.run.out))?;
    exit_on_interrupt("the same command resumes the run (without --force)")?;
    let mut before = None;
    let progress = progress();
    let state = spsa::run(
        &options,
        weights,
        arguments.run.threads.threads,
        &arguments.run.out,
        &mut |state| {
            let before = *before.get_or_insert(state.played - 1);
            progress.show(|| {
                let done = u64::from(state.played - before);
                let left = progress.time_left(done, (options.pairs - state.played).into());
                course(state, &initial, &format!(", {left} to go"))
            });
            ControlFlow::Continue(())
        },
    )?;
    progress.note(&course(&state, &initial, ""));
    for (index, ((name, value), (_, before))) in
        state.values.iter().zip(&initial.values).enumerate()
    {
        if options.tunes(name) {
            let evidence = state.evidence(index);
            writeln!(
                output,
                "{name} {value:.1} (was {before}), {evidence:+.1} sigma"
            )?;
        }
    }
    let file = arguments.run.out.display();
    writeln!(output, "play with them: quincunx --parameters {file}")?;
    Ok(())
}

/// The options of the run in the file, if one goes on. A file that can't be read is refused later.
fn resumed_options(run: &RunKind) -> Option<SpsaOptions> {
    let state = SpsaState::read(&run.out).ok();
    state
        .filter(|_| !run.force.force)
        .map(|state| state.options)
}

/// The parameters that `spsa` has found in this file, as settings of the protocol.
pub(crate) fn parameters(file: &Path) -> Result<Vec<Info>> {
    let state = SpsaState::read(file)?;
    let parameters = state.parameters();
    Ok(parameters
        .map(|(name, value)| Info::Tune(name.to_owned(), value))
        .collect())
}

/// The progress of a run, and the parameters that have moved most. On a terminal these may be
/// beyond the end of the line, so the time `to_go` comes first.
fn course(state: &SpsaState, initial: &SpsaState, to_go: &str) -> String {
    const SHOWN: usize = 3;
    let [won, lost, drawn] = state.results;
    let mut moved: Vec<(&str, f64, f64)> = (state.values.iter().zip(&initial.values))
        .map(|((name, value), (_, before))| (name.as_str(), *value, *before))
        .collect();
    let share =
        |&(_, value, before): &(&str, f64, f64)| ((value - before) / before.abs().max(1.0)).abs();
    moved.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let moved = moved.iter().take(SHOWN);
    let moved: Vec<String> = moved
        .map(|(name, value, before)| format!("{name} {before} -> {value:.1}"))
        .collect();
    format!(
        "{}/{} pairs{to_go}, {won} won {lost} lost {drawn} drawn, {}",
        state.played,
        state.options.pairs,
        moved.join(", ")
    )
}

/// The file that is printed.
#[derive(Args)]
#[command(mut_arg("force", |force| force.requires("numpy")))]
pub(crate) struct Dump {
    /// The file
    file: PathBuf,
    /// Write the searched positions, one record for each, to this file as a NumPy array
    #[arg(long, value_name = "FILE")]
    numpy: Option<PathBuf>,
    /// Write only the games on this board; by default all games, which must have one size
    #[arg(long, value_name = "SIZE", requires = "numpy")]
    size: Option<BoardSize>,
    #[command(flatten)]
    force: Force,
}

/// Prints a file that the program has made as text, or writes games as a NumPy array.
pub(crate) fn dump(arguments: &Dump, output: &mut impl Write) -> Result<()> {
    let file = &arguments.file;
    let cannot_print = || format!("can't print {}", file.display());
    let bytes = std::fs::read(file).with_context(cannot_print)?;
    if let Some(out) = &arguments.numpy {
        let files = Files::read([file]).replace([out], arguments.force.force);
        files.check()?;
        let written =
            quincunx_files::replace_with(out, |out| numpy::write_npy(&bytes, arguments.size, out));
        let samples = written.map_err(|error| match error {
            SampleError::Output(error) => WriteError::new(out, error).into(),
            error => anyhow::Error::new(error).context(cannot_print()),
        })?;
        writeln!(output, "{samples} positions in {}", out.display())?;
        return Ok(());
    }
    match dump::dump(&bytes, output) {
        // The caller knows what to do about a closed pipe.
        Err(DumpError::Output(error)) => Err(error.into()),
        other => other.with_context(cannot_print),
    }
}

/// Copies the games of several files into one.
pub(crate) fn merge(out: &PathBuf, files: &[PathBuf], output: &mut impl Write) -> Result<()> {
    Files::default().run(out).check()?;
    let games = merge::merge(files, out)?;
    writeln!(output, "{games} games in {}", out.display())?;
    Ok(())
}

/// Plays games of the engine against itself.
pub(crate) fn selfplay(arguments: &Selfplay, weights: &Arc<WeightSet>) -> Result<()> {
    let GameKind { of, size } = &arguments.kind;
    let options = SelfplayOptions {
        sampled_plies: arguments.sampled_plies.into(),
        sampled_one_in: arguments.sampled_one_in,
        tree_positions: arguments.tree_positions,
        tree_nodes: arguments.tree_nodes,
        ..SelfplayOptions::new(
            of.rule,
            size.clone(),
            arguments.nodes,
            arguments.run.seed.seed,
        )
    };
    run::expect_playable(&options)?;
    arguments.run.begin(&arguments.run.out)?;
    exit_on_interrupt("the same command resumes the run (without --force)")?;
    let progress = progress();
    let done = run::run(
        &options,
        weights,
        arguments.games,
        arguments.run.threads.threads,
        &arguments.run.out,
        &mut |done| {
            progress.show(|| {
                let games = (done.games - done.resumed).into();
                let left = progress.time_left(games, (done.target - done.games).into());
                let speed = progress.per_second(done.positions - done.resumed_positions);
                let line = line(done, &format!(", {left} to go"));
                format!("{line}, {speed:.0} positions a second")
            });
        },
    )?;
    progress.note(&line(&done, ""));
    Ok(())
}

fn line(progress: &SelfplayProgress, to_go: &str) -> String {
    let [black, white, drawn] = progress.results;
    format!(
        "{}/{} games{to_go}, {} positions, black {black} white {white} drawn {drawn}",
        progress.games, progress.target, progress.positions,
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn force_does_not_take_the_file_of_a_run_that_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunKind {
            seed: Seed { seed: 1 },
            threads: Threads { threads: 1 },
            out: folder.path().join("games.qx"),
            force: Force { force: true },
        };
        let other = quincunx_files::lock_file(&run.out).unwrap();
        let error = run.begin(&run.out).unwrap_err().to_string();
        assert!(error.ends_with("is in use by another run"), "{error}");
        assert!(run.out.exists());
        drop(other);
        run.begin(&run.out).unwrap();
        assert!(!run.out.exists());
    }
}
