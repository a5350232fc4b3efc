//! The bench: a signature of the search and two speeds.
//!
//! The number of nodes is the same on every run and machine. So it shows whether a
//! patch changes the search. The commit message of a patch that does has the new
//! number.

use quincunx_engine::engine::MonotonicClock;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::position::notation::ParseLineError;
use quincunx_engine::rules::Point;
use quincunx_engine::search::{Limits, Searcher, TranspositionTable};
use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// Depth of every search, in plies.
pub const DEPTH: u32 = 13;

/// The table of every search, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// Board, rule and moves of positions from the engine's own games. They are even, so the search
/// spends most nodes as in games.
const POSITIONS: [&str; 16] = [
    "15 freestyle",
    "15 freestyle e8d6e4d7d3g6d5f3e6e7",
    "15 freestyle i8h10h9f11j8g6f6h6e13f10f9g9h8g8g7i9i11k8e7d8",
    "15 freestyle h5j3k1i3h2k4m5k2k3l5m6l4m4m7l6k7j6k6m2m3k8i6i4h7j5g5f4g4g6f6e7",
    "15 freestyle g12g11g10h9e10f10h12f12h10e11f11h13g9d9d10i11e8f8e6e7f7g6k11g5f9h11d5c4g4c6c5f5i5i6h4h7e4f4h6j4j9j5k4j6j7k10l7j11i12k12i10k8l8l6m7k7k9n6m5m6k6",
    "20 freestyle h15j15i14g16e16j16",
    "20 freestyle f14f13e16e15f18g15h13d13d15f17g14f15",
    "20 freestyle l6k5m6k4m5m4j3n7h5l4n4k7k6i4j4j6i7n8l8o6l9l7",
    "15 standard j12j10g13i9k11l10i12k10i10l11",
    "15 standard h8h6j6i7f7i9i8g8k7l8j9g5f4f5j8j7k10l11g6h7h5i4j11l9j10j12l10i10m10n10e7e8f9f8i5k4j5i11i12l5m6l6l7",
    "15 renju f4g4e6h5f3f5d6e5",
    "15 renju l10k9m11l12n10j14l8m9j9k10l7l9j11k12k8n9o9",
    "15 renju c9e7e10f8f9g8g9e9e8d10c11d7f7c10f11g12e12e11d13c14h6g6b13d11g5g11f10f12h14h8g10h9j8i7h11i12e13f13",
    "15 caro h5g5h6h7i8j6f7g8f9e8f8f10g9e9",
    "15 caro i12h12j9i10g8i8i9g9e10f10e11e9g11d11j10j11k11l12j6j7k6k7h6i6h5h8d9",
    "15 caro-overline e7g5e4d6a8f4e5e6h6i6g7f7f5i5h8",
];

/// The results of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// The number of moves that all searches tried: the signature.
    pub nodes: u64,
    /// The time of the searches.
    pub search_time: Duration,
    /// The number of moves played and taken back, without the evaluation.
    pub moves: u64,
    /// The time of playing and taking back.
    pub move_time: Duration,
}

/// Two lines. Testing frameworks read the last one.
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

/// Runs the bench, timed by `clock`. `told` is called with a line of text for every searched
/// position.
///
/// # Errors
/// Only if a built-in position can't be read.
pub fn run(
    weights: &Arc<WeightSet>,
    clock: &MonotonicClock,
    depth: u32,
    mut told: impl FnMut(&str),
) -> Result<BenchResult, ParseLineError> {
    let positions = POSITIONS.map(Position::from_line);
    let positions = positions.into_iter().collect::<Result<Vec<_>, _>>()?;
    // Loaded once and kept: a searcher drops its weights, and loading a network takes as long as
    // thousands of nodes.
    let _loaded: Vec<_> = (positions.iter())
        .map(|position| weights.of(position.rule()))
        .collect();
    let (moves, move_time) = play_and_undo(&positions, clock);
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
        let start = clock.now();
        let outcome = searcher.search(position, &limits, &mut ());
        search_time += clock.now() - start;
        nodes += outcome.nodes;
        let best = outcome.best().unwrap_or(Point::NONE);
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
fn play_and_undo(positions: &[Position], clock: &MonotonicClock) -> (u64, Duration) {
    const ROUNDS: u64 = 12_000;
    let mut total = 0;
    let mut time = Duration::ZERO;
    for position in positions {
        let moves: Vec<Point> = position.moves().map(|(_, point)| point).collect();
        let mut board = Position::new(position.rule(), position.size());
        let start = clock.now();
        for _ in 0..ROUNDS {
            for &point in &moves {
                board.play(point);
            }
            black_box(board.key());
            for _ in &moves {
                board.undo();
            }
        }
        time += clock.now() - start;
        total += ROUNDS * moves.len() as u64;
    }
    (total, time)
}
