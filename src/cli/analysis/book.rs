//! `quincunx book`: books of searched openings, to play from.

use super::searches::{Found, Searches, line_to};
use super::source::Source;
use super::sources::Sources;
use super::workers::work_on_each;
use crate::cli::games::GamesReading;
use crate::cli::numbers::{MOST_AT_A_TIME, within};
use crate::cli::output::{ensure_another, ensure_free, ensure_regular};
use crate::cli::progress::ProgressLine;
use crate::cli::signals::on_interruption;
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use quincunx_book::{BookTree, OpeningBook};
use quincunx_engine::engine::{Engine, Event, MonotonicClock, Request};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, PointSet};
use quincunx_explorer::Explorer;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The fewest positions that are chosen before they are searched.
const LEAST_AT_ONCE: usize = 16;

/// The fraction of the searched positions that is chosen at a time.
const PART_AT_ONCE: usize = 8;

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
    /// Positions at a time; the book does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1, MOST_AT_A_TIME))]
    threads: usize,
    /// Overwrite the book
    #[arg(long)]
    force: bool,
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
        ensure_another(&self.out, &self.searches)?;
        let mut sources = Sources::of(&self.openings)?;
        for read in sources.paths().chain(self.played.as_deref()) {
            ensure_another(&self.out, read)?;
            ensure_another(&self.searches, read)?;
        }
        ensure_free(&self.out, self.force)?;
        ensure_regular(&self.out)?;
        ensure_regular(&self.searches)?;
        let mut tree = BookTree::new(
            self.reading.rule(),
            self.reading.size,
            self.roots(&mut sources)?,
        );
        let head = format!(
            "{{\"searches\":\"{} {}\",\"nodes\":{},\"lines\":{},\"weights\":\"{:08x}\"}}",
            self.reading.size,
            self.reading.rule(),
            self.nodes,
            self.lines,
            weights.checksum()
        );
        let mut searches = Searches::open(&self.searches, &head, &tree)?;
        on_interruption("the same command resumes the run")?;
        self.search(&mut tree, &mut searches, weights)?;
        let book = tree.book(self.margin);
        quincunx_files::replace(&self.out, book.as_bytes())?;
        write!(output, "{} positions, {} moves", tree.len(), book.len())?;
        if let Some(value) = tree.value() {
            write!(output, ", {value} for the side to move at the start")?;
        }
        writeln!(output)?;
        sources.expect_all_read()
    }

    /// Searches the positions that are worth it.
    fn search(
        &self,
        tree: &mut BookTree,
        searches: &mut Searches,
        weights: &Arc<WeightSet>,
    ) -> Result<()> {
        let line = ProgressLine::new();
        // They stay loaded from one search to the next.
        let _loaded = weights.of(self.reading.rule());
        let mut engines: Vec<Engine> = (0..self.threads).map(|_| self.engine(weights)).collect();
        while tree.len() < self.positions {
            let count = LEAST_AT_ONCE.max(tree.len() / PART_AT_ONCE);
            let wanted = tree.wanted(count.min(self.positions - tree.len()));
            if wanted.is_empty() {
                break;
            }
            let mut known = Vec::new();
            let mut unknown = Vec::new();
            for line in wanted {
                match searches.take(tree.key(&line)) {
                    Some(found) => known.push(found),
                    None => unknown.push(line),
                }
            }
            let value = tree.value().unwrap_or_default();
            let done = AtomicUsize::new(tree.len() + known.len());
            let state = || {
                format!(
                    "{}/{} positions, {value}",
                    done.load(Ordering::Relaxed),
                    self.positions
                )
            };
            let found = work_on_each(&mut engines, &unknown, |engine, moves| {
                let found = self.found(engine, tree.position(moves));
                let written = searches.write(moves, &found);
                done.fetch_add(1, Ordering::Relaxed);
                line.show(state);
                written.map(|()| found)
            })?;
            for (line, found) in known {
                tree.insert(line, &found);
            }
            for (line, found) in unknown.into_iter().zip(found) {
                tree.insert(line, &found?);
            }
        }
        line.clear();
        Ok(())
    }

    fn engine(&self, weights: &Arc<WeightSet>) -> Engine {
        let mut engine = Engine::with_weights(MonotonicClock::system(), Arc::clone(weights));
        engine.set_rule(self.reading.rule());
        engine.options_mut().max_node = Some(self.nodes.into());
        engine
    }

    /// The best moves of a position, by a search that knows nothing of other searches. Empty
    /// where the game is over.
    fn found(&self, engine: &mut Engine, position: Position) -> Found {
        engine.forget();
        *engine.excluded_mut() = repeated(&position);
        engine.set_position(position);
        let mut lines = vec![None; self.lines];
        let answer = engine.answer(Request::Lines(self.lines), &mut |event| {
            if let Event::Info(info) = event
                && let Some(place) = lines.get_mut(info.rank)
            {
                *place = info.best().map(|point| (point, info.score));
            }
        });
        if answer.is_err() {
            return Found::new();
        }
        let mut found = Found::new();
        for (point, score) in lines.into_iter().flatten() {
            // A line that was searched less deep may begin with the move of a better line.
            if found.iter().all(|it| it.0 != point) {
                found.push((point, score));
            }
        }
        found
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
            roots.push(line_to(&end).with_context(context)?);
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
        let mut lines = vec![Vec::new()];
        let mut seen = HashSet::new();
        let mut next = 0;
        while let Some(line) = lines.get(next).cloned() {
            next += 1;
            let mut position = Position::new(self.reading.rule(), self.reading.size);
            line.iter().for_each(|&point| position.play(point));
            for it in explorer.moves(&position)? {
                let often = it.tally.games() >= self.least;
                let Some(&point) = it.points.first().filter(|_| often) else {
                    continue;
                };
                position.play(point);
                if seen.insert(position.canonical_key().key()) {
                    lines.push([line.as_slice(), &[point]].concat());
                }
                position.undo();
            }
        }
        Ok(lines)
    }
}

/// The points that the symmetry of a position makes the same moves as others.
fn repeated(position: &Position) -> PointSet {
    let canonical = position.canonical_key();
    let mut seen = HashSet::new();
    let empty = position.size().iter().filter(|&it| position.is_empty(it));
    empty
        .filter(|&point| !seen.insert(canonical.image(point)))
        .collect()
}
