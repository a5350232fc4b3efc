//! Game records: the file that self-play writes and fitting reads.
//!
//! A file is a header of 16 bytes and then one block a game, all numbers
//! little endian:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXGAMES` and a zero byte |
//! | 2 | version, [`VERSION`] |
//! | 1 | rule: its place in [`Rule::ALL`] |
//! | 1 | zero |
//! | 4 | CRC-32 of the 12 bytes before |
//!
//! | bytes | block |
//! |---|---|
//! | 4 | length of what follows the checksum |
//! | 4 | CRC-32 of what follows the checksum |
//! | 8 | seed of the run |
//! | 4 | number of the game in the run |
//! | 4 | nodes a move, before the spread |
//! | 1, 1 | width and height of the board |
//! | 1 | winner: 0 black, 1 white, 2 nobody |
//! | 1 | zero |
//! | 2 | how many moves of the opening follow, from the empty board |
//! | 2 | how many searched plies follow them |
//! | 2 each | a move of the opening: column + 32 * row |
//! | 6 each | a searched ply: the move played, the best move (both as above), the score in units |
//!
//! The score is the search's for the side to move; certain wins and losses are
//! beyond +-20,000. A move that was drawn by lot for variety has bit 15 of the
//! move played set. Plies to the end are the plies that follow. Everything a
//! network could want is in these numbers, since positions come back by playing
//! the moves.
//!
//! Files of one rule merge by copying the blocks; a file that was cut off in
//! the middle of a block is good up to that block.

use crate::eval::Score;
use crate::rules::{BoardSize, Color, Point, Rule};
use anyhow::{Context, Result, bail, ensure};
use std::io::{ErrorKind, Read};

/// The version of the format.
pub const VERSION: u16 = 1;

const MAGIC: [u8; 8] = *b"QXGAMES\0";

/// How many bytes the header has.
pub const HEADER: usize = 16;

/// The part of a block before its moves, length and checksum aside.
const FIXED: usize = 24;

/// Longer blocks than this are not ours.
const MAX_BLOCK: usize = 1 << 16;

/// Marks a move played that was drawn by lot.
const SAMPLED: u16 = 1 << 15;

/// One searched ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move that was played.
    pub played: Point,
    /// The move the search chose.
    pub best: Point,
    /// The search's value for the side to move, in units.
    pub score: i16,
    /// Whether the move played was drawn by lot.
    pub sampled: bool,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The seed of the run that made it.
    pub seed: u64,
    /// Which game of that run it is.
    pub number: u32,
    /// Nodes a move, before the spread.
    pub nodes: u32,
    /// The board.
    pub size: BoardSize,
    /// Who won.
    pub winner: Option<Color>,
    /// The moves before the first search, black first.
    pub opening: Vec<Point>,
    /// The searched plies in turn.
    pub plies: Vec<Ply>,
}

impl Game {
    /// Whether every score is one that a search can come to. Older files hold
    /// games that are not: a search that was cut short could tell less than the
    /// nearest loss, which ended the game though nobody had won it.
    pub fn is_credible(&self) -> bool {
        let limit = Score::WIN.units();
        (self.plies.iter()).all(|ply| i32::from(ply.score).abs() <= limit)
    }

    /// The block of this game.
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
        let mut block = (body.len() as u32).to_le_bytes().to_vec();
        block.extend(crc32fast::hash(&body).to_le_bytes());
        block.extend(body);
        block
    }

    fn from_body(body: &[u8]) -> Result<Game> {
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
            other => bail!("winner {other}"),
        };
        let opening = u16::from_le_bytes(fields.take()?);
        let plies = u16::from_le_bytes(fields.take()?);
        let opening = (0..opening)
            .map(|_| unpack(size, u16::from_le_bytes(fields.take()?)))
            .collect::<Result<_>>()?;
        let plies = (0..plies)
            .map(|_| {
                let played = u16::from_le_bytes(fields.take()?);
                let best = u16::from_le_bytes(fields.take()?);
                Ok(Ply {
                    played: unpack(size, played & !SAMPLED)?,
                    best: unpack(size, best)?,
                    score: i16::from_le_bytes(fields.take()?),
                    sampled: played & SAMPLED != 0,
                })
            })
            .collect::<Result<_>>()?;
        ensure!(fields.0.is_empty(), "{} bytes too many", fields.0.len());
        Ok(Game {
            seed,
            number,
            nodes,
            size,
            winner,
            opening,
            plies,
        })
    }
}

