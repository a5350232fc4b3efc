//! The bench: a signature of the search and two speeds.
//!
//! The number of nodes is the same on every run and machine, so a change that
//! is not meant to change the search can be seen not to; a change that is
//! carries the new number in its commit message.

use crate::eval::WeightSet;
use crate::position::{ParseLineError, Position};
use crate::rules::Point;
use crate::search::{Limits, Searcher, TranspositionTable};
use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Depth of every search, in plies.
pub const DEPTH: u32 = 13;

/// The table of every search, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// From the engine's own games: board, rule and moves.
const POSITIONS: [&str; 16] = [
    "15 freestyle",
    "15 freestyle j6k6i6i5i4k5h5",
    "15 freestyle i4i8l4m5m8j7k6l7k7k5j5j9",
    "15 freestyle b4f8b8d4c8g7c7f6e5d6c5c6e6",
    "20 freestyle j9i7f5i6i9h7",
    "20 freestyle n12r10q12p12p8o13q11q13o11",
    "15 standard h4i4f7i5j4",
    "15 standard l5j6i5i7h6j4k5j5j7k6i4m6l6",
    "20 standard i13l11k9j9h13l9k10j13",
    "15 renju h8d10g8",
    "15 renju f2c6f3d3g6c5h5c4c3g4e8f7d5f5f8d8c7",
    "15 renju f12j12h8g12h12h11g11i13f13k11l10j11f10g15h14",
    "15 caro m10i12j9i11i9j11l9k9k8j7",
    "15 caro g10i11j13i13h13i12i10h10j12j11g11g9h11",
    "15 caro-overline m6l7k8k7j7l9l6k6",
    "15 caro-overline h11j12k9i10h10h12i12g11h9h7f9g10g9e9f10f8g7h8",
];

/// What a bench measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Moves tried by all searches together: the signature.
    pub nodes: u64,
    /// How long the searches took.
    pub search_time: Duration,
    /// Moves played and taken back, without the evaluation.
    pub moves: u64,
    /// How long that took.
    pub move_time: Duration,
}

/// Two lines; the last one is what testing frameworks read.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second =
            |count: u64, time: Duration| (count as f64 / time.as_secs_f64().max(1e-9)) as u64;
        writeln!(
            f,
            "{} moves played and taken back a second",
            per_second(self.moves, self.move_time)
        )?;
        write!(
            f,
            "{} nodes {} nps",
            self.nodes,
            per_second(self.nodes, self.search_time)
        )
    }
}

/// Runs the bench; `told` hears of every position searched as a line of text.
///
/// # Errors
/// Only if a built-in position can't be read.
pub fn run(
    weights: &Arc<WeightSet>,
    depth: u32,
    mut told: impl FnMut(&str),
) -> Result<BenchResult, ParseLineError> {
    let positions = POSITIONS.map(Position::from_line);
    let positions = positions.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (moves, move_time) = play_and_undo(&positions);
    let mut nodes = 0;
    let mut search_time = Duration::ZERO;
    for (number, position) in positions.iter().enumerate() {
        let mut searcher = Searcher::new(
            Arc::new(TranspositionTable::new(TABLE_BYTES)),
            Arc::clone(weights),
        );
        let limits = Limits {
            depth,
            ..Limits::default()
        };
        let start = Instant::now();
        let outcome = searcher.search(position, &limits, &mut ());
        search_time += start.elapsed();
        nodes += outcome.nodes;
        let best = outcome.best.unwrap_or(Point::NONE);
        told(&format!(
            "{:>2}/{} {} {}: {} nodes, {} {}",
            number + 1,
            positions.len(),
            position.rule(),
            position.size(),
            outcome.nodes,
            best,
            outcome.score,
        ));
    }
    Ok(BenchResult {
        nodes,
        search_time,
        moves,
        move_time,
    })
}

/// Plays the moves of every position from the empty board and takes them back,
/// over and over.
fn play_and_undo(positions: &[Position]) -> (u64, Duration) {
    const ROUNDS: u64 = 12_000;
    let mut total = 0;
    let mut time = Duration::ZERO;
    for position in positions {
        let moves: Vec<Point> = position.moves().map(|(_, point)| point).collect();
        let mut board = Position::new(position.rule(), position.size());
        let start = Instant::now();
        for _ in 0..ROUNDS {
            for &point in &moves {
                board.play(point);
            }
            black_box(board.key());
            for _ in &moves {
                board.undo();
            }
        }
        time += start.elapsed();
        total += ROUNDS * moves.len() as u64;
    }
    (total, time)
}
