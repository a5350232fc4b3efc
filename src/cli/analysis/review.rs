//! `quincunx review`: where a game was lost.

use super::reviews::Reviews;
use super::source::Source;
use super::sources::Sources;
use super::table;
use crate::cli::numbers::{MOST_AT_A_TIME, Part, part, within};
use crate::cli::output::{ensure_another, ensure_free, ensure_regular, ensure_two};
use crate::cli::progress::ProgressLine;
use crate::cli::signals::on_interruption;
use anyhow::{Context, Result};
use clap::Args;
use quincunx_analysis::review::{GameReview, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `quincunx review`.
#[derive(Args)]
pub(crate) struct ReviewGame {
    #[command(flatten)]
    source: Source,
    /// With --out, more game files: any that the board opens, files of selfplay, and folders
    #[arg(value_name = "GAMES", requires = "out")]
    more: Vec<PathBuf>,
    /// Review every game of the files, and write the reviews as JSON, one per line. The same
    /// command resumes an interrupted run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sgf", "html", "game"])]
    out: Option<PathBuf>,
    /// How many games are reviewed at a time with --out
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out",
        value_parser = within(1, MOST_AT_A_TIME))]
    threads: usize,
    /// Review only part I of N of the games of --out, to share the work among machines. The
    /// files of all parts, concatenated, are the file of all games
    #[arg(long, value_name = "I/N", requires = "out", value_parser = part)]
    shard: Option<Part>,
    /// Compare the reviews of --out with those of the same games in this file
    #[arg(long, value_name = "FILE", requires = "out")]
    against: Option<PathBuf>,
    /// Print the review as one JSON object, or the table of many games
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
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

impl ReviewGame {
    /// Reviews the game, or all games.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let limits = ReviewLimits {
            nodes: self.nodes,
            proof_nodes: self.proof_nodes,
        };
        if let Some(out) = &self.out {
            ensure_regular(out)?;
            let against = self.against.as_deref().map(table::others).transpose()?;
            let first = PathBuf::from(self.source.name());
            let paths: Vec<PathBuf> = [first].into_iter().chain(self.more.clone()).collect();
            let mut sources = Sources::of(&paths)?;
            let reviews = Reviews {
                reading: self.source.reading(),
                threads: self.threads,
                part: self.shard.unwrap_or_default(),
                out,
                limits,
            };
            on_interruption("the same command resumes the run")?;
            let lines = reviews.run(&mut sources, weights)?;
            table::write(&lines, against.as_deref(), self.json, output)?;
            return sources.expect_all_read();
        }
        for path in [&self.sgf, &self.html].into_iter().flatten() {
            ensure_another(path, Path::new(self.source.name()))?;
            ensure_free(path, self.force)?;
        }
        ensure_two(&self.sgf, &self.html)?;
        let file = self.source.tree()?;
        on_interruption("the same command starts over")?;
        let line = ProgressLine::new();
        let review = GameReview::of(&file.record, weights, limits, &mut |done, steps| {
            line.show(|| format!("{} % reviewed", 100 * done / steps));
        });
        line.clear();
        let review = review.with_context(|| format!("can't review {}", self.source.name()))?;
        if let Some(path) = &self.sgf {
            quincunx_files::replace(path, format!("{}\n", review.sgf(&file)).as_bytes())?;
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