fn pack(point: Point) -> u16 {
    (point.x() + 32 * point.y()) as u16
}

fn unpack(size: BoardSize, packed: u16) -> Result<Point> {
    let (x, y) = (packed as usize % 32, packed as usize / 32);
    size.point(x, y)
        .with_context(|| format!("column {x}, row {y} is off the {size} board"))
}

/// The bytes of a block that have not been read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self
            .0
            .split_first_chunk()
            .context("the block is too short")?;
        self.0 = rest;
        Ok(*first)
    }
}

/// The header of a file with games of `rule`.
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
pub struct Reader<R> {
    input: R,
    rule: Rule,
    at: u64,
    record: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When `input` holds something else, or a version this program can't read.
    pub fn new(mut input: R) -> Result<Reader<R>> {
        let mut bytes = [0; HEADER];
        let read = fill(&mut input, &mut bytes)?;
        ensure!(
            read == HEADER && bytes[..8] == MAGIC,
            "not a file of games (no QXGAMES at its start)"
        );
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        ensure!(
            version == VERSION,
            "games of version {version}; this program reads version {VERSION}"
        );
        let rule = Rule::ALL.get(bytes[10] as usize).copied();
        let rule = rule.with_context(|| format!("no rule has number {}", bytes[10]))?;
        ensure!(bytes == header(rule), "the header's checksum is wrong");
        Ok(Reader {
            input,
            rule,
            at: HEADER as u64,
            record: 0,
        })
    }

    /// The rule of all games.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Where the next block begins: the length of what was read and is good.
    pub fn good_bytes(&self) -> u64 {
        self.at
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    /// When the file ends in the middle of a game, or the game is damaged.
    pub fn next_game(&mut self) -> Result<Option<Game>> {
        let (record, at) = (self.record + 1, self.at);
        self.read_block()
            .with_context(|| format!("game {record}, at byte {at}"))
    }

    fn read_block(&mut self) -> Result<Option<Game>> {
        let mut head = [0; 8];
        match fill(&mut self.input, &mut head)? {
            0 => return Ok(None),
            8 => {}
            _ => bail!("the file ends in the middle of it"),
        }
        let [a, b, c, d, e, f, g, h] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        ensure!(
            (FIXED..MAX_BLOCK).contains(&length),
            "a length of {length} bytes"
        );
        let mut body = vec![0; length];
        ensure!(
            fill(&mut self.input, &mut body)? == length,
            "the file ends in the middle of it"
        );
        ensure!(
            crc32fast::hash(&body) == u32::from_le_bytes([e, f, g, h]),
            "its checksum is wrong"
        );
        let game = Game::from_body(&body)?;
        self.at += 8 + length as u64;
        self.record += 1;
        Ok(Some(game))
    }
}

/// Reads until `bytes` is full or the input ends; returns how many came.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match input.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(read)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn game(number: u32) -> Game {
        let ply = |x, score, sampled| Ply {
            played: Point::new(x, 14),
            best: Point::new(0, x),
            score,
            sampled,
        };
        Game {
            seed: u64::MAX - 1,
            number,
            nodes: 1500,
            size: BoardSize::default(),
            winner: [Some(Color::Black), Some(Color::White), None][number as usize % 3],
            opening: vec![Point::new(7, 7), Point::new(8, 6)],
            plies: vec![ply(3, -29_990, false), ply(14, 12, true)],
        }
    }

    fn file(games: u32) -> Vec<u8> {
        let mut bytes = header(Rule::Renju).to_vec();
        (0..games).for_each(|number| bytes.extend(game(number).to_bytes()));
        bytes
    }

    /// All games up to the first error, and that.
    fn read(bytes: &[u8]) -> (Vec<Game>, Option<String>) {
        let mut games = Vec::new();
        let mut reader = match Reader::new(bytes) {
            Ok(reader) => reader,
            Err(error) => return (games, Some(format!("{error:#}"))),
        };
        loop {
            match reader.next_game() {
                Ok(Some(game)) => games.push(game),
                Ok(None) => return (games, None),
                Err(error) => return (games, Some(format!("{error:#}"))),
            }
        }
    }

    #[test]
    fn games_come_back_as_they_went() {
        let (games, error) = read(&file(3));
        assert_eq!(error, None);
        assert_eq!(games, (0..3).map(game).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_bad_record_is_named() {
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
    }

    #[test]
    fn no_single_bit_goes_unnoticed() {
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
