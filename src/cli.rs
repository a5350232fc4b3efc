//! Arguments to actions.
//!
//! Without a subcommand the program speaks the protocol, and arguments that managers add of
//! their own may not keep it from doing so. It says in a MESSAGE that it passes them over, before
//! the first command: some managers read standard error as if it were moves.

mod admin;
mod board;
mod check;
mod config;
mod database;
mod engines;
mod exit;
mod fit;
mod gravity;
mod learn;
mod match_openings;
mod matches;
mod numbers;
mod openings;
mod output;
mod play;
mod progress;
mod ratings;
mod show;
mod signals;
mod solve;
mod terminal;
mod weights;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use config::Config;
use quincunx::eval::InstructionSet;
use quincunx::eval::WeightSet;
use quincunx::game::Date;
use quincunx::protocol;
use quincunx::tools::bench;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The program, as it is called.
const NAME: &str = "quincunx";

/// The version with what a build from a repository adds: the commit and its bench.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("QUINCUNX_BUILD"));

/// A Gomoku and Renju engine.
///
/// Without a subcommand it speaks the Gomocup protocol on standard input and
/// output, as managers such as piskvork and c-gomoku-cli expect.
#[derive(Parser)]
#[command(args_override_self = true)]
#[command(version, long_version = LONG_VERSION, about, after_long_help = exit::CODES)]
struct Cli {
    /// Append a log of everything said and done to this file
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,

    /// Evaluate with the tables in this file, and with no line network but that of
    /// --network; once for each rule. The words hand-set and zero are the numbers before
    /// anything was learned, and none
    #[arg(long, value_name = "FILE", global = true)]
    tables: Vec<weights::TableSource>,

    /// Correct the evaluation with the line network in this file; once for each rule.
    /// The word none leaves out the networks of all rules
    #[arg(long, value_name = "FILE", global = true)]
    network: Vec<weights::NetworkSource>,

    /// Take defaults from this TOML file instead of quincunx/config.toml among the
    /// user's configurations
    ///
    /// Its tables are named after commands, its keys after their options, such as
    /// turn-ms = 100 below [match]. An option on the command line takes the place of the
    /// one in the file, and of those that it excludes. In a file that is named here, the
    /// table [info] has INFO keys for the protocol, such as strength = 50.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Play and analyse in the browser
    ///
    /// Serves a page on this machine and opens it. The page keeps the games.
    Board(board::Board),
    /// Play and analyse in the terminal
    ///
    /// Arrows and Enter or the mouse put stones, ? shows the keys, q leaves.
    #[command(
        after_long_help = "Examples:\n  quincunx play\n  quincunx play --rule renju --black engine --white person --level 50\n  quincunx play --opening swap2 --time 5m+3s\n  quincunx play game.sgf --ascii"
    )]
    Play(play::Play),
    /// Search a fixed set of positions; the node count is the same everywhere
    Bench {
        /// Plies; another depth has another node count
        #[arg(long, value_name = "N", default_value_t = bench::DEPTH,
            value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
        /// Instructions for the evaluations: baseline, avx2 or avx512, if this machine has
        /// them; without this option the best that it has. The node count is the same
        #[arg(long, value_name = "SET")]
        instructions: Option<InstructionSet>,
    },
    /// Test whether an engine keeps to the protocol
    ///
    /// Prints a table of what passed, what failed and what is not supported, and
    /// what was said where something failed. Fails if anything did.
    #[command(after_long_help = "Example: quincunx check --rule renju ./pbrain-engine")]
    Check(check::Check),
    /// Play engines against each other
    ///
    /// Every opening is played twice with colours swapped. The last line of the
    /// report is `NAME1 vs NAME2: W - L - D`. Ctrl-C ends a run; what was played
    /// is kept in the folder of --out and goes on with --resume.
    #[command(
        after_long_help = "Examples:\n  quincunx match --engine new=./new --engine old=./old --turn-ms 100 --games 1000\n  quincunx match --engine new=./new --engine old=./old --nodes 5000 --sprt 0,10 --games 20000 --out run1\n  quincunx match --engine a=./a --engine b=./b --engine c=./c --tc 60+0.6 --format swiss --games 4 --resign score=600,moves=3"
    )]
    Match(Box<matches::Match>),
    /// Rate the engines of several matches together
    ///
    /// Prints Elo with 95 % errors, and for each two engines how likely it is that one is
    /// the stronger. Engines of the same name are one engine; groups that no games connect
    /// are rated apart.
    #[command(after_long_help = "Example: quincunx ratings --anchor old=2000 run1 run2 run3")]
    Ratings(ratings::RatingsArgs),
    /// Make balanced openings with the engine
    ///
    /// Prints one a line: the stones, the engine's value for the side to move,
    /// and the depth of its search. No two are alike by turning or mirroring.
    #[command(
        after_long_help = "Example: quincunx openings --rule renju --count 200 --stones 3-7 > openings.txt"
    )]
    Openings(openings::Openings),
    /// Print a position with all that the engine sees in it
    #[command(
        after_long_help = "Examples:\n  quincunx show h8i9h9 --rule renju\n  quincunx show --json game.sgf"
    )]
    Show(show::Show),
    /// Play games of the engine against itself, to learn from
    #[command(
        after_long_help = "Example: quincunx selfplay --games 15000 --nodes 700 --threads 2 --out games.qx"
    )]
    Selfplay(learn::Selfplay),
    /// Fit evaluation tables to games
    #[command(alias = "tune")]
    Fit(fit::Fit),
    /// Train a line network on games
    ///
    /// The network corrects the classical evaluation; --network plays with it.
    Train(fit::Train),
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
    #[command(
        after_long_help = "Examples:\n  quincunx solve --size 9 d5a1e5a3f5a9\n  quincunx solve --file puzzles.txt --out answers.txt --kind vct --nodes 100000"
    )]
    Solve(solve::Solve),
    /// Read, write and print databases of positions
    ///
    /// A database is what a GUI opens with YXSETDATABASE, and with INFO
    /// usedatabase 1 an opening book.
    #[command(
        after_long_help = "Examples:\n  quincunx database import book.db openings.lib --format lib --rule renju\n  quincunx database query book.db \"15 renju h8i9\"\n  quincunx database export book.db -"
    )]
    Database(database::Database),
    /// Print completions for a shell
    ///
    /// For instance: quincunx completions bash > ~/.local/share/bash-completion/completions/quincunx
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    ///
    /// For instance: quincunx man > ~/.local/share/man/man1/quincunx.1
    Man,
    /// Play four in a row with gravity
    ///
    /// A game of its own: stones fall to the lowest free point of a column, four
    /// in a line win.
    Gravity(gravity::Gravity),
}

