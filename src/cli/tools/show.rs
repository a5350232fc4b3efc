//! Arguments of `show`, and the forms in which a position may come.

use anyhow::{Context, Result};
use clap::Args;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{GameRecord, psq, sgf};
#[cfg(feature = "shell")]
use quincunx_tools::show::json;
use quincunx_tools::show::{ShowOptions, describe};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Which position, and how much of it.
#[derive(Args)]
pub(crate) struct Show {
    /// The moves one after another, such as h8i9g10 (-- is a pass); a line such as
    /// "15 renju h8i9g10"; or a file of a game, .sgf or .psq, whose last position
    /// is shown
    position: String,
    /// The rule, where the position does not say it: freestyle, standard, renju,
    /// caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board, 15 or 20x15, where the position does not say it
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// Nodes of the search for the best move; 0 is none
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// Show classes and move scores of all points too
    #[arg(long)]
    matrices: bool,
    /// One JSON object
    #[cfg(feature = "shell")]
    #[arg(long, conflicts_with = "matrices")]
    json: bool,
}

impl Show {
    /// Shows.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let position = self.position()?;
        #[cfg(feature = "shell")]
        if self.json {
            writeln!(output, "{}", json(&position, weights, self.nodes))?;
            return Ok(());
        }
        let options = ShowOptions {
            nodes: self.nodes,
            matrices: self.matrices,
        };
        let text = describe(&position, weights, options);
        writeln!(output, "{}", text.trim_end())?;
        Ok(())
    }

    fn position(&self) -> Result<Position> {
        let path = Path::new(&self.position);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let read = |text: &str| -> Result<Option<GameRecord>> {
            Ok(match extension {
                Some("sgf") => Some(sgf::read(text)?),
                Some("psq") => Some(psq::read(text)?),
                _ => None,
            })
        };
        if matches!(extension, Some("sgf" | "psq")) {
            let context = || format!("can't read {}", path.display());
            let bytes = fs::read(path).with_context(context)?;
            let text = String::from_utf8_lossy(&bytes);
            if let Some(record) = read(&text).with_context(context)? {
                let game = record.replay(record.rule.unwrap_or(self.rule));
                return Ok(game.with_context(context)?.position().clone());
            }
        }
        // A line begins with a board and a rule, which no list of moves does.
        match self.position.split_whitespace().nth(1) {
            Some(second) if second.parse::<Rule>().is_ok() => {
                Ok(Position::from_line(&self.position)?)
            }
            _ => Ok(Position::from_moves(self.rule, self.size, &self.position)?),
        }
    }
}
