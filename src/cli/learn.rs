//! Subcommands of learning: self-play and fitting.

use anyhow::{Context, Result};
use clap::Args;
use quincunx::engine::read_tables;
use quincunx::eval::EvalTables;
use quincunx::files;
use quincunx::rules::{BoardSize, Rule};
use quincunx::train::run::{self, Progress};
use quincunx::train::selfplay::Settings;
use quincunx::train::spsa;
use quincunx::train::tune::{self, Event, Given, Options};
use quincunx::train::{curve, text};
use std::convert::Infallible;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// What games are played of.
#[derive(Args)]
struct Kind {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board, or boards in turn: 15, or 15,20
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "15")]
    size: Vec<BoardSize>,
}

/// What `selfplay` is told.
#[derive(Args)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    kind: Kind,
    /// How many games the file shall hold
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u32,
    /// Nodes a move, give or take
    #[arg(long, value_name = "N", default_value_t = 1500)]
    nodes: u32,
    /// Another seed, other games: one for each shard
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads; the games are the same with any number of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Where the games go; a run that was cut off goes on
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What `spsa` is told.
#[derive(Args)]
pub(crate) struct Spsa {
    #[command(flatten)]
    kind: Kind,
    /// Pairs of games in the whole run
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pairs: u32,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// How far from the present numbers the two sides are in the end, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 2.0)]
    spread: f64,
    /// How far a won game moves a number in the end, in parts of its step
    #[arg(long, value_name = "SHARE", default_value_t = 0.006)]
    rate: f64,
    /// The seed of openings and directions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Where the run is kept; one that was cut off goes on
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Tunes the numbers of the search by games.
pub(crate) fn spsa(arguments: &Spsa, output: &mut impl Write) -> Result<()> {
    let settings = spsa::Settings {
        rule: arguments.kind.rule.to_string(),
        sizes: arguments
            .kind
            .size
            .iter()
            .map(BoardSize::to_string)
            .collect(),
        nodes: arguments.nodes,
        pairs: arguments.pairs,
        spread: arguments.spread,
        rate: arguments.rate,
        seed: arguments.seed,
    };
    let mut view = View::new();
    let state = spsa::run(&settings, arguments.threads, &arguments.out, |state| {
        view.show(|| format!("{}/{} pairs", state.played, settings.pairs));
        true
    })?;
    let begun = spsa::State::begin(settings)?;
    for ((name, value), (_, before)) in state.values.iter().zip(&begun.values) {
        writeln!(output, "{name} {value:.1} (was {before})")?;
    }
    Ok(())
}

/// What `tune` is told.
#[derive(Args)]
pub(crate) struct Tune {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The seed of the order in which positions are gone through
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The share of the result in what values are fitted to; the rest is the search's word
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    result_share: f32,
    /// Units of a logit of value
    #[arg(long, value_name = "UNITS", default_value_t = 200.0)]
    value_units: f32,
    /// Units of a logit of move score
    #[arg(long, value_name = "UNITS", default_value_t = 60.0)]
    move_units: f32,
    /// How far a code's value may be from what its shapes say, in 200ths of a logit
    #[arg(long, value_name = "UNITS", default_value_t = 8.0)]
    spread: f32,
    /// The most passes over the data
    #[arg(long, value_name = "N", default_value_t = 16)]
    epochs: usize,
    /// Tables to start from, perhaps another rule's; they need far fewer games than nothing does
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Tables, perhaps another rule's, whose move scores are kept; only the rest is fitted
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    /// Tables, perhaps another rule's, of which all but the move scores is kept; only these are
    /// fitted
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    values: Option<PathBuf>,
    /// Where the tables go; loss curves go beside them, as .txt and .svg. A fit that was
    /// cut off goes on from FILE.journal
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Files of games
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
}

/// Fits tables to games.
pub(crate) fn tune(arguments: &Tune, output: &mut impl Write) -> Result<()> {
    let options = Options {
        rule: arguments.rule,
        seed: arguments.seed,
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
    let given = Given {
        base: base.as_ref(),
        values: values.as_ref(),
        moves: moves.as_ref(),
    };
    let mut journal = arguments.out.clone().into_os_string();
    journal.push(".journal");
    let journal = Path::new(&journal);
    let fitted = tune::tune(&options, given, &arguments.data, Some(journal), |event| {
        let time = start.elapsed().as_secs_f32();
        match event {
            Event::Read {
                path,
                games,
                left_out,
                positions: [training, validation],
            } => writeln!(
                output,
                "{time:7.1} s: {} read; {games} games and {left_out} left out, {training} positions to fit to, {validation} to judge by",
                path.display()
            ),
            Event::Passed(name, epoch) => writeln!(
                output,
                "{time:7.1} s: {name} pass {}: loss {:.6}, judged {:.6}",
                epoch.number, epoch.training, epoch.validation
            ),
            Event::Note(text) => writeln!(output, "{time:7.1} s: {text}"),
        }?;
        Ok(())
    })?;
    files::replace(&arguments.out, &fitted.tables.to_bytes())?;
    let beside = |extension| arguments.out.with_extension(extension);
    files::replace(&beside("txt"), curve::text(&fitted.curves).as_bytes())?;
    files::replace(&beside("svg"), curve::svg(&fitted.curves).as_bytes())?;
    // A fit of no passes has kept none.
    if journal.exists() {
        std::fs::remove_file(journal)?;
    }
    writeln!(output, "tables written to {}", arguments.out.display())?;
    Ok(())
}

/// Prints a file of games or tables as text.
pub(crate) fn dump(file: &Path, output: &mut impl Write) -> Result<()> {
    std::fs::read(file)
        .map_err(Into::into)
        .and_then(|bytes| text::dump(&bytes, output))
        .with_context(|| format!("can't print {}", file.display()))
}

/// Copies the games of several files into one.
pub(crate) fn merge(out: &Path, files: &[PathBuf], output: &mut impl Write) -> Result<()> {
    let games = run::merge(files, out)?;
    writeln!(output, "{games} games in {}", out.display())?;
    Ok(())
}

/// Where tables to evaluate with come from.
#[derive(Clone, Debug)]
pub(crate) enum TableSource {
    /// A file, for its rule.
    File(PathBuf),
    /// The numbers set by hand, for every rule.
    HandSet,
    /// Nothing is worth anything, under any rule.
    Zero,
}

impl FromStr for TableSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "hand-set" => TableSource::HandSet,
            "zero" => TableSource::Zero,
            _ => TableSource::File(text.into()),
        })
    }
}

