//! Defaults for options from a file. The keys of its tables become options, before those of the
//! command line. A table is called after a command, or after a command in a command:
//! `[explore.build]`. A default is dropped if the command line has the same option, or one that excludes
//! it.

use crate::cli::subcommand;
use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, Command};
use quincunx_engine::gomocup::{Info, InfoKey};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, thread};
use toml::{Table, Value};

/// The table of settings for the protocol, by INFO key.
const PROTOCOL: &str = "info";

/// The maximum size of a file, because devices may be endless.
const LARGEST: u64 = 1 << 20;

/// How long the program waits for a pipe before it says so.
const PATIENCE: Duration = Duration::from_secs(2);

/// The option that names a file.
const OPTION: &str = "--config";

/// Whether the arguments name a configuration file.
pub(super) fn is_named(arguments: &[OsString]) -> bool {
    named(arguments).is_some()
}

/// The file that the option names, among arguments that may be a manager's too.
fn named(arguments: &[OsString]) -> Option<PathBuf> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == OPTION {
            return arguments.next().map(PathBuf::from);
        }
        let value = argument.to_str().and_then(|text| text.strip_prefix(OPTION));
        if let Some(path) = value.and_then(|text| text.strip_prefix('=')) {
            return Some(PathBuf::from(path));
        }
    }
    None
}

/// The contents of the configuration file.
#[derive(Default)]
pub(super) struct Config {
    path: PathBuf,
    /// Whether the arguments name the file.
    is_named: bool,
    table: Table,
}

impl Config {
    /// Reads the file that the arguments name, or else the one in the platform's default
    /// place if there is one.
    pub(super) fn find(arguments: &[OsString]) -> Result<Config> {
        let (path, is_named) = match named(arguments) {
            Some(path) => (path, true),
            None => match usual_place() {
                Some(path) => (path, false),
                None => return Ok(Config::default()),
            },
        };
        if !is_named && !path.exists() {
            return Ok(Config::default());
        }
        let context = || format!("can't use the configuration {}", path.display());
        let text = read(&path, is_named).with_context(context)?;
        let table = table(&text).with_context(context)?;
        Ok(Config {
            path,
            is_named,
            table,
        })
    }

    /// The arguments with the defaults of the file, which come before those of the
    /// subcommand. Every key of the file must be known.
    pub(super) fn apply(&self, arguments: &[OsString], command: &Command) -> Result<Vec<OsString>> {
        let context = || format!("can't use the configuration {}", self.path.display());
        self.check(command).with_context(context)?;
        let mut all = arguments.to_vec();
        let named = subcommands(arguments, command);
        // The last comes first, so that the places of those before it stay.
        for (depth, (i, sub)) in named.iter().enumerate().rev() {
            let is_last = depth + 1 == named.len();
            let path = named[..=depth].iter().map(|(_, sub)| *sub);
            if let Some(table) = table_of(&self.table, path)
                && (is_last || !sub.is_args_conflicts_with_subcommands_set())
            {
                let table = without_replaced(&own(table), &arguments[i + 1..], sub);
                all.splice(i + 1..i + 1, options(&table)?);
            }
        }
        if named.is_empty() && !self.is_named {
            // The file in the default place must not change how an engine plays in matches.
            return Ok(all);
        }
        let own = without_replaced(&own(&self.table), &arguments[1..], command);
        all.splice(1..1, options(&own)?);
        Ok(all)
    }

    /// The settings of the protocol. Only a named file has any, because the file in the
    /// default place must not change how an engine plays in matches.
    pub(super) fn settings(&self) -> Result<Vec<Info>> {
        match self.table.get(PROTOCOL) {
            Some(Value::Table(table)) if self.is_named => settings(table),
            _ => Ok(Vec::new()),
        }
    }

    fn check(&self, command: &Command) -> Result<()> {
        let mut table = self.table.clone();
        if let Some(Value::Table(info)) = table.get(PROTOCOL) {
            settings(info)?;
            table.remove(PROTOCOL);
        }
        check(&table, command, "")
    }
}

/// Fails unless every key of the table of a command is that of an option, or of the table of a
/// subcommand. `path` has the names of the tables that it is in, each with a dot behind it.
fn check(table: &Table, command: &Command, path: &str) -> Result<()> {
    let mut tables: Vec<&str> = Vec::new();
    for (key, value) in table {
        match (value, command.find_subcommand(key)) {
            (Value::Table(table), Some(sub)) => {
                let name = format!("{path}{key}");
                if tables.contains(&sub.get_name()) {
                    bail!("[{name}] is the table of {} once more", sub.get_name());
                }
                tables.push(sub.get_name());
                check(table, sub, &format!("{name}."))?;
            }
            (Value::Table(_), None) if option(key, command).is_some() => {
                bail!("{key} is no table");
            }
            (Value::Table(_), None) => {
                let names = command.get_subcommands().map(|sub| sub.get_name());
                let protocol = path.is_empty().then_some(PROTOCOL);
                let names = names.chain(protocol);
                bail!("there is no command {key}{}", nearest(key, names));
            }
            _ => match (known(key, command), path.strip_suffix('.')) {
                (known, Some(name)) => known.with_context(|| format!("[{name}]"))?,
                (known, None) => known?,
            },
        }
    }
    Ok(())
}

/// The subcommands that the arguments name, each inside the one before it, with their places.
fn subcommands<'c>(arguments: &[OsString], command: &'c Command) -> Vec<(usize, &'c Command)> {
    let mut found: Vec<(usize, &Command)> = Vec::new();
    loop {
        let (start, parent) = found.last().copied().unwrap_or((0, command));
        match subcommand(&arguments[start..], command, parent) {
            Some((at, sub)) => found.push((start + at, sub)),
            None => return found,
        }
    }
}

