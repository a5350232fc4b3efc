//! Puzzles from games: positions with exactly one winning first move, or with exactly one
//! move that holds.
//!
//! - `find`: finds the positions of a game that are puzzles, with the solver.
//! - `attempt`: a puzzle that a person plays out against the best defence.
//! - `prover`: proofs about moves that are to win.
//! - `shipped`: the puzzles that come with the crate.
//! - `text`: a puzzle as a line.
//! - `sgf`, `sheet`: puzzles for other programs, and to print.

mod attempt;
mod find;
mod prover;
mod sgf;
#[cfg(feature = "pages")]
mod sheet;
mod shipped;
mod text;

pub use attempt::{Attempt, Verdict};
pub use find::{PuzzleFinder, PuzzleLimits};
pub use sgf::collection;
#[cfg(feature = "pages")]
pub use sheet::sheet;
pub use shipped::{CARO, FREESTYLE, RENJU, RULES, SETS, STANDARD, THREES, shipped};
pub use text::ParsePuzzleError;

use quincunx_engine::engine::openings::symmetry_key;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use std::cmp::Reverse;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The grades of puzzles, from the easiest to the hardest.
pub const GRADES: RangeInclusive<u32> = 1..=10;

/// The kinds of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PuzzleKind {
    /// The only move that wins by continuous fours.
    Vcf,
    /// The only move that wins by continuous threes and fours, where fours alone do not win.
    Vct,
    /// The only move after which the opponent has no forced win.
    Defence,
}

impl PuzzleKind {
    /// Every kind.
    pub const ALL: [PuzzleKind; 3] = [PuzzleKind::Vcf, PuzzleKind::Vct, PuzzleKind::Defence];

    /// The kind's name in text and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            PuzzleKind::Vcf => "vcf",
            PuzzleKind::Vct => "vct",
            PuzzleKind::Defence => "defence",
        }
    }

    /// The task of the side to move, in words.
    pub const fn task(self) -> &'static str {
        match self {
            PuzzleKind::Vcf => "wins by fours",
            PuzzleKind::Vct => "wins by threes and fours",
            PuzzleKind::Defence => "holds by the only move",
        }
    }
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no kind of puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of puzzle '{0}': expected vcf, vct or defence")]
pub struct ParseKindError(String);

impl FromStr for PuzzleKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<PuzzleKind, ParseKindError> {
        let mut kinds = PuzzleKind::ALL.into_iter();
        let named = kinds.find(|kind| kind.name() == text);
        named.ok_or_else(|| ParseKindError(text.to_owned()))
    }
}

/// A position in which one move is right.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// The kind of the puzzle.
    pub kind: PuzzleKind,
    /// The longest line of the winner's proof, beginning with the right move. For a defence it is
    /// the right move, and the win that the opponent would have after a pass. [`Point::NONE`] is
    /// a reply that prevents nothing.
    pub line: Vec<Point>,
    /// The number of the winner's moves in the proof.
    pub width: u64,
}

impl Puzzle {
    /// The right move.
    pub fn answer(&self) -> Point {
        self.line.first().copied().unwrap_or(Point::NONE)
    }

    /// The rank of the right move, from one, in an order by single stones: first by the shape that
    /// the stone makes, then by the shape that it denies the opponent. For a defence the two are
    /// swapped. Equal moves share the first of their ranks.
    pub fn guess(&self) -> usize {
        let (side, position) = (self.position.side(), &self.position);
        let own = |color: Color, point: Point| position.class(color, point) as u8;
        let rank = |point: Point| match self.kind {
            PuzzleKind::Defence => Reverse((own(side.opponent(), point), own(side, point))),
            _ => Reverse((own(side, point), own(side.opponent(), point))),
        };
        let answer = rank(self.answer());
        let points = position.size().iter();
        let before = points.filter(|&point| position.is_empty(point) && rank(point) < answer);
        1 + before.count()
    }

    /// How hard the puzzle is, one of [`GRADES`]: one grade for each two moves of the winner
    /// beyond the second, one for each doubling of the proof beyond its longest line, and one
    /// for each doubling of [`Puzzle::guess`].
    pub fn grade(&self) -> u32 {
        let moves = self.line.len().div_ceil(2) as u64;
        let length = (moves.saturating_sub(2) / 2) as u32;
        let width = (self.width / moves.max(1)).max(1).ilog2();
        let guess = self.guess().ilog2();
        (1 + length + width + guess).min(*GRADES.end())
    }

    /// A text that symmetric positions share, and no others.
    pub fn key(&self) -> String {
        symmetry_key(&self.position)
    }
}
