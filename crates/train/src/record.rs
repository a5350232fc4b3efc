//! Game records: the file that self-play writes and fitting reads.
//!
//! All numbers are little endian. A header of 16 bytes is followed by a block for
//! each game:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXGAMES` and a zero byte |
//! | 2 | version, [`VERSION`] |
//! | 1 | rule: its index in [`Rule::ALL`] |
//! | 1 | zero |
//! | 4 | CRC-32 of the 12 bytes before |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | length of the bytes after the checksum |
//! | 4 | CRC-32 of the bytes after the checksum |
//! | 8 | seed of the run |
//! | 4 | number of the game in the run |
//! | 4 | nodes a move, before variation |
//! | 1, 1 | width and height of the board |
//! | 1 | winner: 0 black, 1 white, 2 a draw |
//! | 1 | zero |
//! | 2 | number of moves in the opening, from the empty board |
//! | 2 | number of searched plies after it |
//! | 2 each | a move of the opening: column + 32 * row |
//! | 6 each | a searched ply: the move played, the best move (both as above), the score in units |
//! | the rest | positions of search trees |
//!
//! | bytes | position of a search tree |
//! |---|---|
//! | 2 | the searched ply whose tree it is from, from zero |
//! | 2 | number of moves from there to the position |
//! | 2 each | such a move |
//! | 2, 2 | the best move, the score in units |
//!
//! The score is the search's for the side to move. Proven wins and losses are
//! beyond +-20,000. Bit 15 of the move played marks a sampled move. The blocks hold
//! the data for any model, because playing the moves gives the positions.
//!
//! Files of one rule are merged by copying their blocks. A file that was cut off in
//! the middle of a block is good up to that block.

use quincunx_engine::rules::{BoardSize, Color, Point, Rule, SizeError};
use quincunx_engine::score::Score;
use std::io::{self, ErrorKind, Read};

/// The version of the format.
pub const VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"QXGAMES\0";

/// The length of the header in bytes.
pub const HEADER: usize = 16;

/// The length of a block without its length, checksum and moves.
const FIXED: usize = 24;

/// Longer blocks are not valid.
const MAX_BLOCK: usize = 1 << 24;

/// The bit of a sampled move.
const SAMPLED: u16 = 1 << 15;

/// A searched ply of a self-play game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedPly {
    /// The move that was played.
    pub played: Point,
    /// The move that the search chose.
    pub best: Point,
    /// The score of the search for the side to move, in units.
    pub score: i16,
    /// Whether the move played was sampled for exploration.
    pub sampled: bool,
}

/// A position of the tree of a search, and what a search of its own says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePosition {
    /// The number of the searched ply whose tree it is from, from zero.
    pub ply: usize,
    /// The moves from there to the position.
    pub line: Vec<Point>,
    /// The move that the search chose.
    pub best: Point,
    /// The score of the search for the side to move, in units.
    pub score: i16,
}

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the game in the run.
    pub number: u32,
    /// Nodes a move, before variation.
    pub nodes: u32,
    /// The size of the board.
    pub size: BoardSize,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The moves before the first search, black first.
    pub opening: Vec<Point>,
    /// The searched plies in order.
    pub plies: Vec<SearchedPly>,
    /// Positions of the trees of its searches, in the order of the plies.
    pub tree: Vec<TreePosition>,
}

/// A file of games can't be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("not a file of games (no QXGAMES at its start)")]
    Foreign,
    /// It is of another version of the format.
    #[error("games of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// No rule has this number.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// The header is damaged.
    #[error("the header's checksum is wrong")]
    HeaderChecksum,
    /// A game is damaged.
    #[error("game {number}, at byte {offset}")]
    Game {
        /// The number of the game in the file, from one.
        number: u64,
        /// Where its block begins.
        offset: u64,
        /// What is wrong with it.
        source: BlockError,
    },
}

