//! Signals that ask the program to end.

use super::exit;
use anyhow::{Context, Result};
use std::io::{self, Write};

/// Calls `handler` whenever the program is asked to end, by Ctrl-C or by the system. Closing
/// the terminal is ignored under `nohup`.
///
/// # Errors
/// Fails if signals can't be listened for.
#[cfg(unix)]
pub(crate) fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let context = "can't listen for signals";
    let hangup = (!ignores_hangup()).then_some(SIGHUP);
    let signals = [SIGINT, SIGTERM].into_iter().chain(hangup);
    let mut signals = Signals::new(signals).context(context)?;
    let listener = std::thread::Builder::new().name("signals".into());
    let listening = listener.spawn(move || signals.forever().for_each(|_| handler()));
    listening.context(context).map(drop)
}

/// Whether SIGHUP is ignored, as under `nohup`, where a handler would replace that. Only Linux
/// tells. On other systems no handler is set.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signal number one is the lowest bit.
    mask.is_none_or(|mask| mask & 1 != 0)
}

/// Calls `handler` whenever the program is asked to end, by Ctrl-C or by the system.
///
/// # Errors
/// Fails if signals can't be listened for.
#[cfg(not(unix))]
pub(crate) fn on_interrupt(handler: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).context("can't listen for signals")
}

/// Lets an interruption end the program at once, with a message that says how to continue.
pub(crate) fn on_interruption(how_to_go_on: &'static str) -> Result<()> {
    on_interrupt(move || {
        // A reader that has gone away misses nothing.
        let _ = writeln!(io::stderr(), "\ninterrupted: {how_to_go_on}");
        std::process::exit(exit::INTERRUPTED.into());
    })
}
