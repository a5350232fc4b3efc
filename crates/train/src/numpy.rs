//! Self-play games as a NumPy array, for training networks of your own.
//!
//! The array is structured: a record for each searched position, in the order of the games.
//! All numbers are little endian, and there are no gaps between them.
//!
//! | field | type | |
//! |---|---|---|
//! | `game` | `<u4` | the number of the game in its file, from zero |
//! | `position` | `<u4` | the number of the searched position in its file, from zero, as in files of labels |
//! | `ply` | `<u2` | the number of stones on the board |
//! | `best` | `<u2` | the move that the search chose: column + width * row |
//! | `played` | `<u2` | the move that was played |
//! | `score` | `<i2` | the score of the search for the side to move, 200 units a logit |
//! | `side` | `u1` | the side to move: 0 black, 1 white |
//! | `result` | `i1` | the result for the side to move: 1 a win, 0 a draw, -1 a loss |
//! | `sampled` | `?` | whether the move played was sampled for exploration |
//! | `validation` | `?` | whether fits keep the game from training, for validation |
//! | `board` | `i1`, height x width | 1 a stone of the side to move, -1 of the opponent |
//!
//! The first row of a board is the lowest. Proven wins and losses have scores beyond +-20,000.
//! Positions of search trees are left out, and so are games with impossible scores, which fits
//! leave out too.

use super::dataset::is_validation;
use super::record::{GameReader, RecordError, SelfplayGame};
use super::sampler::OccupiedError;
use quincunx_engine::rules::{BoardSize, Color, Point};
use std::io::{self, Read, Write};

/// The fields of a record before its board: name and type.
pub const FIELDS: [(&str, &str); 10] = [
    ("game", "<u4"),
    ("position", "<u4"),
    ("ply", "<u2"),
    ("best", "<u2"),
    ("played", "<u2"),
    ("score", "<i2"),
    ("side", "|u1"),
    ("result", "|i1"),
    ("sampled", "|b1"),
    ("validation", "|b1"),
];

/// The name and the type of the board, the last field of a record.
pub const BOARD: (&str, &str) = ("board", "|i1");

/// The length of the fields before the board in bytes.
const FIXED: usize = 20;

/// The first bytes of NumPy files, with the version of the format.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// The records of a file begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// Why a file of games has no samples.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The file of games can't be read.
    #[error(transparent)]
    Games(#[from] RecordError),
    /// The file ends after its header.
    #[error("there is no game in it")]
    Empty,
    /// The boards have several sizes, but an array has one.
    #[error(
        "game {number} is on the {found} board, the first on the {first} board; an array has one size"
    )]
    Size {
        /// The number of the game in the file, from one.
        number: u32,
        /// The size of its board.
        found: BoardSize,
        /// The size of the board of the first game.
        first: BoardSize,
    },
    /// A move of a game is on a stone.
    #[error("game {number}")]
    Occupied {
        /// The number of the game in the file, from one.
        number: u32,
        /// The move.
        source: OccupiedError,
    },
    /// The array can't be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Reads the records of games one game after another.
pub struct SampleReader<R> {
    games: GameReader<R>,
    /// The first game, until it is read.
    first: Option<SelfplayGame>,
    size: BoardSize,
    /// Whether games on other boards are skipped.
    is_picked: bool,
    /// The number of games so far.
    read: u32,
    /// The number of searched positions of the games before the last one.
    before: u32,
    /// The number of searched positions so far.
    positions: u32,
}

impl<R: Read> SampleReader<R> {
    /// Reads the header of a file of games. Games on boards of another size than `size` are
    /// skipped. Without a size all games must have the same board.
    ///
    /// # Errors
    /// Returns an error if `input` is no file of games, and without a size if it has no game.
    pub fn new(input: R, size: Option<BoardSize>) -> Result<SampleReader<R>, SampleError> {
        let mut games = GameReader::new(input)?;
        let first = games.next_game()?;
        let own = first.as_ref().map(|game| game.size);
        Ok(SampleReader {
            games,
            first,
            size: size.or(own).ok_or(SampleError::Empty)?,
            is_picked: size.is_some(),
            read: 0,
            before: 0,
            positions: 0,
        })
    }

    /// The size of the boards.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The length of a record in bytes.
    pub fn record_bytes(&self) -> usize {
        FIXED + self.size.points()
    }

    /// Appends the records of the next game. Returns false at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, a game is on another board, or a move of it hits
    /// a stone.
    pub fn next_game(&mut self, records: &mut Vec<u8>) -> Result<bool, SampleError> {
        let Some(game) = self.next_usable()? else {
            return Ok(false);
        };
        let written = write_game(&game, [self.read - 1, self.before], records);
        written.map_err(|source| SampleError::Occupied {
            number: self.read,
            source,
        })?;
        Ok(true)
    }