/// The block of a game is damaged.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// The file system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file ends in the middle of it")]
    Truncated,
    /// No block has this length.
    #[error("a length of {0} bytes")]
    Length(usize),
    /// The checksum is wrong.
    #[error("its checksum is wrong")]
    Checksum,
    /// The block is too short for its moves.
    #[error("the block is too short")]
    TooShort,
    /// A position of a search tree is from a ply that the game does not have.
    #[error("a position of a search tree at ply {0}")]
    Ply(usize),
    /// No board has this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// No winner has this number.
    #[error("winner {0}")]
    Winner(u8),
    /// A move is off the board.
    #[error("column {column}, row {row} is off the {size} board")]
    OffBoard {
        /// The column, from zero.
        column: usize,
        /// The row, from zero.
        row: usize,
        /// The size of the board.
        size: BoardSize,
    },
}

impl SelfplayGame {
    /// Returns whether every score is possible. Older files have games with
    /// impossible ones: a search that was cut short could return less than the
    /// nearest loss, which ended the game before either side had won it.
    pub fn is_credible(&self) -> bool {
        let limit = Score::WIN.units();
        let scores = self.plies.iter().map(|ply| ply.score);
        let mut scores = scores.chain(self.tree.iter().map(|position| position.score));
        scores.all(|score| i32::from(score).abs() <= limit)
    }

    /// Writes the block of the game.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(FIXED + 2 * self.opening.len() + 6 * self.plies.len());
        body.extend(self.seed.to_le_bytes());
        body.extend(self.number.to_le_bytes());
        body.extend(self.nodes.to_le_bytes());
        body.push(self.size.width() as u8);
        body.push(self.size.height() as u8);
        body.push(self.winner.map_or(2, |color| color as u8));
        body.push(0);
        body.extend((self.opening.len() as u16).to_le_bytes());
        body.extend((self.plies.len() as u16).to_le_bytes());
        for &point in &self.opening {
            body.extend(pack(point).to_le_bytes());
        }
        for ply in &self.plies {
            let mark = if ply.sampled { SAMPLED } else { 0 };
            body.extend((pack(ply.played) | mark).to_le_bytes());
            body.extend(pack(ply.best).to_le_bytes());
            body.extend(ply.score.to_le_bytes());
        }
        for position in &self.tree {
            body.extend((position.ply as u16).to_le_bytes());
            body.extend((position.line.len() as u16).to_le_bytes());
            for &point in position.line.iter().chain([&position.best]) {
                body.extend(pack(point).to_le_bytes());
            }
            body.extend(position.score.to_le_bytes());
        }
        let mut block = (body.len() as u32).to_le_bytes().to_vec();
        block.extend(crc32fast::hash(&body).to_le_bytes());
        block.extend(body);
        block
    }

    fn from_body(body: &[u8]) -> Result<SelfplayGame, BlockError> {
        let mut fields = Fields(body);
        let seed = u64::from_le_bytes(fields.take()?);
        let number = u32::from_le_bytes(fields.take()?);
        let nodes = u32::from_le_bytes(fields.take()?);
        let [width, height, winner, _] = fields.take()?;
        let size = BoardSize::new(width.into(), height.into())?;
        let winner = match winner {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            2 => None,
            other => return Err(BlockError::Winner(other)),
        };
        let opening = u16::from_le_bytes(fields.take()?);
        let plies = u16::from_le_bytes(fields.take()?);
        let opening = (0..opening)
            .map(|_| unpack(size, u16::from_le_bytes(fields.take()?)))
            .collect::<Result<_, BlockError>>()?;
        let plies: Vec<SearchedPly> = (0..plies)
            .map(|_| {
                let played = u16::from_le_bytes(fields.take()?);
                let best = u16::from_le_bytes(fields.take()?);
                Ok(SearchedPly {
                    played: unpack(size, played & !SAMPLED)?,
                    best: unpack(size, best)?,
                    score: i16::from_le_bytes(fields.take()?),
                    sampled: played & SAMPLED != 0,
                })
            })
            .collect::<Result<_, BlockError>>()?;
        let mut tree = Vec::new();
        while !fields.0.is_empty() {
            let position = TreePosition::from_fields(&mut fields, size)?;
            if position.ply >= plies.len() {
                return Err(BlockError::Ply(position.ply));
            }
            tree.push(position);
        }
        Ok(SelfplayGame {
            seed,
            number,
            nodes,
            size,
            winner,
            opening,
            plies,
            tree,
        })
    }
}

