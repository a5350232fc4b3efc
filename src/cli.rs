//! Arguments to actions.
//!
//! Without a subcommand the program speaks the protocol, and then nothing may
//! keep it from doing so: managers pass arguments of their own, and they read
//! standard error as if it were moves.

mod check;
mod database;
mod engines;
mod gravity;
mod learn;
mod matches;
mod openings;
mod solve;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use quincunx::eval::WeightSet;
use quincunx::position::Position;
use quincunx::protocol;
use quincunx::rules::{BoardSize, Rule};
use quincunx::tools::{bench, show};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A Gomoku and Renju engine.
///
/// Without a subcommand it speaks the Gomocup protocol on standard input and
/// output, as managers such as piskvork and c-gomoku-cli expect.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    /// Append a log of everything said and done to this file
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,

    /// Evaluate with the tables in this file; once for each rule. The words
    /// hand-set and zero are the numbers before anything was learned, and none
    #[arg(long, value_name = "FILE", global = true)]
    tables: Vec<learn::TableSource>,

    /// Correct the evaluation with the line network in this file; once for each rule
    #[arg(long, value_name = "FILE", global = true)]
    network: Vec<PathBuf>,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Search a fixed set of positions; the node count is the same everywhere
    Bench {
        /// Plies; another depth has another node count
        #[arg(long, value_name = "N", default_value_t = bench::DEPTH)]
        depth: u32,
    },
    /// Test whether an engine keeps to the protocol
    ///
    /// Prints a table of what passed, what failed and what is not supported, and
    /// what was said where something failed. Fails if anything did.
    Check(check::Check),
    /// Play engines against each other
    ///
    /// Every opening is played twice with colours swapped. The last line of the
    /// report is `NAME1 vs NAME2: W - L - D`. Ctrl-C ends a run; what was played
    /// is kept in the folder of --out and goes on with --resume.
    Match(Box<matches::Match>),
    /// Make balanced openings with the engine
    ///
    /// Prints one a line: the stones, the engine's value for the side to move,
    /// and the depth of its search. No two are alike by turning or mirroring.
    Openings(openings::Openings),
    /// Print a position with all that the engine sees in it
    Show(Show),
    /// Play games of the engine against itself, to learn from
    Selfplay(learn::Selfplay),
    /// Fit evaluation tables to games
    #[command(alias = "tune")]
    Fit(learn::Fit),
    /// Train a line network on games
    ///
    /// The network corrects the classical evaluation; --network plays with it.
    Train(learn::Train),
    /// Tune the parameters of the search by games
    ///
    /// In every pair of games all parameters are perturbed at random, in opposite
    /// directions for the two sides; they then move towards the winner. The file of
    /// --out holds the parameters; the same command resumes an interrupted run.
    Spsa(learn::Spsa),
    /// Copy the games of several files into one
    Merge {
        /// Where the games go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Files of games of one rule
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Print a file of games or of tables as text
    Dump {
        /// The file
        file: PathBuf,
    },
    /// Find forced wins and prove them
    Solve(solve::Solve),
    /// Read, write and print databases of positions
    ///
    /// A database is what a GUI opens with YXSETDATABASE, and with INFO
    /// usedatabase 1 an opening book.
    Database(database::Database),
    /// Play four in a row with gravity
    ///
    /// A game of its own: stones fall to the lowest free point of a column, four
    /// in a line win.
    Gravity(gravity::Gravity),
}

#[derive(Args)]
struct Show {
    /// The moves one after another, such as h8i9g10; -- is a pass
    position: String,
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board: 15, or 20x15
    #[arg(long, default_value_t)]
    size: BoardSize,
}

