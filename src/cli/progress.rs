//! Progress on standard error, which never mixes with results.

use super::terminal::can_redraw;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress on standard error: one changing line on a terminal, and a line now and then
/// elsewhere.
pub(crate) struct ProgressLine {
    terminal: bool,
    shown: Mutex<Shown>,
}

/// The last display.
struct Shown {
    /// Whether the changing line is on the terminal.
    standing: bool,
    at: Instant,
}

impl ProgressLine {
    /// Creates a display without a line.
    pub(crate) fn new() -> ProgressLine {
        ProgressLine {
            terminal: can_redraw(&io::stderr()),
            shown: Mutex::new(Shown {
                standing: false,
                at: Instant::now(),
            }),
        }
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the progress, unless it was shown a moment ago.
    pub(crate) fn show(&self, line: impl FnOnce() -> String) {
        let pause = if self.terminal { 200 } else { 10_000 };
        let mut shown = self.shown();
        if shown.at.elapsed() < Duration::from_millis(pause) {
            return;
        }
        shown.at = Instant::now();
        shown.standing = self.terminal;
        let end = if self.terminal { "\x1b[K\r" } else { "\n" };
        // Progress that can't be shown is no reason to stop.
        let _ = write!(io::stderr(), "{}{end}", line());
    }

    /// Removes the line, so that something else can be written in its place.
    pub(crate) fn clear(&self) {
        if std::mem::take(&mut self.shown().standing) {
            let _ = write!(io::stderr(), "\x1b[K");
        }
    }

    /// Shows the end of the work.
    pub(crate) fn finish(self, line: &str) {
        self.clear();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Writes results in the place of the line, because they may go to the same terminal.
    pub(crate) fn beside<'w>(&'w self, output: &'w mut dyn Write) -> impl Write + 'w {
        Beside { line: self, output }
    }
}

/// Results that take the place of the progress line.
struct Beside<'w> {
    line: &'w ProgressLine,
    output: &'w mut dyn Write,
}

impl Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.clear();
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
