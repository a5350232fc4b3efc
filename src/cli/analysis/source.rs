//! The position or game that an argument names.

use crate::cli::games::{GameReading, GamesReading};
use anyhow::Result;
use clap::Args;
use quincunx_records::{GameRecord, RecordTree};

/// Which position or game.
#[derive(Args)]
pub(super) struct Source {
    /// Moves such as h8i9g10 (-- is a pass), a line such as "15 renju h8i9g10", a game file, the
    /// folder of a match, or - for standard input
    #[arg(value_name = "POSITION|FILE")]
    given: String,
    #[command(flatten)]
    reading: GameReading,
}

impl Source {
    /// How games are read.
    pub(super) fn reading(&self) -> &GamesReading {
        &self.reading.games
    }

    /// Reads the game; a position is a game that ends there. The record has a rule.
    pub(super) fn record(&self) -> Result<GameRecord> {
        Ok(self.tree()?.record)
    }

    /// Reads the game with its variations.
    pub(super) fn tree(&self) -> Result<RecordTree> {
        self.reading.tree(&self.given)
    }

    /// A short description of what is read.
    pub(super) fn name(&self) -> &str {
        &self.given
    }
}
