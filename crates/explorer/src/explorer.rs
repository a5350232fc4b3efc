//! Queries of the file.

use crate::entry::{Entry, Tally};
use crate::format::{self, BoardGames, END, KEY, NoHeader, PAGE, Tail, VERSION};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The error of a file of played moves.
#[derive(Debug, thiserror::Error)]
pub enum ExplorerError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("no file of quincunx explore (no QXPLORE at its start)")]
    Foreign,
    /// The file has another version of the format.
    #[error("the file has version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// The file has changed since it was written.
    #[error("the file is damaged: build it anew")]
    Damaged,
}

impl From<NoHeader> for ExplorerError {
    fn from(error: NoHeader) -> ExplorerError {
        match error {
            NoHeader::Foreign => ExplorerError::Foreign,
            NoHeader::Version(version) => ExplorerError::Version(version),
            NoHeader::Damaged => ExplorerError::Damaged,
        }
    }
}

/// A move that was played from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExploredMove {
    /// The points of the move. A symmetric position has several, which are the same move.
    pub points: Vec<Point>,
    /// The number of games with the move, by result.
    pub tally: Tally,
}

/// A file of played moves. Its index is in memory, and a query reads the page that has the
/// answer.
#[derive(Debug)]
pub struct Explorer {
    file: Mutex<File>,
    boards: Vec<BoardGames>,
    tail: Tail,
}

impl Explorer {
    /// Opens a file, and checks its header and index. A page is checked when it is read.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is something else or is damaged.
    pub fn open(path: &Path) -> Result<Explorer, ExplorerError> {
        quincunx_files::expect_plain(path)?;
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut header = Vec::with_capacity(PAGE);
        (&mut file).take(PAGE as u64).read_to_end(&mut header)?;
        if !header.starts_with(&format::MAGIC) {
            return Err(ExplorerError::Foreign);
        }
        let header = header.try_into().map_err(|_| ExplorerError::Damaged)?;
        let boards = format::read_header(&header)?;
        let rest = length.checked_sub((PAGE + END) as u64);
        let (pages, extra) = rest.map_or((0, 1), |rest| {
            let of_page = (PAGE + KEY) as u64;
            (rest / of_page, rest % of_page)
        });
        if extra != 0 {
            return Err(ExplorerError::Damaged);
        }
        file.seek(SeekFrom::Start((1 + pages) * PAGE as u64))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail)?;
        let tail = Tail::from_bytes(&tail).ok_or(ExplorerError::Damaged)?;
        if tail.index.len() as u64 != pages {
            return Err(ExplorerError::Damaged);
        }
        Ok(Explorer {
            file: Mutex::new(file),
            boards,
            tail,
        })
    }

    /// The rules and boards of the games, with their numbers.
    pub fn boards(&self) -> &[BoardGames] {
        &self.boards
    }

    /// Returns true if there are games of the position's rule on its board.
    pub fn has_board_of(&self, position: &Position) -> bool {
        let board = (position.rule(), position.size());
        self.boards.iter().any(|it| (it.rule, it.size) == board)
    }

    /// The number of positions from which a move was played.
    pub fn positions(&self) -> u64 {
        self.tail.positions
    }

    /// The moves that were played from a position, the most frequent first.
    ///
    /// # Errors
    /// Returns an error if the page can't be read or is damaged.
    pub fn moves(&self, position: &Position) -> Result<Vec<ExploredMove>, ExplorerError> {
        let canonical = position.canonical_key();
        let entries = self.entries(canonical.key())?;
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut points: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
        for point in position.size().iter().filter(|&it| position.is_empty(it)) {
            points
                .entry(canonical.image(point))
                .or_default()
                .push(point);
        }
        // Points that are taken belong to another position with the same key.
        let moves = entries.into_iter().filter_map(|entry| {
            Some(ExploredMove {
                points: points.remove(&entry.point)?,
                tally: entry.tally,
            })
        });
        let mut moves: Vec<ExploredMove> = moves.collect();
        moves.sort_by_key(|it| (Reverse(it.tally.games()), it.points.first().copied()));
        Ok(moves)
    }

    /// The lines of moves that at least `least` games have from the empty board, one for each
    /// position.
    ///
    /// # Errors
    /// Returns an error if the file can't be read or is damaged.
    pub fn lines(
        &self,
        rule: Rule,
        size: BoardSize,
        least: u64,
    ) -> Result<Vec<Vec<Point>>, ExplorerError> {
        let mut lines = vec![Vec::new()];
        let mut seen = HashSet::new();
        let mut next = 0;
        while let Some(line) = lines.get(next).cloned() {
            next += 1;
            let mut position = Position::new(rule, size);
            line.iter().for_each(|&point| position.play(point));
            for it in self.moves(&position)? {
                let is_frequent = it.tally.games() >= least;
                let Some(&point) = it.points.first().filter(|_| is_frequent) else {
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

    /// The entries of a key.
    fn entries(&self, key: u64) -> Result<Vec<Entry>, ExplorerError> {
        let index = &self.tail.index;
        // They may begin on the page before the first one that begins with the key.
        let first = index.partition_point(|&it| it < key).saturating_sub(1);
        let last = index.partition_point(|&it| it <= key);
        let mut entries = Vec::new();
        for number in first..last {
            let page = self.page(number as u64)?;
            let page = format::read_page(number as u64, &page).ok_or(ExplorerError::Damaged)?;
            entries.extend(page.filter(|entry| entry.key == key));
        }
        Ok(entries)
    }

    fn page(&self, number: u64) -> Result<[u8; PAGE], ExplorerError> {
        let mut page = [0; PAGE];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start((1 + number) * PAGE as u64))?;
        match file.read_exact(&mut page) {
            Ok(()) => Ok(page),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(ExplorerError::Damaged)
            }
            Err(error) => Err(error.into()),
        }
    }
}
