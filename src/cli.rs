//! The command line: parses the arguments and runs the commands.
//!
//! Without a subcommand the program speaks the protocol, even if a manager has added arguments of
//! its own. A MESSAGE before the first command says that they are ignored. It is a MESSAGE because
//! some managers read standard error as if it were moves. Managers speak through pipes: at a
//! terminal and without an input an unknown word is an error.

#[cfg(feature = "analysis")]
mod analysis;
#[cfg(feature = "arena")]
mod arena;
#[cfg(any(feature = "arena", feature = "train"))]
mod balance;
#[cfg(feature = "board")]
mod boards;
#[cfg(feature = "database")]
mod database;
#[cfg(all(
    test,
    feature = "arena",
    feature = "board",
    feature = "database",
    feature = "gravity",
    feature = "train"
))]
mod documents;
mod exit;
#[cfg(feature = "shell")]
mod files;
mod games;
#[cfg(feature = "gravity")]
mod gravity;
#[cfg(all(feature = "arena", feature = "board"))]
mod guest;
mod help;
mod inputs;
mod logging;
mod numbers;
mod options;
#[cfg(feature = "shell")]
mod runs;
#[cfg_attr(not(feature = "shell"), path = "cli/no_shell.rs")]
mod shell;
mod terminal;
mod tools;
#[cfg(feature = "train")]
mod train;
mod weights;

use crate::{VERSION, protocol};
use anyhow::{Context, Result};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use quincunx_book::OpeningBook;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::gomocup::Info;
use quincunx_engine::position::notation::parse_moves;
use quincunx_engine::rules::BoardSize;
use quincunx_engine::search::spawn_scoped;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// The version, with the bench in a build from a repository.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    env!("QUINCUNX_COMMIT"),
    env!("QUINCUNX_BUILD")
);

/// The heading of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// A Gomoku and Renju engine.
///
/// Without a subcommand it speaks the Gomocup protocol on standard input and
/// output, as managers such as piskvork and c-gomoku-cli expect.
#[derive(Parser)]
#[command(args_override_self = true)]
#[command(version = VERSION, long_version = LONG_VERSION, about, after_help = help::EXAMPLES, after_long_help = help::after())]
struct Cli {
    /// Append a log to this file
    #[arg(help_heading = EVERYWHERE, long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,

    /// Evaluate with the tables in this file, and with no line network but that of
    /// --network; can be repeated, for several rules. hand-set instead of a file stands for
    /// the tables before any training, and zero for tables of zeros
    #[arg(help_heading = EVERYWHERE, long, value_name = "FILE", global = true)]
    tables: Vec<weights::TableSource>,

    /// Correct the evaluation with the line network in this file; can be repeated, for
    /// several rules. none instead of a file leaves out the networks of all rules
    #[arg(help_heading = EVERYWHERE, long, value_name = "FILE", global = true)]
    network: Vec<weights::NetworkSource>,

    /// Take defaults from this TOML file instead of the user's quincunx/config.toml
    ///
    /// The user's file is in ~/.config, on macOS in ~/Library/Application Support, on Windows
    /// in %APPDATA%. Tables are named after commands and keys after their options, such as
    /// turn = "100ms" below [match], or least = 2 below [explore.build]. An option on the command line replaces that of the file,
    /// and those that it excludes. The table [info] has INFO keys for the protocol, such as
    /// strength = 50, and is used only in a file that is named here.
    #[cfg(feature = "shell")]
    #[arg(help_heading = EVERYWHERE, long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    /// Search with the parameters that spsa has written to this file; only without a subcommand
    #[cfg(feature = "train")]
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,

    /// Play moves of the opening book in this file; only without a subcommand
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    #[cfg(feature = "board")]
    #[command(flatten)]
    Boards(boards::Command),
    #[command(flatten)]
    Tools(tools::Command),
    #[cfg(feature = "analysis")]
    #[command(flatten)]
    Analysis(analysis::Command),
    #[cfg(feature = "arena")]
    #[command(flatten)]
    Arena(arena::Command),
    #[cfg(all(feature = "arena", feature = "board"))]
    /// Seat an engine in the rooms of a server
    ///
    /// The engine waits in a room for opponents, and plays in tournaments. Ctrl-C ends it.
    #[command(
        after_long_help = "Example: quincunx guest --engine ./pbrain-engine --url http://127.0.0.1:5225/ --token 0123456789abcdef0123456789abcdef"
    )]
    Guest(guest::Guest),
    #[cfg(feature = "train")]
    #[command(flatten)]
    Train(train::Command),
    #[cfg(feature = "database")]
    /// Read, write and print databases of positions
    ///
    /// A GUI opens a database with YXSETDATABASE. With INFO usedatabase 1 it is
    /// also an opening book.
    #[command(
        after_long_help = "Examples:\n  quincunx database import book.db openings.lib --format lib --rule renju\n  quincunx database query book.db \"15 renju h8i9\"\n  quincunx database export book.db -"
    )]
    Database(database::Database),
    #[cfg(feature = "gravity")]
    /// Play four in a row with gravity
    ///
    /// In this small game stones fall to the lowest free point of a column, and
    /// four in a line win.
    #[command(
        after_long_help = "Examples:\n  quincunx gravity --level 5\n  quincunx gravity --machine first --time 5s\n  quincunx gravity solve 4453"
    )]
    Gravity(gravity::Gravity),
    #[cfg(feature = "shell")]
    #[command(flatten)]
    Shell(shell::Command),
}

