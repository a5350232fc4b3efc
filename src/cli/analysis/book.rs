//! `quincunx book`: books of searched openings, to play from.

use super::source::Source;
use super::sources::Sources;
use crate::cli::files::Files;
use crate::cli::games::GamesReading;
use crate::cli::numbers::within;
use crate::cli::options::{Force, Threads};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use quincunx_book::{BookRun, BookTree, OpeningBook, line_to};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::rules::Point;
use quincunx_explorer::Explorer;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `quincunx book`.
#[derive(Args)]
pub(crate) struct OpeningBooks {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Search openings for a book, the best lines of both sides first
    ///
    /// Every position of the book is searched, with a score for each of its best few moves. The
    /// next position is the one whose line loses the least. Searches are kept in a file. So the
    /// same command resumes an interrupted run, and one with more positions extends the book.
    #[command(
        after_long_help = "Examples:\n  quincunx book build --searches openings.jsonl --out openings.qxbook\n  quincunx book build openings.txt --rule renju --positions 20000 --threads 2 --searches renju.jsonl --out renju.qxbook\n  quincunx book build --played played.qxplore --least 20 --searches played.jsonl --out played.qxbook"
    )]
    Build(Box<Build>),
    /// Show the moves that a book has in a position
    #[command(
        after_long_help = "Examples:\n  quincunx book show openings.qxbook h8i9\n  quincunx book show renju.qxbook \"15 renju h8\""
    )]
    Show(Show),
}

/// The arguments of `quincunx book build`.
#[derive(Args)]
struct Build {
    /// Game files, files with one position per line, or folders of them: the book begins where
    /// they end. The default is the empty board
    #[arg(value_name = "OPENINGS")]
    openings: Vec<PathBuf>,
    /// Also search moves that were played from the empty board, by a file of explore build
    #[arg(long, value_name = "FILE")]
    played: Option<PathBuf>,
    /// Leave out moves of --played that fewer than N games have
    #[arg(long, value_name = "N", default_value_t = 10, requires = "played",
        value_parser = within(1, u64::MAX))]
    least: u64,
    /// The book to make
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The searches, one per line. The same command resumes an interrupted run
    #[arg(long, value_name = "FILE")]
    searches: PathBuf,
    /// How many positions are searched
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = within(1, usize::MAX))]
    positions: usize,
    /// Nodes of the search of a position
    #[arg(long, value_name = "N", default_value_t = 200_000,
        value_parser = within(1, u32::MAX))]
    nodes: u32,
    /// How many moves of a position get a score
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = within(1_usize, 100))]
    lines: usize,
    /// How much worse than the best move a played move may be, in units of 1/200 logit
    #[arg(long, value_name = "UNITS", default_value_t = 10)]
    margin: u16,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    reading: GamesReading,
}

/// The arguments of `quincunx book show`.
#[derive(Args)]
struct Show {
    /// A book
    book: PathBuf,
    #[command(flatten)]
    source: Source,
}

impl OpeningBooks {
    /// Makes a book, or shows the moves of one.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        match &self.action {
            Action::Build(build) => build.run(weights, output),
            Action::Show(show) => show.run(output),
        }
    }
}

impl Show {
    fn run(&self, output: &mut dyn Write) -> Result<()> {
        let book = OpeningBook::open(&self.book);
        let book = book.with_context(|| format!("can't read {}", self.book.display()))?;
        let record = self.source.record()?;
        let game = record.replay(record.rule.unwrap_or_default())?;
        let position = game.position();
        let (rule, size, side) = (position.rule(), position.size(), position.side());
        let moves = book.moves(position);
        let unknown = if moves.is_empty() {
            ": no move is known"
        } else {
            ""
        };
        writeln!(output, "{rule}, board {size}, {side} to move{unknown}")?;
        for it in moves {
            let points: Vec<String> = it.points.iter().map(ToString::to_string).collect();
            let chance = 100.0 * it.score.win_chance();
            let score = it.score.to_string();
            writeln!(output, "{score:>7}{chance:5.0} %  {}", points.join(" "))?;
        }
        Ok(())
    }
}

impl Build {
    fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let mut sources = Sources::of(&self.openings)?;
        Files::read(sources.paths().chain(self.played.as_deref()))
            .replace([&self.out], self.force.force)
            .run(&self.searches)
            .check()?;
        let mut tree = BookTree::new(
            self.reading.rule(),
            self.reading.size,
            self.roots(&mut sources)?,
        );
        exit_on_interrupt("the same command resumes the run")?;
        let run = BookRun {
            searches: &self.searches,
            positions: self.positions,
            nodes: self.nodes,
            lines: self.lines,
            threads: self.threads.threads,
        };
        run.run(&mut tree, weights, &progress())?;
        let book = tree.book(self.margin);
        quincunx_files::replace(&self.out, book.as_bytes())?;
        write!(output, "{} positions, {} moves", tree.len(), book.len())?;
        if let Some(value) = tree.value() {
            write!(output, ", {value} for the side to move at the start")?;
        }
        writeln!(output)?;
        sources.expect_all_read()
    }

    /// The lines to the positions that the book begins with.
    fn roots(&self, sources: &mut Sources) -> Result<Vec<Vec<Point>>> {
        let mut roots = Vec::new();
        sources.each_game(&self.reading, &mut |place, game| {
            let end = game.end();
            let context = || format!("{}: {}", place.path.display(), end.move_text());
            ensure!(
                (end.rule(), end.size()) == (self.reading.rule(), self.reading.size),
                "{}: {} on {}, not {} on {}",
                context(),
                end.rule(),
                end.size(),
                self.reading.rule(),
                self.reading.size
            );
            let line = line_to(&end).context("black and white have to move in turn");
            roots.push(line.with_context(context)?);
            Ok(())
        })?;
        if !self.openings.is_empty() {
            sources.expect_games(roots.len())?;
        }
        if let Some(path) = &self.played {
            let played = self.played(path);
            roots.extend(played.with_context(|| format!("can't read {}", path.display()))?);
        }
        if roots.is_empty() {
            roots.push(Vec::new());
        }
        Ok(roots)
    }

    /// The lines to positions that were played from the empty board.
    fn played(&self, path: &Path) -> Result<Vec<Vec<Point>>> {
        let explorer = Explorer::open(path)?;
        Ok(explorer.lines(self.reading.rule(), self.reading.size, self.least)?)
    }
}