/// The table of a subcommand, which may be called by its alias.
fn table_of<'t, 'c>(
    table: &'t Table,
    mut path: impl Iterator<Item = &'c Command>,
) -> Option<&'t Table> {
    path.try_fold(table, |table, sub| {
        let mut names = [sub.get_name()].into_iter().chain(sub.get_all_aliases());
        names.find_map(|name| table.get(name)?.as_table())
    })
}

/// The keys of a table that are no tables themselves.
fn own(table: &Table) -> Table {
    let own = table.iter().filter(|(_, value)| !value.is_table());
    own.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Parses a file. The error is a single line, without the picture of the place.
fn table(text: &str) -> Result<Table> {
    text.parse::<Table>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.bytes().take(start);
        let lines = before.filter(|&byte| byte == b'\n').count();
        let message = error.message().replace('\n', ", ");
        anyhow!("line {}: {message}", 1 + lines)
    })
}

/// Reads a file, or a pipe that an argument names, as shells make them for `<(...)`. Like other
/// programs it waits for a pipe that stays empty, and a message says so. It waits for nothing else.
fn read(path: &Path, is_named: bool) -> io::Result<String> {
    if !is_pipe(path) {
        return read_now(path);
    }
    if !is_named {
        return Err(io::Error::other("it is a pipe, which only --config reads"));
    }
    let (sender, text) = mpsc::channel();
    let path_of_reader = path.to_owned();
    thread::Builder::new().spawn(move || sender.send(read_now(&path_of_reader)))?;
    let read = text.recv_timeout(PATIENCE).or_else(|_| {
        // Managers know such a line, and some read standard error. Where it can't be written
        // there is no one to tell.
        let _ = writeln!(
            io::stderr(),
            "MESSAGE waiting for the configuration from the pipe {}",
            path.display()
        );
        text.recv()
    });
    read.unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn read_now(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it has more than 1 MiB"));
    }
    Ok(text)
}

/// Whether reading waits for a writer.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata().is_ok_and(|file| file.file_type().is_fifo())
}

/// Only Unix has pipes among its files.
#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// The option with this name.
fn option<'c>(name: &str, command: &'c Command) -> Option<&'c Arg> {
    let mut options = command.get_arguments();
    options.find(|option| option.get_long() == Some(name))
}

/// The defaults of a command without those that these arguments replace: options that they
/// give, and options that exclude one that they give.
fn without_replaced(table: &Table, arguments: &[OsString], command: &Command) -> Table {
    let given = |argument: &OsString| {
        let name = argument.to_str()?.strip_prefix("--")?;
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        option(name, command)
    };
    let given: Vec<&Arg> = arguments.iter().filter_map(given).collect();
    let excludes = |one: &Arg, other: &Arg| {
        let conflicts = command.get_arg_conflicts_with(one);
        conflicts.iter().any(|arg| arg.get_id() == other.get_id())
    };
    let is_replaced = |key: &str| {
        option(key, command).is_some_and(|default| {
            let replaces = |given: &&Arg| {
                let is_same = given.get_id() == default.get_id();
                is_same || excludes(given, default) || excludes(default, given)
            };
            given.iter().any(replaces)
        })
    };
    let remaining = table.iter().filter(|(key, _)| !is_replaced(key));
    remaining
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Fails unless the command has an option with this name.
fn known(key: &str, command: &Command) -> Result<()> {
    if option(key, command).is_some() {
        return Ok(());
    }
    let names = command
        .get_arguments()
        .filter_map(|option| option.get_long());
    bail!("there is no option {key}{}", nearest(key, names))
}

/// The keys and values of the protocol's table. Fails unless every key is one that the engine acts
/// on, with a value that it understands.
fn settings(table: &Table) -> Result<Vec<Info>> {
    let read = |(key, value): (&String, &Value)| {
        let info: Info = format!("{key} {}", text(value)).parse()?;
        if let Info::Other(..) = info {
            bail!("there is no key {key}{}", nearest(key, InfoKey::names()));
        }
        Ok(info)
    };
    let settings: Result<Vec<Info>> = table.iter().map(read).collect();
    settings.with_context(|| format!("[{PROTOCOL}]"))
}

/// `, but NAME`, if there is a similar name.
fn nearest<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> String {
    let distance = |name: &&str| strsim::damerau_levenshtein(key, name);
    let nearest = names.min_by_key(distance);
    let near = nearest.filter(|name| distance(name) <= 1 + key.len() / 3);
    near.map_or(String::new(), |name| format!(", but {name}"))
}

/// Keys and values as options of the command line.
fn options(table: &Table) -> Result<Vec<OsString>> {
    let mut options = Vec::new();
    for (key, value) in table {
        match value {
            Value::Boolean(true) => options.push(format!("--{key}").into()),
            Value::Boolean(false) => {}
            Value::Array(values) => {
                let option = |value| format!("--{key}={}", text(value)).into();
                options.extend(values.iter().map(option));
            }
            value => options.push(format!("--{key}={}", text(value)).into()),
        }
    }
    Ok(options)
}

/// A value in the form of the command line.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(value) => i32::from(*value).to_string(),
        value => value.to_string(),
    }
}

/// The default place of the file on this platform.
fn usual_place() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    let folder = if cfg!(windows) {
        PathBuf::from(variable("APPDATA")?)
    } else if cfg!(target_os = "macos") {
        Path::new(&variable("HOME")?).join("Library/Application Support")
    } else {
        let home = || Some(Path::new(&variable("HOME")?).join(".config"));
        variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(home)?
    };
    Some(folder.join("quincunx").join("config.toml"))
}