impl TreePosition {
    fn from_fields(fields: &mut Fields<'_>, size: BoardSize) -> Result<TreePosition, BlockError> {
        let ply = u16::from_le_bytes(fields.take()?).into();
        let length = u16::from_le_bytes(fields.take()?);
        let line = (0..length)
            .map(|_| unpack(size, u16::from_le_bytes(fields.take()?)))
            .collect::<Result<_, BlockError>>()?;
        Ok(TreePosition {
            ply,
            line,
            best: unpack(size, u16::from_le_bytes(fields.take()?))?,
            score: i16::from_le_bytes(fields.take()?),
        })
    }
}

fn pack(point: Point) -> u16 {
    (point.x() + 32 * point.y()) as u16
}

fn unpack(size: BoardSize, packed: u16) -> Result<Point, BlockError> {
    let (column, row) = (packed as usize % 32, packed as usize / 32);
    size.point(column, row)
        .ok_or(BlockError::OffBoard { column, row, size })
}

/// The bytes of a block that have not been read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BlockError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(BlockError::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }
}

/// Returns the header of a file with games of `rule`.
pub fn header(rule: Rule) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10] = rule as u8;
    let sum = crc32fast::hash(&bytes[..12]);
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Reads games one after another.
pub struct GameReader<R> {
    input: R,
    rule: Rule,
    offset: u64,
    games: u64,
}

impl<R: Read> GameReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// Returns an error if `input` is not a file of games of this version.
    pub fn new(mut input: R) -> Result<GameReader<R>, RecordError> {
        let mut bytes = [0; HEADER];
        let read = fill(&mut input, &mut bytes)?;
        if read != HEADER || bytes[..8] != MAGIC {
            return Err(RecordError::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(RecordError::Version(version));
        }
        let rule = Rule::ALL.get(bytes[10] as usize).copied();
        let rule = rule.ok_or(RecordError::Rule(bytes[10]))?;
        if bytes != header(rule) {
            return Err(RecordError::HeaderChecksum);
        }
        Ok(GameReader {
            input,
            rule,
            offset: HEADER as u64,
            games: 0,
        })
    }

    /// Returns the rule of all games.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the offset of the next block: the length of the valid part of the
    /// file so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next game; `None` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file ends in the middle of a game or the game is
    /// damaged.
    pub fn next_game(&mut self) -> Result<Option<SelfplayGame>, RecordError> {
        self.read_block().map_err(|source| RecordError::Game {
            number: self.games + 1,
            offset: self.offset,
            source,
        })
    }

    fn read_block(&mut self) -> Result<Option<SelfplayGame>, BlockError> {
        let mut head = [0; 8];
        match fill(&mut self.input, &mut head)? {
            0 => return Ok(None),
            8 => {}
            _ => return Err(BlockError::Truncated),
        }
        let [a, b, c, d, e, f, g, h] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if !(FIXED..MAX_BLOCK).contains(&length) {
            return Err(BlockError::Length(length));
        }
        let sum = u32::from_le_bytes([e, f, g, h]);
        let mut body = vec![0; length];
        let read = fill(&mut self.input, &mut body)?;
        if read != length {
            // Where the sum is that of fewer bytes, the length is wrong, and games follow.
            let mut hasher = crc32fast::Hasher::new();
            let is_sum = |byte: &u8| {
                hasher.update(&[*byte]);
                hasher.clone().finalize() == sum
            };
            return Err(match body[..read].iter().any(is_sum) {
                true => BlockError::Length(length),
                false => BlockError::Truncated,
            });
        }
        if crc32fast::hash(&body) != sum {
            return Err(BlockError::Checksum);
        }
        let game = SelfplayGame::from_body(&body)?;
        self.offset += 8 + length as u64;
        self.games += 1;
        Ok(Some(game))
    }
}