    /// The number of records in the rest of the file.
    ///
    /// # Errors
    /// Returns an error if the file is damaged or a game is on another board.
    pub fn count(mut self) -> Result<usize, SampleError> {
        let mut count = 0;
        while let Some(game) = self.next_usable()? {
            count += game.plies.len();
        }
        Ok(count)
    }

    fn next_usable(&mut self) -> Result<Option<SelfplayGame>, SampleError> {
        loop {
            let next = match self.first.take() {
                Some(first) => Some(first),
                None => self.games.next_game()?,
            };
            let Some(game) = next else {
                return Ok(None);
            };
            self.read += 1;
            self.before = self.positions;
            self.positions += game.plies.len() as u32;
            if game.size != self.size && !self.is_picked {
                return Err(SampleError::Size {
                    number: self.read,
                    found: game.size,
                    first: self.size,
                });
            }
            if game.size == self.size && game.is_credible() {
                return Ok(Some(game));
            }
        }
    }
}

/// Writes the samples of `games`, the contents of a file of games, as a NumPy file (`.npy`), as
/// [`SampleReader`] reads them. Returns the number of samples.
///
/// # Errors
/// Returns an error if the games can't be read or `output` can't be written.
pub fn write_npy(
    games: &[u8],
    size: Option<BoardSize>,
    output: &mut dyn Write,
) -> Result<usize, SampleError> {
    let count = SampleReader::new(games, size)?.count()?;
    let mut reader = SampleReader::new(games, size)?;
    output.write_all(&heading(reader.size(), count))?;
    let mut records = Vec::new();
    while reader.next_game(&mut records)? {
        output.write_all(&records)?;
        records.clear();
    }
    Ok(count)
}

