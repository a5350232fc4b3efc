//! Arguments of `show`, and the forms in which a position may come.

use crate::cli::games::GameReading;
#[cfg(feature = "shell")]
use crate::cli::options::Json;
use anyhow::Result;
use clap::Args;
use quincunx_engine::eval::WeightSet;
#[cfg(feature = "shell")]
use quincunx_tools::show::json;
use quincunx_tools::show::{ShowOptions, describe};
use std::io::Write;
use std::sync::Arc;

/// The arguments of `quincunx show`.
#[derive(Args)]
pub(crate) struct Show {
    /// Moves such as h8i9g10 (-- is a pass), a line such as "15 renju h8i9g10", or a game file
    /// (SGF, PSQ, RenLib, REC, SAV, POS, RIF, PGN, text), whose last position is shown, or - for
    /// standard input
    #[arg(value_name = "POSITION|FILE")]
    position: String,
    #[command(flatten)]
    reading: GameReading,
    /// Nodes of the search for the best move; 0 is no search
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// Also show classes and move scores of all points
    #[arg(long)]
    matrices: bool,
    #[cfg(feature = "shell")]
    #[command(flatten)]
    json: Json,
}

impl Show {
    /// Shows the position.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let position = self.reading.position(&self.position)?;
        #[cfg(feature = "shell")]
        if self.json.json {
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
}
