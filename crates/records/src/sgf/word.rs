//! Words that programs write in place of the point of a move.

use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::Color;

/// A word in place of the point of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Pass,
    /// The players change colours, which the moves do not show.
    Swap,
    Draw,
    Resign,
    Time,
}

impl Word {
    /// The word that a value is; points are none.
    pub(super) fn of(value: &str) -> Option<Word> {
        let value = value.trim();
        // No point is as long, and most values are points.
        if value.len() < 4 {
            return None;
        }
        let value = value.to_ascii_lowercase();
        let value = value.as_str();
        Some(match value {
            "pass" => Word::Pass,
            "draw" => Word::Draw,
            "resign" | "resigns" | "resigned" | "resignation" => Word::Resign,
            "time" | "timeout" => Word::Time,
            // Such as `swap-pieces`.
            _ if value.starts_with("swap") => Word::Swap,
            _ => return None,
        })
    }

    /// The result of a game that ends with this word of a colour.
    pub(super) fn result(self, color: Color) -> Option<GameResult> {
        Some(match self {
            Word::Pass | Word::Swap => return None,
            Word::Draw => GameResult::draw(Termination::Agreement),
            Word::Resign => GameResult::loss(color, Termination::Resignation),
            Word::Time => GameResult::loss(color, Termination::Time),
        })
    }
}
