//! The engines of a match as the command line names them, with their limits.

use crate::cli::exit::{ensure_usage, usage};
use crate::cli::numbers::{
    at_least_one, mebibytes, milliseconds, some_mebibytes, some_milliseconds,
};
use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx_arena::{EngineConfig, EngineLimits, Program};
use quincunx_engine::game::TimeControl;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Who plays, and how long each may think.
#[derive(Args)]
pub(crate) struct Engines {
    /// An engine: a name and the command that starts it; at least two are needed
    #[arg(
        help_heading = "Engines",
        long = "engine",
        value_name = "NAME=COMMAND",
        required_unless_present = "merge"
    )]
    engines: Vec<String>,
    /// A setting that is sent as INFO KEY VALUE before every game, to one engine or to all
    #[arg(
        help_heading = "Engines",
        long = "option",
        value_name = "[NAME:]KEY=VALUE"
    )]
    options: Vec<String>,
    /// The folder in which an engine runs; the default is that of its program if the command has
    /// one, or else the current one
    #[arg(help_heading = "Engines", long = "dir", value_name = "[NAME:]DIR")]
    folders: Vec<String>,
    /// A limit for one engine, such as A:turn=50ms, B:nodes=9000 or A:tc=40/60+0.6
    #[arg(
        help_heading = "Engines",
        long = "limit",
        value_name = "NAME:KEY=VALUE"
    )]
    odds: Vec<String>,

    /// Time for a move, such as 100ms or 2s; here and below a number alone is in
    /// milliseconds. Every engine needs a time, --nodes or --depth
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>)]
    turn: Option<u64>,
    /// Time for a game in seconds: 60, with an increment 60+0.6, or for every forty moves
    /// 40/60+0.6. The protocol has no command for that, so engines are told the time that is
    /// left for these forty moves
    #[arg(
        help_heading = "Limits",
        long,
        value_name = "[MOVES/]TIME[+INC]",
        conflicts_with_all = ["game_time", "increment"]
    )]
    tc: Option<TimeControl>,
    /// Time for a game
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = some_milliseconds)]
    game_time: Option<u64>,
    /// Time added after every move
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "0ms")]
    increment: u64,
    /// Nodes for a move (INFO max_node)
    #[arg(help_heading = "Limits", long, value_name = "N", value_parser = at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Depth of search (INFO max_depth)
    #[arg(help_heading = "Limits", long, value_name = "N", value_parser = at_least_one::<u64>)]
    depth: Option<u64>,
    /// Memory for an engine and its children; an engine that takes more loses the game.
    /// By default there is no limit, but engines are told 350MiB
    #[arg(help_heading = "Limits", long, value_name = "SIZE", value_parser = some_mebibytes)]
    memory: Option<u64>,
    /// Threads (INFO thread_num); by default engines are not told a number
    #[arg(help_heading = "Limits", long, value_name = "N", value_parser = at_least_one::<u64>)]
    threads: Option<u64>,
    /// How far a time limit may be overrun: that of a move with every move, that of a game once
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "200ms")]
    tolerance: u64,
    /// Time for a move that only --nodes or --depth limit, after which the program counts as hung
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "30min")]
    patience: u64,
    /// Extra time for the first move of a fresh process
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "3s")]
    load: u64,
    /// Time for a program to start
    #[arg(help_heading = "Limits", long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "10s")]
    start: u64,
}

impl Engines {
    /// The engines, each with its options, its folder and its limits.
    pub(crate) fn engines(&self) -> Result<Vec<EngineConfig>> {
        let mut engines = self.named_engines()?;
        for text in &self.options {
            let (whom, option) = addressed(text, &engines)?;
            let (key, value) = key_value(option)?;
            ensure_usage!(
                !key.is_empty() && !option.contains(char::is_control),
                "--option '{}' would be no single INFO line",
                text.escape_debug()
            );
            for i in whom {
                let option = (key.to_owned(), value.to_owned());
                engines[i].options.push(option);
            }
        }
        for text in &self.folders {
            let (whom, folder) = folder_of(text, &engines)?;
            let folder = std::path::absolute(folder)?;
            for i in whom {
                engines[i].program.folder = Some(folder.clone());
            }
        }
        for text in &self.odds {
            let named = text.split_once(':');
            let (name, limit) =
                named.ok_or_else(|| usage(format!("expected NAME:KEY=VALUE, found '{text}'")))?;
            let (key, value) = key_value(limit)?;
            let i = called(name, &engines)?;
            set_limit(&mut engines[i], key, value)?;
        }
        engines.iter().try_for_each(check_limits)?;
        Ok(engines)
    }

