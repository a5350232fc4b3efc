//! The position or game that an argument names.

use crate::cli::games::Reading;
use crate::cli::rules::rule;
use anyhow::Result;
use clap::Args;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::GameRecord;

/// Which position or game.
#[derive(Args)]
pub(super) struct Source {
    /// The moves one after another, such as h8i9g10 (-- is a pass); a line such as
    /// "15 renju h8i9g10"; or a file of a game
    #[arg(value_name = "POSITION|FILE")]
    given: String,
    /// The rule, where nothing else says it
    #[arg(long, default_value_t, value_parser = rule(), ignore_case = true)]
    rule: Rule,
    /// The board, 15 or 20x15, where nothing else says it
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// Which game of a file of several
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    #[command(flatten)]
    reading: Reading,
}

impl Source {
    /// The rule and the board where nothing else says them.
    pub(super) fn rules(&self) -> (Rule, BoardSize) {
        (self.rule, self.size)
    }

    /// How files are read.
    pub(super) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Reads the game; a position is a game that ends there. The record has a rule.
    pub(super) fn record(&self) -> Result<GameRecord> {
        let rules = (self.rule, self.size);
        self.reading.record(&self.given, rules, self.game)
    }

    /// What is read, in a few words.
    pub(super) fn name(&self) -> &str {
        &self.given
    }
}