/// Runs the command of the arguments and returns the exit code. A reader of the output that
/// has gone away is no failure.
pub fn run() -> Result<u8> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let (arguments, settings) = shell::configured(arguments)?;
    let cli = parse(&arguments);
    #[cfg(feature = "shell")]
    quincunx_runs::survive_file_size_limit().context("can't handle signals")?;
    // Nothing follows that could look like an option, so a pass was meant.
    let ends_with_dashes = std::env::args_os()
        .next_back()
        .is_some_and(|word| word == "--");
    if cli.action.is_some() && ends_with_dashes {
        return Err(exit::usage(
            "-- alone ends the options and is no pass: write pass, or h8-- in one word",
        ));
    }
    #[cfg(feature = "train")]
    let settings = [settings, parameters(&cli)?].concat();
    let Cli {
        log,
        tables,
        network,
        book,
        action,
        ..
    } = cli;
    logging::start(log.as_deref(), logging::Readers::of(action.as_ref()))?;
    let weights = Arc::new(weights::weights(&tables, &network)?);
    let book = book.map(|file| open_book(&file, action.is_some()));
    let book = book.transpose()?;
    #[cfg(all(not(unix), feature = "shell"))]
    shell::obey_escape_sequences();
    let done = match &action {
        Some(action) => perform(action, &weights),
        None => {
            log::info!("speaking the protocol, started with {arguments:?}");
            let spoken = speak(weights, book, settings).map(|()| exit::DONE);
            spoken.map_err(Into::into)
        }
    };
    done.or_else(|error| match error.downcast_ref::<io::Error>() {
        Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(exit::DONE),
        _ => Err(error),
    })
}

/// The parameters of the search, if a file of them is named, as settings of the protocol.
#[cfg(feature = "train")]
fn parameters(cli: &Cli) -> Result<Vec<Info>> {
    let Some(file) = &cli.parameters else {
        return Ok(Vec::new());
    };
    exit::ensure_usage!(
        cli.action.is_none(),
        "--parameters is for the protocol, without a subcommand"
    );
    train::parameters(file)
}

/// The book in a file, for the protocol.
fn open_book(file: &Path, has_action: bool) -> Result<OpeningBook> {
    if has_action {
        return Err(exit::usage(
            "--book is for the protocol, without a subcommand",
        ));
    }
    OpeningBook::open(file).with_context(|| format!("can't use the book {}", file.display()))
}

