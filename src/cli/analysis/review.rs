//! `quincunx review`: where a game was lost.

use super::source::Source;
use super::stack::on_search_stack;
use crate::cli::output::ensure_free;
use crate::cli::progress::ProgressLine;
use anyhow::{Context, Result};
use clap::Args;
use quincunx_analysis::review::{Review, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `quincunx review`.
#[derive(Args)]
pub(crate) struct ReviewGame {
    #[command(flatten)]
    source: Source,
    /// The review as one JSON object
    #[arg(long)]
    json: bool,
    /// Write the game with comments, marked moves and variations to this file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write a page with the board, the curve and every mistake to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Nodes of the search of a position
    #[arg(long, value_name = "N", default_value_t = ReviewLimits::default().nodes,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes of the solver for a proof
    #[arg(long, value_name = "N", default_value_t = ReviewLimits::default().proof_nodes,
        value_parser = clap::value_parser!(u64).range(1..))]
    proof_nodes: u64,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

impl ReviewGame {
    /// Reviews.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        for path in [&self.sgf, &self.html].into_iter().flatten() {
            ensure_free(path, self.force)?;
        }
        let record = self.source.record()?;
        let limits = ReviewLimits {
            nodes: self.nodes,
            proof_nodes: self.proof_nodes,
        };
        let line = ProgressLine::new();
        let review = on_search_stack(|| {
            Review::of(&record, weights, limits, &mut |done, steps| {
                line.show(|| format!("{} % reviewed", 100 * done / steps));
            })
        })?;
        line.clear();
        let review = review.with_context(|| format!("can't review {}", self.source.name()))?;
        if let Some(path) = &self.sgf {
            quincunx_files::replace(path, format!("{}\n", review.sgf()).as_bytes())?;
        }
        if let Some(path) = &self.html {
            quincunx_files::replace(path, review.page().as_bytes())?;
        }
        if self.json {
            writeln!(output, "{}", review.json())?;
        } else {
            output.write_all(review.text().as_bytes())?;
        }
        Ok(())
    }
}