    /// The engines with what all of them have in common. No two have the same name.
    fn named_engines(&self) -> Result<Vec<EngineConfig>> {
        let common = self.limits();
        let mut engines: Vec<EngineConfig> = Vec::new();
        for text in &self.engines {
            let (name, command) = named(text)?;
            ensure_usage!(
                engines.iter().all(|other| other.name != name),
                "two engines are called {name}: NAME=COMMAND gives another name"
            );
            engines.push(EngineConfig {
                name,
                program: program(command)?,
                limits: common,
                options: Vec::new(),
                threads: self.threads,
                memory: self.memory.map(|mib| mib << 20),
            });
        }
        ensure_usage!(engines.len() > 1, "a match needs at least two engines");
        Ok(engines)
    }

    /// Starts every program once, to find out whether it can be started.
    pub(crate) fn try_start(engines: &[EngineConfig]) -> Result<()> {
        for EngineConfig { name, program, .. } in engines {
            let context = || format!("can't start {name}: {program}");
            program.try_start().with_context(context)?;
        }
        Ok(())
    }

    fn limits(&self) -> EngineLimits {
        let ms = Duration::from_millis;
        let turn = self.turn.map(ms);
        EngineLimits {
            time: match self.tc {
                Some(control) => TimeControl { turn, ..control },
                None => TimeControl {
                    turn,
                    game: self.game_time.map(ms),
                    increment: ms(self.increment),
                    ..TimeControl::default()
                },
            },
            nodes: self.nodes,
            depth: self.depth,
            tolerance: ms(self.tolerance),
            patience: ms(self.patience),
            load: ms(self.load),
            start: ms(self.start),
        }
    }
}

/// Refuses an engine without a limit, or with an increment to no time.
fn check_limits(engine: &EngineConfig) -> Result<()> {
    let limits = &engine.limits;
    let limited = limits.time.turn.is_some()
        || limits.time.game.is_some()
        || limits.nodes.is_some()
        || limits.depth.is_some();
    ensure_usage!(
        limited,
        "{} has no limit: give --turn, --tc, --game-time, --nodes or --depth",
        engine.name
    );
    ensure_usage!(
        limits.time.increment.is_zero() || limits.time.game.is_some(),
        "{} has an increment and no time for a game: give --game-time or --tc",
        engine.name
    );
    Ok(())
}

/// The name and the command of an engine. Without a name it has that of its program.
fn named(text: &str) -> Result<(String, &str)> {
    let words = words(text, cfg!(windows));
    let program = words.as_ref().and_then(|words| words.first());
    let program = program.map_or(text, String::as_str);
    // The sign may also belong to the program's path or its arguments.
    let is_name = |name: &str| !name.contains([' ', '"', '\'']) && !Path::new(program).exists();
    if let Some((name, command)) = text.split_once('=').filter(|(name, _)| is_name(name)) {
        let wrong = |c: char| matches!(c, '/' | '\\') || c.is_whitespace() || c.is_control();
        ensure_usage!(
            !name.is_empty() && !name.contains(wrong),
            "an engine can't be called '{}': expected NAME=COMMAND, NAME without slashes",
            name.escape_debug()
        );
        return Ok((name.to_owned(), command));
    }
    let stem = Path::new(program).file_stem();
    let name = stem.map_or(program.into(), |stem| stem.to_string_lossy());
    Ok((name.trim_start_matches("pbrain-").to_owned(), text))
}