/// Does what the arguments say and returns the exit code. A reader that has gone
/// away is no failure.
pub(crate) fn run() -> Result<u8> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let configured = Config::find(&arguments).and_then(|config| {
        let arguments = config.apply(&arguments, &Cli::command())?;
        Ok((config, arguments))
    });
    let (config, arguments) = match configured {
        // A manager must not be kept waiting by a file that nobody named.
        Err(_) if may_be_a_managers(&arguments) && !config::is_named(&arguments) => {
            (Config::default(), arguments)
        }
        configured => configured?,
    };
    let Cli {
        log,
        tables,
        network,
        action,
        ..
    } = parse(&arguments);
    start_logging(
        log.as_deref(),
        if action.is_some() { "warn" } else { "off" },
    )?;
    let weights = Arc::new(weights::weights(&tables, &network)?);
    let done = match &action {
        Some(action) => perform(action, &weights),
        None => {
            log::info!("speaking the protocol, started with {arguments:?}");
            let spoken = speak(weights, config.info_lines().concat()).map(|()| exit::DONE);
            spoken.map_err(Into::into)
        }
    };
    done.or_else(|error| match error.downcast_ref::<io::Error>() {
        Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(exit::DONE),
        _ => Err(error),
    })
}

fn perform(action: &Action, weights: &Arc<WeightSet>) -> Result<u8> {
    let mut output = io::stdout().lock();
    match action {
        Action::Board(arguments) => arguments.run(weights, &mut output)?,
        Action::Play(arguments) => return arguments.run(weights),
        Action::Check(arguments) => return arguments.run(&mut output),
        Action::Ratings(arguments) => arguments.run(&mut output)?,
        Action::Openings(arguments) => arguments.run(weights, &mut output)?,
        Action::Database(arguments) => arguments.run(&mut output)?,
        Action::Match(arguments) => return arguments.run(weights, &mut output),
        Action::Bench {
            depth,
            instructions,
        } => {
            let mut weights = WeightSet::clone(weights);
            if let Some(instructions) = instructions {
                weights.set_instructions(*instructions);
            }
            let measured = bench::run(&Arc::new(weights), *depth, |line| {
                // A reader that has gone away is noticed below.
                let _ = writeln!(output, "{line}");
            })?;
            writeln!(output, "{measured}")?;
        }
        Action::Show(arguments) => arguments.run(weights, &mut output)?,
        Action::Selfplay(arguments) => learn::selfplay(arguments, weights)?,
        Action::Fit(arguments) => fit::fit(arguments, &mut output)?,
        Action::Train(arguments) => fit::train(arguments, weights, &mut output)?,
        Action::Spsa(arguments) => learn::spsa(arguments, weights, &mut output)?,
        Action::Merge { out, data } => learn::merge(out, data, &mut output)?,
        Action::Dump { file } => learn::dump(file, &mut output)?,
        Action::Solve(arguments) => arguments.run(&mut output)?,
        Action::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), NAME, &mut text);
            output.write_all(&text)?;
        }
        Action::Man => {
            let mut text = Vec::new();
            manual(&mut text)?;
            output.write_all(&text)?;
        }
        Action::Gravity(arguments) => arguments.run(&mut output)?,
    }
    Ok(exit::DONE)
}

