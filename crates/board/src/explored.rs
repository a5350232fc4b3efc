//! The moves that were played from a position, as messages have them.

use quincunx_engine::position::Position;
use quincunx_explorer::{ExploredMove, Explorer};
use serde::Serialize;

/// The most moves in a view.
const MOST: usize = 30;

/// The moves that were played from a position.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploredView {
    /// The games.
    pub games: u64,
    /// The moves, the most frequent first.
    pub moves: Vec<ExploredMoveView>,
    /// True if the file could not be read.
    pub failed: bool,
}

/// A move that was played from a position.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploredMoveView {
    /// Its point; several where symmetry makes them one move.
    pub points: Vec<String>,
    /// The games with it.
    pub games: u64,
    /// Those that black won.
    pub black: u32,
    /// Those that white won.
    pub white: u32,
    /// The draws.
    pub draws: u32,
}

impl ExploredView {
    /// Reads the moves of a position from the file.
    pub(super) fn of(explorer: &Explorer, position: &Position) -> ExploredView {
        let (moves, failed) = match explorer.moves(position) {
            Ok(moves) => (moves, false),
            Err(error) => {
                log::warn!("no answer from the file of what was played: {error}");
                (Vec::new(), true)
            }
        };
        let view = |ExploredMove { points, tally }: &ExploredMove| ExploredMoveView {
            points: points.iter().map(ToString::to_string).collect(),
            games: tally.games(),
            black: tally.black,
            white: tally.white,
            draws: tally.draws,
        };
        ExploredView {
            games: moves.iter().map(|it| it.tally.games()).sum(),
            moves: moves.iter().take(MOST).map(view).collect(),
            failed,
        }
    }
}
