//! The position or game that an argument names.

use anyhow::{Context, Result};
use clap::Args;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{GameRecord, RecordedMove, psq, sgf};
use std::fs;
use std::path::Path;

/// Which position or game.
#[derive(Args)]
pub(super) struct Source {
    /// The moves one after another, such as h8i9g10 (-- is a pass); a line such as
    /// "15 renju h8i9g10"; or the file of a game, .sgf or .psq
    #[arg(value_name = "POSITION|FILE")]
    given: String,
    /// The rule, where nothing else says it: freestyle, standard, renju, caro or
    /// caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board, 15 or 20x15, where nothing else says it
    #[arg(long, default_value_t)]
    size: BoardSize,
}

impl Source {
    /// Reads the game; a position is a game that ends there. The record has a rule.
    pub(super) fn record(&self) -> Result<GameRecord> {
        let path = Path::new(&self.given);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let mut record = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("sgf") => read(path, |text| Ok(sgf::read(text)?))?,
            Some("psq") => read(path, |text| Ok(psq::read(text)?))?,
            _ => record_of(&self.position()?),
        };
        record.rule.get_or_insert(self.rule);
        Ok(record)
    }

    fn position(&self) -> Result<Position> {
        // A line begins with a board and a rule, which no list of moves does.
        match self.given.split_whitespace().nth(1) {
            Some(second) if second.parse::<Rule>().is_ok() => Ok(Position::from_line(&self.given)?),
            _ => Ok(Position::from_moves(self.rule, self.size, &self.given)?),
        }
    }

    /// What is read, in a few words.
    pub(super) fn name(&self) -> &str {
        &self.given
    }
}

fn read(path: &Path, parse: impl Fn(&str) -> Result<GameRecord>) -> Result<GameRecord> {
    let context = || format!("can't read {}", path.display());
    let bytes = fs::read(path).with_context(context)?;
    parse(&String::from_utf8_lossy(&bytes)).with_context(context)
}

fn record_of(position: &Position) -> GameRecord {
    let moves = position.moves();
    GameRecord {
        moves: moves
            .map(|(color, point)| RecordedMove::new(color, point))
            .collect(),
        ..GameRecord::new(Some(position.rule()), position.size())
    }
}
