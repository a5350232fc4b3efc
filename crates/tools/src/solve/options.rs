//! What is asked about every position.

use quincunx_engine::position::Position;
use quincunx_engine::threats::WinKind;
use std::fmt::Write;
use std::time::Duration;

/// What is asked about every position, and how answers are written.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Which wins to look for.
    pub kind: WinKind,
    /// The most nodes a position.
    pub nodes: u64,
    /// The most time a position.
    pub time: Option<Duration>,
    /// Find the moves that do not lose, instead of a win.
    pub defend: bool,
    /// Write answers as JSON objects.
    pub json: bool,
    /// Write wins as SGF trees.
    pub sgf: bool,
}

impl SolveOptions {
    /// The position and what is asked about it, such as `15 renju h8i9, any`:
    /// answers begin with it, so that they are of use without their questions.
    pub(super) fn question(&self, position: &Position) -> String {
        let (size, rule) = (position.size(), position.rule());
        let mut text = format!("{size} {rule}");
        let moves = position.move_text();
        // Writing to a string can't fail.
        if !moves.is_empty() {
            let _ = write!(text, " {moves}");
        }
        let _ = write!(text, ", {}", self.asked());
        text
    }

    /// What is asked about every position, in a few words.
    pub(super) fn asked(&self) -> &'static str {
        match (self.kind, self.defend) {
            (WinKind::Vcf, false) => "vcf",
            (WinKind::Vct, false) => "vct",
            (WinKind::Any, false) => "any",
            (WinKind::Vcf, true) => "defence against vcf",
            (WinKind::Vct, true) => "defence against vct",
            (WinKind::Any, true) => "defence against any",
        }
    }
}
