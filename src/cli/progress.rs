//! Progress on standard error, which never mixes with results.

use std::io::{self, IsTerminal, Write};
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

    /// Shows the progress, unless it was shown a moment ago.
    pub(crate) fn show(&self, line: impl FnOnce() -> String) {
        let pause = if self.terminal { 200 } else { 10_000 };
        let mut shown = self.shown();
        if shown.at.elapsed() < Duration::from_millis(pause) {
            return;
        }
        shown.at = Instant::now();
        shown.standing = self.terminal;
        let line = line();
        let text = match self.terminal {
            true => one_row(&line),
            false => format!("{line}\n"),
        };
        // Progress that can't be shown is no reason to stop.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Shows a line that stays.
    #[cfg(feature = "arena")]
    pub(crate) fn note(&self, line: &str) {
        self.clear();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Removes the line, so that something else can be written in its place.
    pub(crate) fn clear(&self) {
        if std::mem::take(&mut self.shown().standing) {
            let _ = write!(io::stderr(), "\r\x1b[K");
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

/// A line in place of the present row of the terminal, and cut off at its end: where a line is
/// wrapped, a carriage return leads to the last of its rows, and the others stay.
fn one_row(line: &str) -> String {
    format!("\r\x1b[?7l{line}\x1b[K\x1b[?7h")
}

/// The time that the rest of some work takes if it goes on as so far, as hours, minutes and
/// seconds. `done` parts of it have taken the time since `start`.
pub(crate) fn to_go(start: Instant, done: u64, left: u64) -> String {
    let each = start.elapsed().as_secs_f64() / done.max(1) as f64;
    hours(Duration::try_from_secs_f64(each * left as f64).unwrap_or(Duration::MAX))
}

/// A time as hours, minutes and seconds.
pub(crate) fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest lines have more than a hundred characters. Each once filled two rows.
    #[test]
    fn a_line_keeps_to_one_row() {
        assert_eq!(one_row("7/9"), "\r\x1b[?7l7/9\x1b[K\x1b[?7h");
    }

    #[test]
    fn the_time_to_go_follows_from_the_time_so_far() {
        let Some(start) = Instant::now().checked_sub(Duration::from_secs(60)) else {
            return;
        };
        assert_eq!(to_go(start, 1, 61), "1:01:00");
        assert_eq!(to_go(start, 0, 1), "0:01:00");
        assert_eq!(to_go(start, 9, 0), "0:00:00");
    }
}
