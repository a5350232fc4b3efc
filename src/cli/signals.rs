//! Signals that ask the program to end.

use anyhow::{Context, Result};

/// Calls `handler` whenever the program is asked to end: by Ctrl-C, or by the system. Whoever
/// has it ignore that its terminal is closed, as `nohup` does, is obeyed.
///
/// # Errors
/// Fails if signals can't be listened for.
#[cfg(unix)]
pub(super) fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let context = "can't listen for signals";
    // A handler of SIGHUP would take the place of its being ignored.
    let mut signals = Signals::new([SIGINT, SIGTERM]).context(context)?;
    let listener = std::thread::Builder::new().name("signals".into());
    let listening = listener.spawn(move || signals.forever().for_each(|_| handler()));
    listening.context(context).map(drop)
}

/// Calls `handler` whenever the program is asked to end: by Ctrl-C, or by the system.
///
/// # Errors
/// Fails if signals can't be listened for.
#[cfg(not(unix))]
pub(super) fn on_interrupt(handler: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).context("can't listen for signals")
}