/// Runs a subcommand on a thread with the stack of a search, because the main thread may have as
/// little as 1 MiB. Searches of the protocol have a thread of their own.
fn perform(action: &Action, weights: &Arc<WeightSet>) -> Result<u8> {
    thread::scope(|scope| {
        let command = spawn_scoped(scope, || carry_out(action, weights));
        let command = command.context("can't start a thread")?;
        command.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn carry_out(action: &Action, weights: &Arc<WeightSet>) -> Result<u8> {
    let mut output = io::stdout().lock();
    match action {
        #[cfg(feature = "board")]
        Action::Boards(command) => command.run(weights, &mut output),
        Action::Tools(command) => command.run(weights, &mut output),
        #[cfg(feature = "analysis")]
        Action::Analysis(command) => command.run(weights, &mut output),
        #[cfg(feature = "arena")]
        Action::Arena(command) => command.run(weights, &mut output),
        #[cfg(all(feature = "arena", feature = "board"))]
        Action::Guest(arguments) => arguments.run(&mut output).map(|()| exit::DONE),
        #[cfg(feature = "train")]
        Action::Train(command) => command.run(weights, &mut output),
        #[cfg(feature = "database")]
        Action::Database(arguments) => arguments.run(&mut output),
        #[cfg(feature = "gravity")]
        Action::Gravity(arguments) => arguments.run(&mut output).map(|()| exit::DONE),
        #[cfg(feature = "shell")]
        Action::Shell(command) => command.run(&mut output).map(|()| exit::DONE),
    }
}

/// Parses the arguments. If they are invalid the process ends with clap's message, but arguments
/// that a manager may have added are ignored.
fn parse(arguments: &[OsString]) -> Cli {
    let error = match try_parse(arguments) {
        Ok(cli) => return cli,
        Err(error) => error,
    };
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let first = arguments.get(1).and_then(|word| word.to_str());
    let almost = first.is_some_and(|word| word == "help" || shell::is_almost_a_subcommand(word));
    if asked || almost || is_input_empty() || !may_be_a_managers(arguments) {
        end(&without_useless_tips(error));
    }
    let (own, others) = own_options(arguments);
    for other in others {
        let other = other.display();
        // A manager that reads standard error does not take a MESSAGE for an answer. If it can't
        // be written there is no one to tell.
        let _ = writeln!(
            io::stderr(),
            "MESSAGE unknown argument '{other}' is ignored"
        );
    }
    try_parse(&own).unwrap_or_else(|error| end(&error))
}

/// Ends the program with clap's message, or with exit code 1 if help that was asked for can't be
/// written.
fn end(error: &clap::Error) -> ! {
    let written = error.print().and_then(|()| io::stdout().flush());
    let code = match written {
        Err(cause) if !error.use_stderr() && cause.kind() != io::ErrorKind::BrokenPipe => {
            complain(&cause.into()).into()
        }
        _ => error.exit_code(),
    };
    std::process::exit(code)
}

/// The command line with the help of the program.
fn try_parse(arguments: &[impl AsRef<OsStr>]) -> clap::error::Result<Cli> {
    let mut command = help::grouped(Cli::command());
    let matches = command.try_get_matches_from_mut(arguments.iter().map(AsRef::as_ref))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The error without the advice to write an unknown option behind `--`, unless it may be a
/// position or a file.
fn without_useless_tips(mut error: clap::Error) -> clap::Error {
    let word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => word.clone(),
        _ => return error,
    };
    let may_be_a_value =
        parse_moves(BoardSize::default(), &word).is_ok() || Path::new(&word).exists();
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| may_be_a_value || !tip.to_string().contains("as a value, use"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// Returns true if standard input is a device, such as a terminal or `/dev/null`, through which no
/// manager speaks.
#[cfg(unix)]
fn is_input_empty() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let input = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let kind = input.and_then(|input| input.metadata());
    kind.is_ok_and(|input| input.file_type().is_char_device())
}

/// Other systems do not tell devices from pipes.
#[cfg(not(unix))]
fn is_input_empty() -> bool {
    false
}

/// The program's name and options with their values, and all other arguments.
fn own_options(arguments: &[OsString]) -> (Vec<&OsString>, Vec<&OsString>) {
    let command = Cli::command();
    let is_own = |name: &str| is_option(name, &command);
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

/// Whether the arguments may come from a manager, which expects the protocol and has pipes for
/// input and output.
fn may_be_a_managers(arguments: &[OsString]) -> bool {
    let person = io::stdin().is_terminal() || io::stdout().is_terminal();
    let command = Cli::command();
    subcommand(arguments, &command, &command).is_none() && !person
}

/// Whether a word is an option of the program, all of which have values.
fn is_option(word: &str, command: &Command) -> bool {
    let mut names = command.get_arguments().filter_map(|own| own.get_long());
    word.strip_prefix("--")
        .is_some_and(|name| names.any(|own| own == name))
}

/// The first subcommand of `parent` among the arguments, and its place. The value of an option of
/// the program is none.
fn subcommand<'c>(
    arguments: &[OsString],
    program: &Command,
    parent: &'c Command,
) -> Option<(usize, &'c Command)> {
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        if word.to_str().is_some_and(|word| is_option(word, program)) {
            words.next();
        } else if let Some(found) = parent.find_subcommand(word) {
            return Some((at, found));
        }
    }
    None
}

/// Speaks the protocol, with these settings. At a terminal a greeting says what the program is,
/// and how to quit.
fn speak(
    weights: Arc<WeightSet>,
    book: Option<OpeningBook>,
    settings: Vec<Info>,
) -> io::Result<()> {
    if io::stdin().is_terminal() {
        terminal::greet()?;
        let typed = terminal::Typed::new(BufReader::new(io::stdin()));
        return protocol::run(weights, book, settings, typed, io::stdout());
    }
    protocol::run(weights, book, settings, io::stdin(), io::stdout())
}

/// Prints why the program fails, in one line, and returns its exit code.
pub fn complain(error: &anyhow::Error) -> u8 {
    // If even that can't be written there is no one to tell.
    let _ = writeln!(io::stderr(), "quincunx: {}", in_one_line(error));
    exit::code_of(error)
}

/// An error and its causes, from the outermost on. Some errors contain the text of their
/// cause, which is not repeated.
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