/// A program named with its folder runs in that folder, as in tournaments. Another one that is
/// given a file of the current folder, as in `python3 engine.py`, runs in this one. Whether it
/// exists is not checked before it is started: Windows finds `engine.exe` as `engine`.
pub(crate) fn program(command: &str) -> Result<Program> {
    let words = words(command, cfg!(windows)).ok_or_else(|| {
        usage(format!(
            "a quote in {command} has no end: put a word with an apostrophe into double quotes"
        ))
    })?;
    ensure_usage!(!words.is_empty(), "'{command}' is no command");
    let has_folder = words[0].contains(['/', std::path::MAIN_SEPARATOR]);
    let is_here = |word: &String| Path::new(word).is_relative() && Path::new(word).exists();
    let has_file = words[1..].iter().any(is_here);
    let mut command: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let mut folder = None;
    if has_folder {
        let path = std::path::absolute(&command[0])?;
        folder = path.parent().map(Path::to_owned);
        command[0] = path.into_os_string();
    } else if has_file {
        folder = Some(std::env::current_dir()?);
    }
    Ok(Program { command, folder })
}

/// The words of a command, split as by a shell, except that `#` begins no comment. On Windows a
/// backslash separates folders and has no other meaning. `None` if a quote is not closed.
fn words(command: &str, windows: bool) -> Option<Vec<String>> {
    if !windows {
        // No command has a NUL.
        let words = shlex::split(&command.replace('#', "\0"))?;
        let words = words.into_iter().map(|word| word.replace('\0', "#"));
        return Some(words.collect());
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match c {
            _ if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            _ if quote.is_none() && c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The engines that a value is for, and the value: the engine named before the colon, or all. A
/// colon after `=` belongs to the value.
fn addressed<'t>(text: &'t str, engines: &[EngineConfig]) -> Result<(Vec<usize>, &'t str)> {
    match text.split_once(':') {
        Some((name, rest)) if !name.contains('=') => Ok((vec![called(name, engines)?], rest)),
        _ => Ok(((0..engines.len()).collect(), text)),
    }
}

fn called(name: &str, engines: &[EngineConfig]) -> Result<usize> {
    let found = engines.iter().position(|engine| engine.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        let names = names.join(", ");
        usage(format!("no engine is called '{name}', but {names}"))
    })
}

/// The engines that a folder is for, and the folder, whose path may have a colon.
fn folder_of<'t>(text: &'t str, engines: &[EngineConfig]) -> Result<(Vec<usize>, &'t str)> {
    if Path::new(text).is_dir() {
        return Ok(((0..engines.len()).collect(), text));
    }
    let (whom, folder) = addressed(text, engines)?;
    ensure!(Path::new(folder).is_dir(), "there is no folder {folder}");
    Ok((whom, folder))
}

fn key_value(text: &str) -> Result<(&str, &str)> {
    text.split_once('=')
        .ok_or_else(|| usage(format!("expected KEY=VALUE, found '{text}'")))
}

