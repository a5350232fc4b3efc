//! Progress on standard error, which never mixes with results.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress on standard error: one line that changes on a terminal, a line now and
/// then elsewhere.
pub(crate) struct ProgressLine {
    terminal: bool,
    shown: Mutex<Shown>,
}

/// What was shown last.
struct Shown {
    /// Whether a line stands there that changes.
    standing: bool,
    at: Instant,
}

impl ProgressLine {
    /// Begins the work.
    pub(crate) fn new() -> ProgressLine {
        ProgressLine {
            terminal: io::stderr().is_terminal(),
            shown: Mutex::new(Shown {
                standing: false,
                at: Instant::now(),
            }),
        }
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows how far the work is, unless it did so a moment ago.
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

    /// Takes the line away, so that something else can be written in its place.
    pub(crate) fn clear(&self) {
        if std::mem::take(&mut self.shown().standing) {
            let _ = write!(io::stderr(), "\x1b[K");
        }
    }

    /// Shows how the work ended.
    pub(crate) fn finish(self, line: &str) {
        self.clear();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Writes results where the line stands, which may be the same terminal.
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