fn tables_in(file: &Path) -> Result<EvalTables> {
    read_tables(file).with_context(|| format!("can't use the tables {}", file.display()))
}

/// Makes the process evaluate with other tables than those in the program.
pub(crate) fn install_tables(source: &TableSource) -> Result<()> {
    let every = |make: fn(Rule) -> EvalTables| Rule::ALL.map(make).into_iter().collect();
    let tables: Vec<EvalTables> = match source {
        TableSource::File(file) => vec![tables_in(file)?],
        TableSource::HandSet => every(EvalTables::hand_set),
        TableSource::Zero => every(EvalTables::zero),
    };
    tables.into_iter().for_each(EvalTables::install);
    Ok(())
}

/// Plays games of the engine against itself.
pub(crate) fn selfplay(arguments: &Selfplay) -> Result<()> {
    let settings = Settings {
        rule: arguments.kind.rule,
        sizes: arguments.kind.size.clone(),
        nodes: arguments.nodes,
        seed: arguments.seed,
    };
    let mut view = View::new();
    let progress = run::run(
        &settings,
        arguments.games,
        arguments.threads,
        &arguments.out,
        |progress| view.show(|| line(progress)),
    )?;
    view.finish(&line(&progress));
    Ok(())
}

fn line(progress: &Progress) -> String {
    let [black, white, nobody] = progress.results;
    let seconds = progress.left().as_secs();
    format!(
        "{}/{} games, {} positions, {:.0} a second, black {black} white {white} drawn {nobody}, {}:{:02}:{:02} to go",
        progress.games,
        progress.wanted,
        progress.plies,
        progress.speed(),
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
    )
}

/// Progress on standard error: one line that changes on a terminal, a line now
/// and then elsewhere.
struct View {
    terminal: bool,
    shown: Instant,
}

impl View {
    fn new() -> View {
        View {
            terminal: io::stderr().is_terminal(),
            shown: Instant::now(),
        }
    }

    fn show(&mut self, line: impl FnOnce() -> String) {
        let pause = if self.terminal { 200 } else { 30_000 };
        if self.shown.elapsed() < Duration::from_millis(pause) {
            return;
        }
        self.shown = Instant::now();
        let end = if self.terminal { "\x1b[K\r" } else { "\n" };
        // Progress that can't be shown is no reason to stop.
        let _ = write!(io::stderr(), "{}{end}", line());
    }

    fn finish(&self, line: &str) {
        let clear = if self.terminal { "\x1b[K" } else { "" };
        let _ = writeln!(io::stderr(), "{line}{clear}");
    }
}
