//! The lines of conditional moves of a player.

use quincunx_engine::rules::Point;
use serde::{Deserialize, Serialize};

/// The conditional moves of a player. Each line has at least one move, and begins with the next move
/// of the game: a player to act has no lines, except while their answer is being played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ConditionalLines(pub(super) Vec<Vec<Point>>);

impl ConditionalLines {
    /// Keeps the lines that begin with a move, from the move after it.
    pub(super) fn follow(&mut self, point: Point) {
        self.0.retain_mut(|line| {
            let fits = line.first() == Some(&point);
            line.drain(..line.len().min(1));
            fits && !line.is_empty()
        });
    }

    /// The first move of the first line.
    pub(super) fn next(&self) -> Option<Point> {
        self.0.first()?.first().copied()
    }

    /// Returns true if a player has no lines, and the other has none either.
    pub(super) fn are_empty(lines: &[ConditionalLines; 2]) -> bool {
        lines.iter().all(|it| it.0.is_empty())
    }
}