/// Does what the arguments say. A reader that has gone away is no failure.
pub(crate) fn run() -> Result<()> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let Cli {
        log,
        tables,
        network,
        action,
    } = parse(&arguments);
    start_logging(
        log.as_deref(),
        if action.is_some() { "warn" } else { "off" },
    )?;
    let weights = Arc::new(learn::weights(&tables, &network)?);
    let done = match &action {
        Some(action) => perform(action, &weights),
        None => {
            log::info!("speaking the protocol, started with {arguments:?}");
            speak(weights).map_err(Into::into)
        }
    };
    done.or_else(|error| match error.downcast_ref::<io::Error>() {
        Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

fn perform(action: &Action, weights: &Arc<WeightSet>) -> Result<()> {
    let mut output = io::stdout().lock();
    match action {
        Action::Check(arguments) => arguments.run(&mut output)?,
        Action::Openings(arguments) => arguments.run(weights, &mut output)?,
        Action::Database(arguments) => arguments.run(&mut output)?,
        Action::Match(arguments) => arguments.run(&mut output)?,
        Action::Bench { depth } => {
            let measured = bench::run(weights, *depth, |line| {
                // A reader that has gone away is noticed below.
                let _ = writeln!(output, "{line}");
            })?;
            writeln!(output, "{measured}")?;
        }
        Action::Show(show) => {
            let position = Position::from_moves(show.rule, show.size, &show.position)?;
            writeln!(output, "{}", show::describe(&position, weights).trim_end())?;
        }
        Action::Selfplay(arguments) => learn::selfplay(arguments, weights)?,
        Action::Fit(arguments) => learn::fit(arguments, &mut output)?,
        Action::Train(arguments) => learn::train(arguments, weights, &mut output)?,
        Action::Spsa(arguments) => learn::spsa(arguments, weights, &mut output)?,
        Action::Merge { out, data } => learn::merge(out, data, &mut output)?,
        Action::Dump { file } => learn::dump(file, &mut output)?,
        Action::Solve(arguments) => arguments.run(&mut output)?,
        Action::Gravity(arguments) => arguments.run(&mut output)?,
    }
    Ok(())
}

/// The arguments; where they make no sense the process ends with clap's
/// message, unless a manager may be waiting for the protocol.
fn parse(arguments: &[OsString]) -> Cli {
    let error = match Cli::try_parse_from(arguments) {
        Ok(cli) => return cli,
        Err(error) => error,
    };
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let subcommand = |name: &str| {
        Cli::command()
            .get_subcommands()
            .any(|sub| sub.get_name() == name || sub.get_all_aliases().any(|alias| alias == name))
    };
    let named = arguments
        .iter()
        .skip(1)
        .any(|argument| argument.to_str().is_some_and(subcommand));
    if asked || named || io::stdin().is_terminal() {
        error.exit();
    }
    Cli {
        action: None,
        tables: Vec::new(),
        network: Vec::new(),
        log: log_file(arguments),
    }
}

/// The log file asked for among arguments that are not ours.
fn log_file(arguments: &[OsString]) -> Option<PathBuf> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--log" {
            return arguments.next().map(PathBuf::from);
        }
        if let Some(path) = argument
            .to_str()
            .and_then(|text| text.strip_prefix("--log="))
        {
            return Some(PathBuf::from(path));
        }
    }
    None
}

/// Logs to `file`, or to standard error if RUST_LOG asks for it. Panics are
/// logged and nothing else: their text must not reach a manager.
fn start_logging(file: Option<&Path>, default: &str) -> Result<()> {
    let environment = env_logger::Env::default();
    let mut builder = match file {
        None => env_logger::Builder::from_env(environment.default_filter_or(default)),
        Some(path) => {
            let file = File::options().create(true).append(true).open(path);
            let file = file.with_context(|| format!("can't write the log {}", path.display()))?;
            let mut builder = env_logger::Builder::from_env(environment.default_filter_or("debug"));
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            builder
        }
    };
    builder.format_timestamp_millis().init();
    std::panic::set_hook(Box::new(|panic| {
        log::error!("{panic}\n{}", std::backtrace::Backtrace::force_capture());
    }));
    Ok(())
}

/// Speaks the protocol. People are told what this is; programs hear nothing.
fn speak(weights: Arc<WeightSet>) -> io::Result<()> {
    if io::stdin().is_terminal() {
        writeln!(
            io::stderr(),
            "Quincunx {}, a Gomoku engine. Type START 15, then BEGIN or TURN 7,7; END leaves, --help tells more.",
            env!("CARGO_PKG_VERSION")
        )?;
    }
    protocol::run(weights, io::stdin(), io::stdout())
}

/// Says why the program fails, in one line.
pub(crate) fn complain(error: &anyhow::Error) {
    // Where even that can't be written there is nobody to tell.
    let _ = writeln!(io::stderr(), "quincunx: {error:#}");
}
