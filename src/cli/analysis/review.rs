//! `quincunx review`: where a game was lost.

use super::source::Source;
use super::sources::Sources;
use crate::cli::files::Files;
use crate::cli::inputs::read_file;
use crate::cli::options::{Force, Json, Threads};
use crate::cli::runs::{Shard, exit_on_interrupt, progress};
use anyhow::{Context, Result};
use clap::Args;
use quincunx_analysis::batch::{NamedGame, ReviewRun, ReviewTable, read_reviews};
use quincunx_analysis::review::{GameReview, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `quincunx review`.
#[derive(Args)]
#[command(mut_arg("threads", |threads| threads.requires("out")))]
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
    #[command(flatten)]
    threads: Threads,
    /// Review only part I of N of the games of --out, to share the work among machines. The
    /// files of all parts, concatenated, are the file of all games
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,
    /// Compare the reviews of --out with those of the same games in this file
    #[arg(long, value_name = "FILE", requires = "out")]
    against: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
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
    #[command(flatten)]
    force: Force,
}

impl ReviewGame {
    /// Reviews the game, or all games.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let limits = ReviewLimits {
            nodes: self.nodes,
            proof_nodes: self.proof_nodes,
        };
        if let Some(out) = &self.out {
            return self.review_all(out, limits, weights, output);
        }
        let written = [&self.sgf, &self.html].into_iter().flatten();
        Files::read([self.source.name()])
            .replace(written, self.force.force)
            .check()?;
        let file = self.source.tree()?;
        exit_on_interrupt("the same command starts over")?;
        let line = progress();
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
        if self.json.json {
            writeln!(output, "{}", review.json())?;
        } else {
            output.write_all(review.text().as_bytes())?;
        }
        Ok(())
    }

    /// Reviews every game of the files.
    fn review_all(
        &self,
        out: &PathBuf,
        limits: ReviewLimits,
        weights: &Arc<WeightSet>,
        output: &mut dyn Write,
    ) -> Result<()> {
        let read = |path: &PathBuf| anyhow::Ok(read_reviews(path, &read_file(path)?)?);
        let against = self.against.as_ref().map(read).transpose()?;
        let first = PathBuf::from(self.source.name());
        let paths: Vec<PathBuf> = [first].into_iter().chain(self.more.clone()).collect();
        let mut sources = Sources::of(&paths)?;
        Files::read(sources.paths().chain(self.against.as_deref()))
            .run(out)
            .check()?;
        let shard = self.shard.unwrap_or_default();
        let mut games = Vec::new();
        let mut count = 0;
        sources.each_record(self.source.reading(), &mut |place, record| {
            count += 1;
            // No other game of the file says which shard a game is in.
            if shard.has(place.index + place.number - 1) {
                let name = format!("{} {}", place.path.display(), place.number);
                games.push(NamedGame { name, record });
            }
            Ok(())
        })?;
        sources.expect_games(count)?;
        exit_on_interrupt("the same command resumes the run")?;
        let run = ReviewRun {
            out,
            limits,
            threads: self.threads.threads,
        };
        let reviews = run.run(&games, weights, &progress())?;
        let table = ReviewTable::new(&reviews, against.as_deref())?;
        match self.json.json {
            true => writeln!(output, "{}", table.json())?,
            false => output.write_all(table.text().as_bytes())?,
        }
        sources.expect_all_read()
    }
}
