//! Messages on standard error: sentences for people, lines with times for logs.

use super::terminal::can_redraw;
use super::{Action, LONG_VERSION};
use anyhow::{Context, Result};
use quincunx_records::Date;
use std::fs::File;
#[cfg(feature = "board")]
use std::io::IsTerminal;
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The readers of messages on standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// A manager, which may take any line for an answer: none is written.
    Manager,
    /// A person, who reads sentences.
    Person,
    /// The log of a service, which has times.
    Service,
}

impl Readers {
    /// The readers of the messages of a command.
    pub(super) fn of(action: Option<&Action>) -> Readers {
        match action {
            None => Readers::Manager,
            #[cfg(feature = "board")]
            Some(Action::Boards(_)) if !io::stderr().is_terminal() => Readers::Service,
            #[cfg(all(feature = "arena", feature = "board"))]
            Some(Action::Guest(_)) if !io::stderr().is_terminal() => Readers::Service,
            Some(_) => Readers::Person,
        }
    }
}

/// Logs to `file`, or to standard error if RUST_LOG asks for it. Without either a person gets the
/// warnings as sentences. Panics are only logged, because their text must not reach a manager.
pub(super) fn start(file: Option<&Path>, readers: Readers) -> Result<()> {
    let environment = env_logger::Env::default();
    let is_asked_for = file.is_some() || std::env::var_os("RUST_LOG").is_some();
    let default = match readers {
        Readers::Manager => "off",
        Readers::Person | Readers::Service => "warn",
    };
    let mut builder = match file {
        None => env_logger::Builder::from_env(environment.default_filter_or(default)),
        Some(path) => {
            let context = || format!("can't write the log {}", path.display());
            let is_text = |start: &[u8]| !start.contains(&0);
            quincunx_files::expect_kind(path, is_text).with_context(context)?;
            let file = File::options().create(true).append(true).open(path);
            let mut file = file.with_context(context)?;
            // Only now is it known whether the file can be written. Later lines fail silently.
            writeln!(file, "{} quincunx {LONG_VERSION}", now()).with_context(context)?;
            let mut builder = env_logger::Builder::from_env(environment.default_filter_or("debug"));
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            builder
        }
    };
    if readers == Readers::Person && !is_asked_for {
        // It may take the place of a line of progress, which begins where the cursor is.
        let start = if can_redraw(&io::stderr()) {
            "\x1b[K"
        } else {
            ""
        };
        builder.format(move |line, record| {
            let kind = record.level().as_str().to_lowercase();
            let kind = kind.replace("warn", "warning");
            writeln!(line, "{start}quincunx: {kind}: {}", record.args())
        });
    } else {
        builder.format(|line, record| {
            let (level, module) = (record.level(), record.target());
            writeln!(line, "{} {level:5} {module}: {}", now(), record.args())
        });
    }
    builder.init();
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
