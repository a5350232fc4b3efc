//! Signals that ask the program to end.

use std::io::{self, Write};

/// The exit code of a program that the user has interrupted. Shells use the same number.
pub const INTERRUPTED: u8 = 130;

/// Calls `handler` whenever the program is asked to end, by Ctrl-C or by the system. Closing
/// the terminal is ignored under `nohup`.
///
/// # Errors
/// Returns an error if signals can't be listened for.
#[cfg(unix)]
pub fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    let hangup = (!ignores_hangup()).then_some(SIGHUP);
    let signals = [SIGINT, SIGQUIT, SIGTERM].into_iter().chain(hangup);
    let mut signals = Signals::new(signals)?;
    let listener = std::thread::Builder::new().name("signals".into());
    let listening = listener.spawn(move || signals.forever().for_each(|_| handler()));
    listening.map(drop)
}

/// Returns whether SIGHUP is ignored, as under `nohup`, where a handler would replace that. Only
/// Linux tells. On other systems no handler is set.
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
/// Returns an error if signals can't be listened for.
#[cfg(not(unix))]
pub fn on_interrupt(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail, as one to a full disk does: the
/// system would end the program. Programs that this one starts are ended again.
///
/// # Errors
/// Returns an error if the signal can't be handled.
#[cfg(unix)]
pub fn survive_file_size_limit() -> io::Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default()).map(drop)
}

/// Does nothing: there is no such limit.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn survive_file_size_limit() -> io::Result<()> {
    Ok(())
}

/// Lets an interruption end the program at once, with a message that says how to continue.
///
/// # Errors
/// Returns an error if signals can't be listened for.
pub fn exit_on_interrupt(how_to_continue: &'static str) -> io::Result<()> {
    on_interrupt(move || {
        // A reader that has gone away misses nothing.
        let _ = writeln!(io::stderr(), "\ninterrupted: {how_to_continue}");
        std::process::exit(INTERRUPTED.into());
    })
}