/// The manual page: the program, and each subcommand under its own name.
fn manual(output: &mut impl Write) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(output)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        writeln!(
            output,
            ".SH \"{} {}\"",
            NAME.to_uppercase(),
            sub.get_name().to_uppercase()
        )?;
        let page = clap_mangen::Man::new(sub.clone());
        page.render_synopsis_section(output)?;
        page.render_description_section(output)?;
        page.render_options_section(output)?;
    }
    Ok(())
}

/// The arguments. Where they make no sense the process ends with clap's message; what a
/// manager has added is passed over.
fn parse(arguments: &[OsString]) -> Cli {
    let error = match Cli::try_parse_from(arguments) {
        Ok(cli) => return cli,
        Err(error) => error,
    };
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let almost = arguments.get(1).and_then(|word| word.to_str());
    let almost = almost.is_some_and(is_almost_a_subcommand);
    if asked || almost || !may_be_a_managers(arguments) {
        error.exit();
    }
    let (own, others) = own_options(arguments);
    for other in others {
        let other = other.display();
        // A MESSAGE is no answer to those who read it as one. Where it can't be written there
        // is nobody to tell.
        let _ = writeln!(
            io::stderr(),
            "MESSAGE unknown argument '{other}' is ignored"
        );
    }
    Cli::try_parse_from(own).unwrap_or_else(|error| error.exit())
}

/// The program's name and options with their values, and all other arguments.
fn own_options(arguments: &[OsString]) -> (Vec<&OsString>, Vec<&OsString>) {
    let command = Cli::command();
    let is_own = |name: &str| {
        let mut names = command
            .get_arguments()
            .filter_map(|option| option.get_long());
        name.strip_prefix("--")
            .is_some_and(|name| names.any(|own| own == name))
    };
    let mut arguments = arguments.iter();
    let mut own: Vec<&OsString> = arguments.next().into_iter().collect();
    let mut others = Vec::new();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match text.split_once('=') {
            Some((name, _)) if is_own(name) => own.push(argument),
            None if is_own(&text) && !arguments.as_slice().is_empty() => {
                own.push(argument);
                own.extend(arguments.next());
            }
            _ => others.push(argument),
        }
    }
    (own, others)
}

/// Whether the arguments may come from a manager, which waits for the protocol.
fn may_be_a_managers(arguments: &[OsString]) -> bool {
    !names_subcommand(arguments) && !io::stdin().is_terminal()
}

/// Whether a subcommand is among the arguments.
fn names_subcommand(arguments: &[OsString]) -> bool {
    let command = Cli::command();
    let mut words = arguments.iter().skip(1);
    words.any(|word| command.find_subcommand(word).is_some())
}

/// Whether a word is a subcommand but for a slip of the pen. Managers say other
/// things.
fn is_almost_a_subcommand(word: &str) -> bool {
    let command = Cli::command();
    let mut names = command.get_subcommands().map(|sub| sub.get_name());
    names.any(|name| {
        let slips = strsim::damerau_levenshtein(word, name);
        slips <= name.len() / 4
    })
}

/// The file that an option names among arguments that may be others' too.
fn value_of(option: &str, arguments: &[OsString]) -> Option<PathBuf> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == option {
            return arguments.next().map(PathBuf::from);
        }
        let value = argument.to_str().and_then(|text| text.strip_prefix(option));
        if let Some(path) = value.and_then(|text| text.strip_prefix('=')) {
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
    builder
        .format(|line, record| {
            let (level, module) = (record.level(), record.target());
            writeln!(line, "{} {level:5} {module}: {}", now(), record.args())
        })
        .init();
    std::panic::set_hook(Box::new(|panic| {
        log::error!("{panic}\n{}", std::backtrace::Backtrace::force_capture());
    }));
    Ok(())
}

/// The time in UTC, such as `2026-11-23 14:05:06.789Z`.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    let (seconds, milliseconds) = (since.as_secs(), since.subsec_millis());
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let date = Date::from_unix(seconds);
    format!("{date} {hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Speaks the protocol, after these first lines of input. People are told what
/// this is, and how to leave; programs hear nothing.
fn speak(weights: Arc<WeightSet>, first: String) -> io::Result<()> {
    let first = io::Cursor::new(first);
    if io::stdin().is_terminal() {
        terminal::greet()?;
        let typed = terminal::Typed::new(BufReader::new(io::stdin()));
        return protocol::run(weights, first.chain(typed), io::stdout());
    }
    protocol::run(weights, first.chain(io::stdin()), io::stdout())
}

/// Says why the program fails, in one line, and returns its exit code.
pub(crate) fn complain(error: &anyhow::Error) -> u8 {
    // Where even that can't be written there is nobody to tell.
    let _ = writeln!(io::stderr(), "quincunx: {}", in_one_line(error));
    exit::code_of(error)
}

/// An error and its causes, from the outermost on. Some errors tell their cause
/// themselves; nothing is said twice.
fn in_one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
