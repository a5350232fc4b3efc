//! Searches for a book: a line each, in a file that an interrupted run goes on with.
//!
//! The first line says what all searches have in common. The others are the moves that lead
//! to a position, and those that the search has found with their scores:
//! `["h8i9",[["g7",35],["j10",12]],"1f0a3b5c"]`, and a checksum of the rest, which lines of
//! older programs lack.

use anyhow::{Context, Result, ensure};
use quincunx_book::BookTree;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::score::Score;
use quincunx_files::{CheckedLines, GrowingFile, checked_line, whole_lines};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The moves that a search has found, with their scores.
pub(super) type Found = Vec<(Point, Score)>;

/// The file of the searches, and its contents.
pub(super) struct Searches {
    /// The searches of earlier runs by the canonical key of the position: the moves that
    /// lead to it, and what was found.
    known: HashMap<u64, (Vec<Point>, Found)>,
    file: Mutex<GrowingFile>,
}

impl Searches {
    /// Opens a file, and reads the searches of earlier runs in it. `head` is what all searches
    /// have in common. They are of positions on the tree's board.
    pub(super) fn open(path: &Path, head: &str, tree: &BookTree) -> Result<Searches> {
        let (mut file, text) = GrowingFile::open(path)?;
        // A line that was cut off is searched again.
        let whole = whole_lines(&text);
        let begun = format!("{head}\n");
        ensure!(
            begun.as_bytes().starts_with(&text) || text.starts_with(begun.as_bytes()),
            "can't resume {}: it has searches of another rule or board, with other nodes, \
             lines or weights, or is no file of searches: choose another file",
            path.display()
        );
        let mut known = HashMap::new();
        let mut lines = CheckedLines::default();
        let searches = whole.split_inclusive(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(searches).skip(1) {
            let place = format!("{}: line {number}", path.display());
            let json = lines.json(line).with_context(|| {
                format!("{place} is damaged: without the line, no more than its search is lost")
            })?;
            let read = read(&json, &tree.position(&[]));
            let (moves, found) = read.with_context(|| format!("{place} is no search"))?;
            known.insert(tree.key(&moves), (moves, found));
        }
        file.keep(whole.len())?;
        if whole.is_empty() {
            file.write_all(begun.as_bytes())?;
        }
        let file = Mutex::new(file);
        Ok(Searches { known, file })
    }

    /// What is known of the position with this canonical key.
    pub(super) fn take(&mut self, key: u64) -> Option<(Vec<Point>, Found)> {
        self.known.remove(&key)
    }

    /// Adds a search.
    pub(super) fn write(&self, moves: &[Point], found: &Found) -> Result<()> {
        let moves: String = moves.iter().map(ToString::to_string).collect();
        let found = found
            .iter()
            .map(|(point, score)| (point.to_string(), score.units()));
        let line = serde_json::to_string(&(moves, found.collect::<Vec<_>>()))?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_all(checked_line(&line).as_bytes())?)
    }
}

/// Reads a search of a position that follows from `start`.
fn read(json: &[u8], start: &Position) -> Result<(Vec<Point>, Found)> {
    let (moves, found): (String, Vec<(String, i32)>) = serde_json::from_slice(json)?;
    let mut position = Position::from_moves(start.rule(), start.size(), &moves)?;
    let found = found.into_iter().map(|(point, units)| {
        let point: Point = point.parse()?;
        ensure!(position.is_legal(point), "{point} is no move");
        Ok((point, Score::from_units(units)))
    });
    let found = found.collect::<Result<Found>>()?;
    Ok((line_to(&position)?, found))
}

/// The line of moves that leads to a position.
pub(super) fn line_to(position: &Position) -> Result<Vec<Point>> {
    let turns = Color::ALL.into_iter().cycle();
    let moves = position.moves().zip(turns.clone());
    let line = moves
        .map(|((color, point), turn)| (color == turn && point != Point::NONE).then_some(point));
    let line: Option<Vec<Point>> = line.collect();
    let line = line.filter(|line| turns.clone().nth(line.len()) == Some(position.side()));
    line.context("black and white have to move in turn")
}
