//! Runs on the command line: their progress, and what an interruption says.

use super::terminal::can_redraw;
use anyhow::{Context, Result};
pub(crate) use quincunx_runs::{INTERRUPTED, Progress, Shard, StopSignal};
use std::io;

/// Starts the progress of a run on standard error.
pub(crate) fn progress() -> Progress {
    Progress::new(can_redraw(&io::stderr()))
}

/// Calls `handler` whenever the program is asked to end, by Ctrl-C or by the system.
pub(crate) fn on_interrupt(handler: impl FnMut() + Send + 'static) -> Result<()> {
    quincunx_runs::on_interrupt(handler).context("can't listen for signals")
}

/// Lets an interruption end the program at once, with a message that says how to continue.
pub(crate) fn exit_on_interrupt(how_to_continue: &'static str) -> Result<()> {
    quincunx_runs::exit_on_interrupt(how_to_continue).context("can't listen for signals")
}