/// The header of a NumPy file: the types and the number of the records.
fn heading(size: BoardSize, count: usize) -> Vec<u8> {
    let fields: String = FIELDS
        .iter()
        .map(|(name, kind)| format!("('{name}', '{kind}'), "))
        .collect();
    let (name, kind) = BOARD;
    let (width, height) = (size.width(), size.height());
    let mut text = format!(
        "{{'descr': [{fields}('{name}', '{kind}', ({height}, {width}))], \
         'fortran_order': False, 'shape': ({count},), }}"
    );
    // The length of the text and a line end are part of the heading.
    let bytes = MAGIC.len() + 2 + text.len() + 1;
    text.extend(std::iter::repeat_n(
        ' ',
        bytes.next_multiple_of(ALIGNMENT) - bytes,
    ));
    text.push('\n');
    let length = text.len() as u16;
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Appends the records of a game. Its number in the file and that of its first searched position
/// come first.
fn write_game(
    game: &SelfplayGame,
    [number, first]: [u32; 2],
    records: &mut Vec<u8>,
) -> Result<(), OccupiedError> {
    let index = |point: Point| point.x() + game.size.width() * point.y();
    // Black's stones are 1, white's -1.
    let mut board = vec![0i8; game.size.points()];
    let mut stones = 0;
    let play = |board: &mut Vec<i8>, stones: &mut usize, point: Point| {
        let place = &mut board[index(point)];
        if *place != 0 {
            let number = *stones + 1;
            return Err(OccupiedError { number, point });
        }
        *place = sign(Color::ALL[*stones % 2]);
        *stones += 1;
        Ok(())
    };
    for &point in &game.opening {
        play(&mut board, &mut stones, point)?;
    }
    let is_validation = is_validation(game);
    for (ply, position) in game.plies.iter().zip(first..) {
        let side = Color::ALL[stones % 2];
        let own = sign(side);
        records.extend(number.to_le_bytes());
        records.extend(position.to_le_bytes());
        for field in [stones, index(ply.best), index(ply.played)] {
            records.extend((field as u16).to_le_bytes());
        }
        records.extend(ply.score.to_le_bytes());
        records.push(side as u8);
        records.extend((game.winner.map_or(0, sign) * own).to_le_bytes());
        records.push(ply.sampled.into());
        records.push(is_validation.into());
        records.extend(board.iter().map(|&stone| (stone * own) as u8));
        play(&mut board, &mut stones, ply.played)?;
    }
    Ok(())
}

/// 1 for black, -1 for white.
fn sign(color: Color) -> i8 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::{SearchedPly, header, random_game};
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::Rule;

    fn file(games: &[SelfplayGame]) -> Vec<u8> {
        let mut bytes = header(Rule::Freestyle).to_vec();
        games.iter().for_each(|game| bytes.extend(game.to_bytes()));
        bytes
    }

    fn records(bytes: &[u8], size: Option<BoardSize>) -> Result<Vec<u8>, SampleError> {
        let mut reader = SampleReader::new(bytes, size)?;
        let mut records = Vec::new();
        while reader.next_game(&mut records)? {}
        assert_eq!(
            records.len(),
            reader.record_bytes() * SampleReader::new(bytes, size)?.count()?
        );
        Ok(records)
    }

    /// Every field is what replaying the game on a position says.
    #[test]
    fn records_match_their_positions() {
        let mut random = fastrand::Rng::with_seed(5);
        let size = BoardSize::new(7, 9).unwrap();
        let mut games: Vec<_> = (0..4)
            .map(|number| random_game(number, size, 30, &mut random))
            .collect();
        for game in &mut games {
            game.opening = game.plies.drain(..3).map(|ply| ply.played).collect();
            game.plies[2].sampled = true;
        }
        games[2].plies[0].score = i16::MAX;
        let records = records(&file(&games), None).unwrap();
        let mut records = records.chunks_exact(FIXED + size.points());
        let mut at = 0..;
        for (number, game) in games.iter().enumerate() {
            if number == 2 {
                at.nth(game.plies.len() - 1);
                continue;
            }
            let mut position = Position::new(Rule::Freestyle, size);
            game.opening.iter().for_each(|&point| position.play(point));
            for ply in &game.plies {
                let (fields, board) = records.next().unwrap().split_at(FIXED);
                let side = position.side();
                let two = |at: usize| u16::from_le_bytes([fields[at], fields[at + 1]]);
                let four = |at: usize| u32::from(two(at)) | u32::from(two(at + 2)) << 16;
                assert_eq!(fields[..4], (number as u32).to_le_bytes());
                assert_eq!(Some(four(4)), at.next());
                assert_eq!(usize::from(two(8)), position.ply());
                let point = |at| Point::new(usize::from(two(at)) % 7, usize::from(two(at)) / 7);
                assert_eq!((point(10), point(12)), (ply.best, ply.played));
                assert_eq!(two(14) as i16, ply.score);
                assert_eq!(fields[16], side as u8);
                let result = match game.winner {
                    Some(winner) if winner == side => 1,
                    Some(_) => -1,
                    None => 0,
                };
                assert_eq!(fields[17] as i8, result);
                assert_eq!(fields[18] != 0, ply.sampled);
                assert_eq!(fields[19] != 0, is_validation(game));
                for (point, &stone) in size.iter().zip(board) {
                    let expected = match position.stone(point) {
                        Some(color) if color == side => 1,
                        Some(_) => -1,
                        None => 0,
                    };
                    assert_eq!(stone as i8, expected, "{point}");
                }
                position.play(ply.played);
            }
        }
        assert!(records.next().is_none());
    }

    #[test]
    fn boards_of_several_sizes_are_distinguished() {
        let mut random = fastrand::Rng::with_seed(6);
        let [small, large] = [7, 9].map(|side| BoardSize::square(side).unwrap());
        let mut game = |number, size| random_game(number, size, 10, &mut random);
        let bytes = file(&[game(0, small), game(1, large), game(2, small)]);
        let error = records(&bytes, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "game 2 is on the 9 board, the first on the 7 board; an array has one size"
        );
        let picked = records(&bytes, Some(small)).unwrap();
        let numbers = picked.chunks_exact(FIXED + small.points());
        let numbers: Vec<u8> = numbers.map(|record| record[0]).collect();
        assert_eq!(numbers, [[0; 10], [2; 10]].concat());
        let none = records(&bytes, Some(BoardSize::square(8).unwrap())).unwrap();
        assert!(none.is_empty());
        assert!(matches!(records(&file(&[]), None), Err(SampleError::Empty)));
    }

    #[test]
    fn a_move_on_a_stone_is_refused() {
        let mut random = fastrand::Rng::with_seed(7);
        let size = BoardSize::square(7).unwrap();
        let mut game = random_game(0, size, 5, &mut random);
        game.plies[3] = SearchedPly {
            played: game.plies[1].played,
            ..game.plies[3]
        };
        let error = records_error(&file(&[game.clone()]));
        assert!(error.contains("move 4"), "{error}");
    }

    fn records_error(bytes: &[u8]) -> String {
        let error = records(bytes, None).unwrap_err();
        let source = std::error::Error::source(&error).unwrap();
        format!("{error}: {source}")
    }

    #[test]
    fn the_heading_is_as_numpy_wants_it() {
        let heading = heading(BoardSize::new(15, 20).unwrap(), 7);
        assert!(heading.starts_with(MAGIC));
        assert_eq!(heading.len() % ALIGNMENT, 0);
        let length = u16::from_le_bytes([heading[8], heading[9]]);
        assert_eq!(heading.len(), 10 + usize::from(length));
        let text = std::str::from_utf8(&heading[10..]).unwrap();
        assert!(
            text.starts_with("{'descr': [('game', '<u4'), ('position', '<u4'), ('ply', '<u2'), ")
        );
        let end = "('board', '|i1', (20, 15))], 'fortran_order': False, 'shape': (7,), }";
        assert!(text.trim_end().ends_with(end), "{text}");
        assert!(text.ends_with('\n'));
    }
}
