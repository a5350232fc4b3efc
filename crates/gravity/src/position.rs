//! A game as people see it: stones in columns, the moves so far, who has won.

use super::Size;
use super::board::Board;
use super::stones::Stones;
use std::fmt;
use std::str::FromStr;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player who begins.
    First,
    /// The player who answers.
    Second,
}

impl Player {
    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// A position with the moves that led to it.
///
/// Columns are counted from the left and rows from the bottom, both from 0.
///
/// ```
/// use quincunx_gravity::{Player, Position, Size};
///
/// let mut position = Position::from_moves(Size::default(), "121212")?;
/// assert_eq!(position.to_move(), Player::First);
/// assert_eq!(position.play(0), Ok(3));
/// assert_eq!(position.winner(), Some(Player::First));
/// assert_eq!(position.winning_line(), [(0, 0), (0, 1), (0, 2), (0, 3)]);
/// assert_eq!(position.undo(), Some(0));
/// # Ok::<(), quincunx_gravity::MovesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    stones: Stones,
    /// The columns played.
    moves: Vec<u8>,
}

impl Position {
    /// An empty board.
    pub fn new(size: Size) -> Position {
        Position {
            board: Board::new(size),
            stones: Stones::default(),
            moves: Vec::with_capacity(size.points()),
        }
    }

    /// The position after some moves: one character a column, `1` to `9` and
    /// then `a` to `g`. The empty board is an empty text or `-`.
    ///
    /// # Errors
    /// A character that is no column, or a move that cannot be played.
    pub fn from_moves(size: Size, text: &str) -> Result<Position, MovesError> {
        let mut position = Position::new(size);
        if text == "-" {
            return Ok(position);
        }
        for (index, digit) in text.chars().enumerate() {
            let error = |problem| MovesError {
                number: index + 1,
                digit,
                problem,
            };
            let column = column_of_digit(digit).ok_or(error(PlayError::NoColumn))?;
            position.play(column).map_err(error)?;
        }
        Ok(position)
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The columns played so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.moves.iter().map(|&column| column.into())
    }

    /// The moves as text, `-` for none.
    pub fn moves_text(&self) -> String {
        match self.moves.len() {
            0 => "-".to_owned(),
            _ => self.moves().map(column_digit).collect(),
        }
    }

    /// The player to move, also where the game is over.
    pub fn to_move(&self) -> Player {
        match self.moves.len() % 2 {
            0 => Player::First,
            _ => Player::Second,
        }
    }

    /// The player whose stone is on a point.
    pub fn stone(&self, column: usize, row: usize) -> Option<Player> {
        let point = self.board.point(column, row);
        if self.stones.own & point != 0 {
            Some(self.to_move())
        } else if self.stones.opponent() & point != 0 {
            Some(self.to_move().opponent())
        } else {
            None
        }
    }

    /// The number of stones in a column: the row where the next one comes to
    /// rest.
    pub fn height(&self, column: usize) -> usize {
        (self.stones.occupied & self.board.column(column)).count_ones() as usize
    }

    /// The columns that can be played, from the left; none where the game is
    /// over.
    pub fn playable_columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.size().columns()).filter(|&column| self.check(column).is_ok())
    }

    /// Checks that a stone may be dropped into a column.
    fn check(&self, column: usize) -> Result<(), PlayError> {
        if column >= self.size().columns() {
            Err(PlayError::NoColumn)
        } else if self.is_over() {
            Err(PlayError::Over)
        } else if self.height(column) == self.size().rows() {
            Err(PlayError::Full)
        } else {
            Ok(())
        }
    }

    /// Drops a stone into a column; the answer is its row.
    ///
    /// # Errors
    /// There is no such column, it is full, or the game is over.
    pub fn play(&mut self, column: usize) -> Result<usize, PlayError> {
        self.check(column)?;
        let row = self.height(column);
        self.stones = self.stones.play(self.board.point(column, row));
        self.moves.push(column as u8);
        Ok(row)
    }

    /// Takes back the last move; the answer is its column.
    pub fn undo(&mut self) -> Option<usize> {
        let column = self.moves.pop()?.into();
        let point = self.board.point(column, self.height(column) - 1);
        self.stones = Stones {
            own: self.stones.opponent() ^ point,
            occupied: self.stones.occupied ^ point,
        };
        Some(column)
    }

    /// The player with four in a row. Only the last move can have won.
    pub fn winner(&self) -> Option<Player> {
        let fours = self.board.fours(self.stones.opponent());
        (fours != 0).then(|| self.to_move().opponent())
    }

    /// The points of all lines of four or more as column and row, column by
    /// column; empty if neither side has won.
    pub fn winning_line(&self) -> Vec<(usize, usize)> {
        let mut fours = self.board.fours(self.stones.opponent());
        let rows = self.size().rows();
        let mut points = Vec::new();
        while fours != 0 {
            let index = fours.trailing_zeros() as usize;
            points.push((index / rows, index % rows));
            fours &= fours - 1;
        }
        points
    }

    /// Returns true if a side has won or the board is full.
    pub fn is_over(&self) -> bool {
        self.moves.len() == self.size().points() || self.winner().is_some()
    }

    /// The same game seen from behind the board.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let last = self.size().columns() as u8 - 1;
        Position {
            stones: self.stones.mirror(&self.board),
            moves: self.moves.iter().map(|column| last - column).collect(),
            ..*self
        }
    }

    /// Returns a number for the position. Its mirror image has the same number, no other
    /// position of the board has it, and the order of moves does not matter.
    pub fn key(&self) -> u128 {
        let key = self.stones.symmetric_key(&self.board);
        u128::from(key.full) << 64 | u128::from(key.columns)
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn stones(&self) -> Stones {
        self.stones
    }
}

/// The character of a column: `1` to `9`, then `a` to `g`.
pub fn column_digit(column: usize) -> char {
    char::from_digit(column as u32 + 1, 17).unwrap_or('?')
}

/// The column of a character, if it is one.
pub fn column_of_digit(digit: char) -> Option<usize> {
    let number = digit.to_digit(17)?;
    (number as usize).checked_sub(1)
}

/// The rows from the top; `x` for the first player and `o` for the second.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size().rows()).rev() {
            for column in 0..self.size().columns() {
                let stone = match self.stone(column, row) {
                    Some(Player::First) => 'x',
                    Some(Player::Second) => 'o',
                    None => '.',
                };
                write!(f, "{stone}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The moves on a board of the default size.
impl FromStr for Position {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Position, MovesError> {
        Position::from_moves(Size::default(), text)
    }
}

/// Why a stone cannot be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The board has no such column.
    NoColumn,
    /// The column is full.
    Full,
    /// The game is over.
    Over,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlayError::NoColumn => "there is no such column",
            PlayError::Full => "the column is full",
            PlayError::Over => "the game is over",
        })
    }
}

impl std::error::Error for PlayError {}

/// A list of moves that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesError {
    number: usize,
    digit: char,
    problem: PlayError,
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MovesError {
            number,
            digit,
            problem,
        } = self;
        write!(f, "move {number}, '{digit}': {problem}")
    }
}

impl std::error::Error for MovesError {}