fn set_limit(engine: &mut EngineConfig, key: &str, value: &str) -> Result<()> {
    if key == "tc" {
        let control: TimeControl = value.parse().map_err(|error| usage(format!("{error}")))?;
        let turn = engine.limits.time.turn;
        engine.limits.time = TimeControl { turn, ..control };
        return Ok(());
    }
    let is_count = matches!(key, "nodes" | "depth" | "threads");
    let number: u64 = match key {
        "memory" => mebibytes(value),
        _ if is_count => value.parse().map_err(|_| "expected a number"),
        _ => milliseconds(value),
    }
    .map_err(|error| usage(format!("{key}: {error}, not '{value}'")))?;
    let may_be_zero = !is_count && !matches!(key, "memory" | "game-time");
    ensure_usage!(may_be_zero || number > 0, "{key} must be at least 1");
    let time = Duration::from_millis(number);
    let limits = &mut engine.limits;
    match key {
        "turn" => limits.time.turn = Some(time),
        "game-time" => limits.time.game = Some(time),
        "increment" => limits.time.increment = time,
        "tolerance" => limits.tolerance = time,
        "patience" => limits.patience = time,
        "load" => limits.load = time,
        "start" => limits.start = time,
        "nodes" => limits.nodes = Some(number),
        "depth" => limits.depth = Some(number),
        "memory" => engine.memory = Some(number << 20),
        "threads" => engine.threads = Some(number),
        _ => return Err(usage(format!("there is no limit called '{key}'"))),
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn engines_have_names_or_are_called_as_their_programs() {
        for (text, name, command) in [
            ("new=./new --fast", "new", "./new --fast"),
            ("new 2=./new", "new", "new 2=./new"),
            ("/opt/pbrain-old.exe", "old", "/opt/pbrain-old.exe"),
            ("./old --nodes=5", "old", "./old --nodes=5"),
            ("a=b=c", "a", "b=c"),
            ("'/sp ace/e1' --fast", "e1", "'/sp ace/e1' --fast"),
            ("\"/sp ace/e2.exe\"", "e2", "\"/sp ace/e2.exe\""),
        ] {
            assert_eq!(named(text).unwrap(), (name.to_owned(), command));
        }
        for (text, name) in [
            ("=./new", "''"),
            ("a/b=./new", "'a/b'"),
            ("a\nb=x", "'a\\nb'"),
        ] {
            let error = named(text).unwrap_err().to_string();
            let expected = format!("an engine can't be called {name}: ");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn backslashes_are_folders_on_windows_and_escapes_elsewhere() {
        for (command, windows, elsewhere) in [
            (
                r"C:\eng\new.exe -x",
                &[r"C:\eng\new.exe", "-x"][..],
                &["C:engnew.exe", "-x"][..],
            ),
            (
                r#""C:\my eng\a b.exe" -x"#,
                &[r"C:\my eng\a b.exe", "-x"],
                &[r"C:\my eng\a b.exe", "-x"],
            ),
            (
                r"'C:\my eng\' a\ b",
                &[r"C:\my eng\", r"a\", "b"],
                &[r"C:\my eng\", "a b"],
            ),
            (
                r#""\\server\a"'\b' "" "#,
                &[r"\\server\a\b", ""],
                &[r"\server\a\b", ""],
            ),
        ] {
            for (expected, system) in [(windows, true), (elsewhere, false)] {
                assert_eq!(words(command, system).unwrap(), expected, "{command}");
            }
        }
        for (command, expected) in [
            ("./a #1 -x", ["./a", "#1", "-x"]),
            ("# a#b '#c d'", ["#", "a#b", "#c d"]),
        ] {
            for windows in [true, false] {
                assert_eq!(words(command, windows).unwrap(), expected, "{command}");
            }
        }
        for command in ["", "  "] {
            assert_eq!(words(command, true).unwrap(), [""; 0]);
        }
        for command in [r"'C:\eng", r#"C:\eng""#, r#""it's"#] {
            assert_eq!(words(command, true), None, "{command}");
        }
    }

    /// On Windows `./quincunx` was once refused where there is a `quincunx.exe`.
    #[test]
    fn a_program_that_does_not_exist_fails_when_it_is_started() {
        let program = program("./no-such-program").unwrap();
        assert_eq!(program.folder, Some(std::env::current_dir().unwrap()));
        let error = program.try_start().unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }

    /// The same words are another program in another folder, which `--resume` compares.
    #[test]
    fn a_command_with_a_file_belongs_to_the_folder_of_the_file() {
        let here = Some(std::env::current_dir().unwrap());
        for (command, folder) in [
            ("python3 -u Cargo.toml", here),
            ("python3 no-such-engine.py", None),
            ("engine", None),
        ] {
            assert_eq!(program(command).unwrap().folder, folder, "{command}");
        }
    }

    /// A path may have the sign itself.
    #[test]
    fn programs_that_exist_are_commands() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("x=1");
        std::fs::write(&program, "").unwrap();
        let text = program.to_str().unwrap();
        assert_eq!(named(text).unwrap(), ("x=1".to_owned(), text));
    }
}