/// Reads until `bytes` is full or the input ends, and returns the number of bytes
/// read.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match input.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// A game of random moves with random scores, for tests.
#[cfg(test)]
pub(super) fn random_game(
    number: u32,
    size: BoardSize,
    plies: usize,
    random: &mut fastrand::Rng,
) -> SelfplayGame {
    let mut points: Vec<Point> = size.iter().collect();
    random.shuffle(&mut points);
    let ply = |&point: &Point| SearchedPly {
        played: point,
        best: point,
        score: random.i16(-300..300),
        sampled: false,
    };
    SelfplayGame {
        seed: 1,
        number,
        nodes: 1,
        size,
        winner: [None, Some(Color::Black)][number as usize % 2],
        opening: Vec::new(),
        plies: points[..plies].iter().map(ply).collect(),
        tree: Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn game(number: u32) -> SelfplayGame {
        let ply = |x, score, sampled| SearchedPly {
            played: Point::new(x, 14),
            best: Point::new(0, x),
            score,
            sampled,
        };
        SelfplayGame {
            seed: u64::MAX - 1,
            number,
            nodes: 1500,
            size: BoardSize::default(),
            winner: [Some(Color::Black), Some(Color::White), None][number as usize % 3],
            opening: vec![Point::new(7, 7), Point::new(8, 6)],
            plies: vec![ply(3, -29_990, false), ply(14, 12, true)],
            tree: [0, 1].map(tree_position).to_vec(),
        }
    }

    fn tree_position(ply: usize) -> TreePosition {
        TreePosition {
            ply,
            line: vec![Point::new(1, 2); 1 + ply],
            best: Point::new(4, 3),
            score: [29_990, -40][ply],
        }
    }

    fn file(games: u32) -> Vec<u8> {
        let mut bytes = header(Rule::Renju).to_vec();
        (0..games).for_each(|number| bytes.extend(game(number).to_bytes()));
        bytes
    }

    /// Formats an error and its causes.
    fn chain(error: &dyn std::error::Error) -> String {
        match error.source() {
            Some(source) => format!("{error}: {}", chain(source)),
            None => error.to_string(),
        }
    }

    /// Reads all games up to the first error, and returns that too.
    fn read(bytes: &[u8]) -> (Vec<SelfplayGame>, Option<String>) {
        let text = |error: RecordError| Some(chain(&error));
        let mut games = Vec::new();
        let mut reader = match GameReader::new(bytes) {
            Ok(reader) => reader,
            Err(error) => return (games, text(error)),
        };
        loop {
            match reader.next_game() {
                Ok(Some(game)) => games.push(game),
                Ok(None) => return (games, None),
                Err(error) => return (games, text(error)),
            }
        }
    }

    #[test]
    fn games_round_trip() {
        let (games, error) = read(&file(3));
        assert_eq!(error, None);
        assert_eq!(games, (0..3).map(game).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_damaged_game_is_named() {
        let good = file(3);
        let block = (good.len() - HEADER) / 3;
        let (games, error) = read(&good[..good.len() - 1]);
        assert_eq!(games.len(), 2);
        let at = HEADER + 2 * block;
        let expected = format!("game 3, at byte {at}: the file ends in the middle of it");
        assert_eq!(error.unwrap(), expected);
        let mut bad = good.clone();
        bad[HEADER + block + 20] ^= 1;
        let (games, error) = read(&bad);
        assert_eq!(games.len(), 1);
        let at = HEADER + block;
        let expected = format!("game 2, at byte {at}: its checksum is wrong");
        assert_eq!(error.unwrap(), expected);
        // It once was taken for a file that ends there, and a run that goes on cut the rest off.
        let mut long = good;
        long[HEADER + 2] ^= 1;
        let (games, error) = read(&long);
        assert!(games.is_empty());
        let error = error.unwrap();
        let expected = format!("game 1, at byte {HEADER}: a length of ");
        assert!(error.starts_with(&expected), "{error}");
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let good = file(2);
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(read(&bad).1.is_some(), "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn other_files_are_refused() {
        for bytes in [&b""[..], b"QXGAME", b"GIF89a, something else"] {
            assert!(read(bytes).1.unwrap().contains("not a file of games"));
        }
    }
}
