//! The book, for reading.
//!
//! All numbers of the file are little endian:
//!
//! | bytes | |
//! |---|---|
//! | 8 | `QXBOOK` and two zero bytes |
//! | 4 | version, [`VERSION`] |
//! | 12 each | moves: the position's key (8), the point (2), the score in units (2) |
//! | 4 | CRC-32 of everything before |
//!
//! Moves are sorted by key and point. A key is the position's [canonical
//! key](quincunx_engine::position::Position::canonical_key), which includes rule, board and side
//! to move. The point is column + 32 * row in the image with that key. The score is that of the
//! move for the player who makes it.

use quincunx_engine::engine::{Book, BookMoves};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::score::Score;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The version of the format.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"QXBOOK\0\0";
const HEADER: usize = 12;
const SUM: usize = 4;
/// The length of a move.
const MOVE: usize = 12;

/// Why a file can't be used as a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("no opening book is in this file (no QXBOOK at its start)")]
    Foreign,
    /// The file has another version of the format.
    #[error("a book of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The file has changed since it was written.
    #[error("the file is damaged")]
    Damaged,
}

/// A move of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The points of the move. A symmetric position has several, which are the same move.
    pub points: Vec<Point>,
    /// The score of the move for the player who makes it.
    pub score: Score,
}

/// An opening book: for each of its positions the moves to choose from.
pub struct OpeningBook {
    /// The whole file.
    bytes: Box<[u8]>,
}

/// A move in the form of the file.
pub(crate) struct Entry {
    key: u64,
    point: u16,
    score: i16,
}

impl Entry {
    /// Creates the entry of a move, whose point is one of the image with the key.
    #[cfg(feature = "build")]
    pub(crate) fn new(key: u64, point: Point, score: Score) -> Entry {
        Entry {
            key,
            point: pack(point),
            // No score is above 31,000.
            score: score.units() as i16,
        }
    }

    fn from_bytes(bytes: &[u8; MOVE]) -> Entry {
        let [k0, k1, k2, k3, k4, k5, k6, k7, p0, p1, s0, s1] = *bytes;
        Entry {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            point: u16::from_le_bytes([p0, p1]),
            score: i16::from_le_bytes([s0, s1]),
        }
    }
}

fn pack(point: Point) -> u16 {
    (point.x() + 32 * point.y()) as u16
}

impl OpeningBook {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is not a book or is damaged.
    pub fn open(path: &Path) -> Result<OpeningBook, BookError> {
        quincunx_files::expect_plain(path)?;
        let mut file = File::open(path)?;
        // What is no book may be larger than the memory.
        let mut bytes = Vec::new();
        (&mut file).take(HEADER as u64).read_to_end(&mut bytes)?;
        if bytes.starts_with(&MAGIC) {
            file.read_to_end(&mut bytes)?;
        }
        OpeningBook::from_bytes(bytes)
    }

    /// Creates the book from the contents of a file.
    ///
    /// # Errors
    /// Returns an error if the contents are something else or damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<OpeningBook, BookError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BookError::Foreign);
        }
        let version = bytes[MAGIC.len()..].first_chunk();
        let version = u32::from_le_bytes(*version.ok_or(BookError::Damaged)?);
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let (rest, sum) = bytes.split_last_chunk().ok_or(BookError::Damaged)?;
        let moves = rest.len().checked_sub(HEADER);
        let is_whole = moves.is_some_and(|bytes| bytes.is_multiple_of(MOVE));
        if !is_whole || crc32fast::hash(rest).to_le_bytes() != *sum {
            return Err(BookError::Damaged);
        }
        Ok(OpeningBook {
            bytes: bytes.into_boxed_slice(),
        })
    }

    /// Creates the book of these moves, in any order.
    #[cfg(feature = "build")]
    pub(crate) fn of(mut entries: Vec<Entry>) -> OpeningBook {
        entries.sort_by_key(|entry| (entry.key, entry.point));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for Entry { key, point, score } in entries {
            bytes.extend(key.to_le_bytes());
            bytes.extend(point.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        OpeningBook {
            bytes: bytes.into_boxed_slice(),
        }
    }

    /// The contents of the book's file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether the book has no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn entries(&self) -> &[[u8; MOVE]] {
        self.bytes[HEADER..self.bytes.len() - SUM].as_chunks().0
    }

    /// The moves to choose from in a position, the best first.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let canonical = position.canonical_key();
        let entries = self.entries();
        let start = entries.partition_point(|it| Entry::from_bytes(it).key < canonical.key());
        let found = entries[start..].iter().map(Entry::from_bytes);
        let mut found = found.take_while(|it| it.key == canonical.key()).peekable();
        if found.peek().is_none() {
            return Vec::new();
        }
        // Another position with the same key has moves that may not be made here.
        let mut points: BTreeMap<u16, Vec<Point>> = BTreeMap::new();
        let mut game = position.clone();
        for point in position.size().iter().filter(|&it| game.is_legal(it)) {
            let image = pack(canonical.image(point));
            points.entry(image).or_default().push(point);
        }
        let moves = found.filter_map(|entry| {
            Some(BookMove {
                points: points.remove(&entry.point)?,
                score: Score::from_units(entry.score.into()),
            })
        });
        let mut moves: Vec<BookMove> = moves.collect();
        moves.sort_by_key(|it| Reverse(it.score));
        moves
    }
}

/// All moves of a position are equally likely, and so are all symmetric forms of a move.
impl Book for OpeningBook {
    fn moves(&self, position: &Position, seed: u64) -> BookMoves {
        let mut random = fastrand::Rng::with_seed(seed ^ position.key());
        let moves = OpeningBook::moves(self, position);
        let value = moves.first().map(|best| best.score);
        let chosen = random.choice(moves);
        BookMoves {
            play: chosen.and_then(|it| random.choice(it.points)),
            value,
            ..BookMoves::default()
        }
    }
}

impl fmt::Debug for OpeningBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a book of {} moves", self.len())
    }
}
