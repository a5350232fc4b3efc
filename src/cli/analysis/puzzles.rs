//! `quincunx puzzles`: positions to train on, out of games.

use super::sources::Sources;
use crate::cli::exit::ensure_usage;
use crate::cli::files::Files;
use crate::cli::games::GamesReading;
use crate::cli::numbers::within;
use crate::cli::options::{Force, Threads};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Context, Result};
use clap::Args;
use quincunx_analysis::batch::{FoundPuzzles, PuzzleRun};
use quincunx_analysis::puzzle::{ParseKindError, PuzzleKind, PuzzleLimits, collection, sheet};
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// The arguments of `quincunx puzzles`.
#[derive(Args)]
pub(crate) struct Puzzles {
    /// Game files: any that the board opens, files of selfplay, and folders. Without any, the
    /// puzzles of --out are written to the files of --sgf and --html
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The puzzles, one per line. The same command resumes an interrupted run
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The kinds: vcf (wins by fours), vct (wins by threes and fours) and defence (the only
    /// move that holds)
    #[arg(long, value_name = "KINDS", default_value = "vcf,vct,defence")]
    kind: Vec<Kinds>,
    /// The fewest plies of a win, including the five
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().least_plies)]
    least_plies: usize,
    /// Nodes of the solver for a win, and to show that there is none after a move
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().nodes,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many puzzles
    #[arg(long, value_name = "N", value_parser = within(1, usize::MAX))]
    count: Option<usize>,
    #[command(flatten)]
    threads: Threads,
    /// Write the puzzles as a collection of SGF games to this file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write the puzzles as a page to print to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    reading: GamesReading,
}

/// Kinds of puzzles with commas or blanks between them.
#[derive(Clone)]
struct Kinds(Vec<PuzzleKind>);

impl FromStr for Kinds {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Kinds, ParseKindError> {
        let names = text.split([',', ' ']).filter(|name| !name.is_empty());
        let kinds: Vec<PuzzleKind> = names.map(str::parse).collect::<Result<_, _>>()?;
        match kinds.is_empty() {
            true => text.parse().map(|kind| Kinds(vec![kind])),
            false => Ok(Kinds(kinds)),
        }
    }
}

impl Puzzles {
    /// Finds puzzles, and writes them in all requested forms.
    pub(crate) fn run(&self) -> Result<()> {
        let exports = [&self.sgf, &self.html];
        let mut sources = Sources::of(&self.games)?;
        Files::read(sources.paths())
            .run(&self.out)
            .replace(exports.into_iter().flatten(), self.force.force)
            .check()?;
        ensure_usage!(
            !self.games.is_empty() || exports.iter().any(|path| path.is_some()),
            "expected files of games, or --sgf or --html for the puzzles of --out"
        );
        let puzzles = match self.games.is_empty() {
            true => {
                let context = || format!("can't read {}", self.out.display());
                let bytes = fs::read(&self.out).with_context(context)?;
                FoundPuzzles::read(&self.out, &bytes)?
            }
            false => {
                exit_on_interrupt("the same command resumes the run")?;
                self.find(&mut sources)?
            }
        };
        if let Some(path) = &self.sgf {
            quincunx_files::replace(path, collection(&puzzles.puzzles).as_bytes())?;
        }
        if let Some(path) = &self.html {
            let name = self.out.file_stem().unwrap_or_default().to_string_lossy();
            quincunx_files::replace(path, sheet(&name, &puzzles.puzzles).as_bytes())?;
        }
        sources.expect_all_read()
    }

    fn find(&self, sources: &mut Sources) -> Result<FoundPuzzles> {
        let mut games = Vec::new();
        sources.each_game(&self.reading, &mut |_, game| {
            games.push(game);
            Ok(())
        })?;
        sources.expect_games(games.len())?;
        let names = self.games.iter().map(|path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        let kinds = self.kind.iter().flat_map(|kinds| kinds.0.iter().copied());
        let run = PuzzleRun {
            out: &self.out,
            sources: names.collect::<Vec<_>>().join(", "),
            limits: PuzzleLimits {
                kinds: kinds.collect(),
                least_plies: self.least_plies,
                nodes: self.nodes,
            },
            count: self.count.unwrap_or(usize::MAX),
            threads: self.threads.threads,
        };
        Ok(run.run(&games, &progress())?)
    }
}
