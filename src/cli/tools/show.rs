//! Arguments of `show`, and the forms in which a position may come.

use crate::cli::games::Reading;
use crate::cli::rules::rule;
use anyhow::Result;
use clap::Args;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
#[cfg(feature = "shell")]
use quincunx_tools::show::json;
use quincunx_tools::show::{ShowOptions, describe};
use std::io::Write;
use std::sync::Arc;

/// Which position, and how much of it.
#[derive(Args)]
pub(crate) struct Show {
    /// The moves one after another, such as h8i9g10 (-- is a pass); a line such as
    /// "15 renju h8i9g10"; or a file of a game (SGF, PSQ, RenLib, REC, SAV, POS, text),
    /// whose last position is shown
    position: String,
    /// Which game of a file of several
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    #[command(flatten)]
    reading: Reading,
    /// The rule, where the position does not say it
    #[arg(long, default_value_t, value_parser = rule(), ignore_case = true)]
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
        let taken = (self.rule, self.size);
        self.reading.position(&self.position, taken, self.game)
    }
}
