//! Searches for a book: a line each in a file that an interrupted run resumes.
//!
//! The first line says what all searches have in common. The others are the moves that lead
//! to a position, those that the search has found with their scores, and a checksum:
//! `["h8i9",[["g7",35],["j10",12]],"1f0a3b5c"]`.

use super::tree::BookTree;
use quincunx_engine::engine::{Engine, Event, MonotonicClock, Request};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_engine::score::Score;
use quincunx_files::checked_line;
use quincunx_runs::{Header, Progress, RunError, RunFile, in_order};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The fewest positions that are chosen before they are searched.
const LEAST_AT_ONCE: usize = 16;

/// The fraction of the searched positions that is chosen at a time.
const PART_AT_ONCE: usize = 8;

/// The moves that a search has found, with their scores.
type RatedMoves = Vec<(Point, Score)>;

/// A search of an earlier run: the moves that lead to its position, and what was found.
type KnownSearch = (Vec<Point>, RatedMoves);

/// A run that searches the positions of a book.
#[derive(Clone, Copy, Debug)]
pub struct BookRun<'a> {
    /// The file of the searches.
    pub searches: &'a Path,
    /// The number of positions in the book.
    pub positions: usize,
    /// The nodes of the search of a position.
    pub nodes: u32,
    /// The number of moves of a position that get a score.
    pub lines: usize,
    /// The number of positions at a time, on which the book does not depend.
    pub threads: usize,
}

/// The error of a run that searches positions.
#[derive(Debug, thiserror::Error)]
pub enum BookRunError {
    /// The file of the searches can't be resumed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file of the searches can't be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A line of the file is no search.
    #[error("{}: line {line} is no search", .0.display(), line = .1)]
    NoSearch(PathBuf, usize),
    /// The system can't start a thread.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
}

impl BookRun<'_> {
    /// Searches the positions that are worth it, and adds them to the tree.
    ///
    /// # Errors
    /// Returns an error if the file of searches is of another run, or can't be read or written.
    pub fn run(
        &self,
        tree: &mut BookTree,
        weights: &Arc<WeightSet>,
        progress: &Progress,
    ) -> Result<(), BookRunError> {
        let (mut file, mut known_searches) = self.resume(tree, weights)?;
        let start = tree.position(&[]);
        // They stay loaded from one search to the next.
        let _loaded = weights.of(start.rule());
        let mut engines: Vec<Engine> = (0..self.threads.max(1))
            .map(|_| self.engine(&start, weights))
            .collect();
        while tree.len() < self.positions {
            let count = LEAST_AT_ONCE.max(tree.len() / PART_AT_ONCE);
            let wanted = tree.wanted(count.min(self.positions - tree.len()));
            if wanted.is_empty() {
                break;
            }
            let mut known = Vec::new();
            let mut unknown = Vec::new();
            for line in wanted {
                match known_searches.remove(&tree.key(&line)) {
                    Some(search) => known.push(search),
                    None => unknown.push(line),
                }
            }
            let value = tree.value().unwrap_or_default();
            let before = tree.len() + known.len();
            let mut searched = Vec::new();
            let mut written = Ok(());
            in_order(
                &mut engines,
                &unknown,
                |engine, line| (line, self.search(engine, tree.position(line))),
                |(line, found)| {
                    written = write_search(&mut file, line, &found);
                    searched.push((line.clone(), found));
                    progress.show(|| {
                        let done = before + searched.len();
                        format!("{done}/{} positions, {value}", self.positions)
                    });
                    match written {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                },
            )
            .map_err(BookRunError::Thread)?;
            written?;
            for (line, found) in known.into_iter().chain(searched) {
                tree.insert(line, &found);
            }
        }
        progress.clear();
        Ok(())
    }

    /// Opens the file, and reads the searches of earlier runs in it by the canonical key of their
    /// positions.
    fn resume(
        &self,
        tree: &BookTree,
        weights: &WeightSet,
    ) -> Result<(RunFile, HashMap<u64, KnownSearch>), BookRunError> {
        let start = tree.position(&[]);
        let header = format!(
            "{{\"searches\":\"{} {}\",\"nodes\":{},\"lines\":{},\"weights\":\"{:08x}\"}}",
            start.size(),
            start.rule(),
            self.nodes,
            self.lines,
            weights.checksum()
        );
        let mut file = RunFile::open(self.searches, Header::of(header))?;
        let mut known = HashMap::new();
        file.resume_records(|number, search: (String, Vec<(String, i32)>)| {
            let search = known_search(&start, search);
            let path = || self.searches.to_owned();
            let (line, found) = search.ok_or_else(|| BookRunError::NoSearch(path(), number))?;
            known.insert(tree.key(&line), (line, found));
            Ok::<(), BookRunError>(())
        })?;
        Ok((file, known))
    }

    fn engine(&self, start: &Position, weights: &Arc<WeightSet>) -> Engine {
        let mut engine = Engine::with_weights(MonotonicClock::system(), Arc::clone(weights));
        engine.set_rule(start.rule());
        engine.options_mut().max_node = Some(self.nodes.into());
        engine
    }

    /// Finds the best moves of a position, by a search that knows nothing of other searches. There
    /// are none where the game is over.
    fn search(&self, engine: &mut Engine, position: Position) -> RatedMoves {
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
            return RatedMoves::new();
        }
        let mut found = RatedMoves::new();
        for (point, score) in lines.into_iter().flatten() {
            // A line that was searched less deep may begin with the move of a better line.
            if found.iter().all(|it| it.0 != point) {
                found.push((point, score));
            }
        }
        found
    }
}

/// Adds a search to the file.
fn write_search(file: &mut RunFile, line: &[Point], found: &RatedMoves) -> io::Result<()> {
    let moves: String = line.iter().map(ToString::to_string).collect();
    let found = found
        .iter()
        .map(|(point, score)| (point.to_string(), score.units()));
    let record = serde_json::to_string(&(moves, found.collect::<Vec<_>>()))?;
    file.write_all(checked_line(&record).as_bytes())
}

/// Reads a search of a position that follows from `start`.
fn known_search(
    start: &Position,
    (moves, found): (String, Vec<(String, i32)>),
) -> Option<KnownSearch> {
    let position = Position::from_moves(start.rule(), start.size(), &moves).ok()?;
    let line = line_to(&position)?;
    let mut position = position;
    let found = found.into_iter().map(|(point, units)| {
        let point: Point = point.parse().ok()?;
        let score = Score::from_units(units);
        position.is_legal(point).then_some((point, score))
    });
    Some((line, found.collect::<Option<RatedMoves>>()?))
}

/// Returns the line of moves that leads to a position, in which the colours alternate.
pub fn line_to(position: &Position) -> Option<Vec<Point>> {
    let turns = Color::ALL.into_iter().cycle();
    let moves = position.moves().zip(turns.clone());
    let line = moves
        .map(|((color, point), turn)| (color == turn && point != Point::NONE).then_some(point));
    let line: Option<Vec<Point>> = line.collect();
    line.filter(|line| turns.clone().nth(line.len()) == Some(position.side()))
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
