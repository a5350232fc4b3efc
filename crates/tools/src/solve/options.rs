//! The question about every position.

use quincunx_engine::position::Position;
use quincunx_engine::threats::WinKind;
use std::time::Duration;

/// The question about every position, and the form of the answers.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// The kind of wins to look for.
    pub kind: WinKind,
    /// The maximum number of nodes per position.
    pub nodes: u64,
    /// The maximum time per position.
    pub time: Option<Duration>,
    /// True if the moves that do not lose are looked for, instead of a win.
    pub defend: bool,
    /// True to write answers as JSON objects.
    pub json: bool,
    /// True to write wins as SGF trees.
    pub sgf: bool,
}

impl SolveOptions {
    /// The position and what is asked about it, such as `15 renju h8i9, any`.
    /// Answers begin with it, so they can be understood without their questions.
    pub(super) fn question(&self, position: &Position) -> String {
        format!("{}, {}", position.to_line(), self.asked())
    }

    /// A short form of what is asked about every position.
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
