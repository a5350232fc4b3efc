//! Progress on standard error, which never mixes with results.

use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The progress of a run: one changing line on a terminal, and a line now and then elsewhere.
#[derive(Debug)]
pub struct Progress {
    is_terminal: bool,
    start: Instant,
    shown_at: Cell<Instant>,
    /// Whether the changing line is on the terminal.
    is_shown: Cell<bool>,
}

impl Progress {
    /// Starts the clock of a run. Standard error is a terminal that obeys escape sequences, or it
    /// is not.
    pub fn new(is_terminal: bool) -> Progress {
        let start = Instant::now();
        Progress {
            is_terminal,
            start,
            shown_at: Cell::new(start),
            is_shown: Cell::new(false),
        }
    }

    /// Shows a line that the next one replaces, unless one was shown a moment ago.
    pub fn show(&self, line: impl FnOnce() -> String) {
        let pause = if self.is_terminal { 200 } else { 10_000 };
        if self.shown_at.get().elapsed() < Duration::from_millis(pause) {
            return;
        }
        self.shown_at.set(Instant::now());
        self.is_shown.set(self.is_terminal);
        let line = line();
        let text = match self.is_terminal {
            true => one_row(&line),
            false => format!("{line}\n"),
        };
        // Progress that can't be shown is no reason to stop.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Shows a line that stays.
    pub fn note(&self, line: &str) {
        self.clear();
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Removes the line, so that something else can be written in its place.
    pub fn clear(&self) {
        if self.is_shown.take() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Wraps an output that may go to the same terminal: what is written replaces the line.
    pub fn beside<'w>(&'w self, output: &'w mut dyn Write) -> impl Write + 'w {
        Beside {
            progress: self,
            output,
        }
    }

    /// Returns the time since the start as hours, minutes and seconds.
    pub fn elapsed(&self) -> String {
        hours(self.start.elapsed())
    }

    /// Returns the speed of this run, which has done `count` items.
    pub fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.start.elapsed().as_secs_f64().max(1e-9)
    }

    /// Estimates the time that the rest of the run takes, as hours, minutes and seconds. This run
    /// has done `done` items, and `left` items are left.
    pub fn time_left(&self, done: u64, left: u64) -> String {
        hours(time_left(self.start.elapsed(), done, left))
    }
}

/// A line in place of the present row of the terminal, cut off at its end: where a line is
/// wrapped, a carriage return leads to the last of its rows, and the others stay.
fn one_row(line: &str) -> String {
    format!("\r\x1b[?7l{line}\x1b[K\x1b[?7h")
}

fn time_left(elapsed: Duration, done: u64, left: u64) -> Duration {
    let each = elapsed.as_secs_f64() / done.max(1) as f64;
    Duration::try_from_secs_f64(each * left as f64).unwrap_or(Duration::MAX)
}

fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// Results that replace the line of progress.
struct Beside<'w> {
    progress: &'w Progress,
    output: &'w mut dyn Write,
}

impl Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.clear();
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
    fn the_time_left_follows_from_the_time_so_far() {
        let left = |done, left| hours(time_left(Duration::from_secs(60), done, left));
        assert_eq!(left(1, 61), "1:01:00");
        assert_eq!(left(0, 1), "0:01:00");
        assert_eq!(left(9, 0), "0:00:00");
    }
}
