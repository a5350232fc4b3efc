//! Transcripts: the lines between the match runner and the engines in a game, with their times.

use super::record::MatchGame;
use std::fmt::Write;
use std::time::Instant;

/// The most bytes of the lines of an engine in one game. The rest is dropped.
const MOST_MEMORY: usize = 16 << 20;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The match runner to the engine.
    ToEngine,
    /// The engine to the match runner.
    FromEngine,
}

impl Direction {
    /// `>` to an engine, `<` from one.
    pub(super) fn arrow(self) -> char {
        match self {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
        }
    }
}

/// A line of a transcript.
#[derive(Clone, Debug)]
struct TranscriptLine {
    at: Instant,
    engine: String,
    direction: Direction,
    text: String,
}

/// The transcript of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript {
    lines: Vec<TranscriptLine>,
    /// The bytes of the lines.
    memory: usize,
}

impl Transcript {
    /// Adds a line to or from `engine`.
    pub(super) fn add(&mut self, at: Instant, engine: &str, direction: Direction, text: &str) {
        if self.memory < MOST_MEMORY {
            self.memory += size_of::<TranscriptLine>() + engine.len() + text.len();
            self.lines.push(TranscriptLine {
                at,
                engine: engine.to_owned(),
                direction,
                text: text.to_owned(),
            });
        }
    }

    /// Adds the transcript of the other engine.
    pub(super) fn join(&mut self, other: Transcript) {
        self.lines.extend(other.lines);
        self.lines.sort_by_key(|line| line.at);
    }

    /// The lines as text, with the seconds since the first. `>` is sent to an
    /// engine, `<` received from one.
    pub(super) fn text(&self, game: &MatchGame) -> String {
        let mut text = format!(
            "# game {}, black {}, white {}, begun {} seconds after 1970\n",
            game.number, game.black, game.white, game.started
        );
        let start = self.lines.first().map(|line| line.at);
        for line in &self.lines {
            let time = start.map_or(0.0, |start| (line.at - start).as_secs_f64());
            let arrow = line.direction.arrow();
            // Writing to a string can't fail.
            let _ = writeln!(text, "{time:10.3} {} {arrow} {}", line.engine, line.text);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines were once counted, so a flood of long ones took up to a gigabyte of memory.
    #[test]
    fn a_flood_of_long_lines_is_dropped() {
        let mut transcript = Transcript::default();
        let line = "x".repeat(8192);
        for _ in 0..5000 {
            transcript.add(Instant::now(), "A", Direction::FromEngine, &line);
        }
        let kept: usize = transcript.lines.iter().map(|line| line.text.len()).sum();
        assert!(kept < MOST_MEMORY, "{kept}");
    }
}
