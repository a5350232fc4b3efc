//! What the match runner and the engines say to each other in a game, line by
//! line with the time.

use super::record::MatchGame;
use std::fmt::Write;
use std::time::Instant;

/// Lines of an engine that are kept of one game; those of a flood are not.
const MOST_LINES: usize = 100_000;

/// Who says a line to whom.
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

/// A line that was said.
#[derive(Clone, Debug)]
struct SpokenLine {
    at: Instant,
    engine: String,
    direction: Direction,
    text: String,
}

/// What was said in a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Vec<SpokenLine>);

impl Transcript {
    /// Adds a line to or from `engine`.
    pub(super) fn add(&mut self, at: Instant, engine: &str, direction: Direction, text: &str) {
        if self.0.len() < MOST_LINES {
            self.0.push(SpokenLine {
                at,
                engine: engine.to_owned(),
                direction,
                text: text.to_owned(),
            });
        }
    }

    /// Adds what was said to the other engine.
    pub(super) fn join(&mut self, other: Transcript) {
        self.0.extend(other.0);
        self.0.sort_by_key(|line| line.at);
    }

    /// The lines as text, with the seconds since the first. `>` is said to an
    /// engine, `<` by one.
    pub(super) fn text(&self, game: &MatchGame) -> String {
        let mut text = format!(
            "# game {}, black {}, white {}, begun {} seconds after 1970\n",
            game.number, game.black, game.white, game.started
        );
        let start = self.0.first().map(|line| line.at);
        for line in &self.0 {
            let time = start.map_or(0.0, |start| (line.at - start).as_secs_f64());
            let arrow = line.direction.arrow();
            // Writing to a string can't fail.
            let _ = writeln!(text, "{time:10.3} {} {arrow} {}", line.engine, line.text);
        }
        text
    }
}
