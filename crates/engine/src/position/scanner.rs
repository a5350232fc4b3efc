//! The words of a list of moves, however it is written: points, passes, numbers, separators and
//! brackets. [`notation`](super::notation) says what is read and what is refused.

use crate::rules::{BoardSize, Point};
use crate::text::{TextPosition, excerpt, is_blank};

/// The maximum number of moves of a list.
pub const MOST_MOVES: usize = 10_000;

/// The text is not a list of moves on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {problem} ({position})")]
pub struct MovesError {
    /// The number of the move, from one.
    pub number: usize,
    /// The position of the move in the text.
    pub position: TextPosition,
    /// The problem.
    pub problem: MovesProblem,
}

/// The problem of a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovesProblem {
    /// Neither a point nor a pass.
    #[error("expected a point such as h8 or 7,7, or -- for a pass, at '{}'", excerpt(.0, 20))]
    Syntax(String),
    /// The point is off the board.
    #[error("{} is off the {size} board", excerpt(.written, 20))]
    OffBoard {
        /// The point as it is written.
        written: String,
        /// The board.
        size: BoardSize,
    },
    /// The point has a stone.
    #[error("{0} is taken")]
    Taken(Point),
    /// The moves are numbered, and one is missing.
    #[error("it has the number {0}")]
    Number(usize),
    /// Some of the moves stand in brackets, as variations do.
    #[error("brackets around some of the moves")]
    Brackets,
    /// No game has so many.
    #[error("there are more than {MOST_MOVES} moves")]
    TooMany,
}

/// A move as it is written; a point may be off the board.
#[derive(Clone, Copy)]
pub(super) enum Written {
    Pass,
    Named(Point),
    FromTop(usize, usize),
}

/// The last word.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Start,
    Move,
    Separator,
    Number,
}

/// The numbering of moves.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Each has its own.
    Moves,
    /// A black move has the same as the white one after it.
    Pairs,
}

/// The moves of a text, each with the bytes where it begins and ends.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    found: Vec<(Written, usize, usize)>,
    last: Last,
    numbers: Option<Numbers>,
    /// The brackets that are open, with the number of moves before each.
    open: Vec<(char, usize)>,
    /// True if only brackets that close may follow.
    ends: bool,
    /// The moves in brackets of their own.
    alone: usize,
    /// The moves behind numbers of their own.
    numbered: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner {
            text,
            at: 0,
            found: Vec::new(),
            last: Last::Start,
            numbers: None,
            open: Vec::new(),
            ends: false,
            alone: 0,
            numbered: 0,
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn wrong<T>(&self, problem: MovesProblem) -> Result<T, MovesError> {
        Err(MovesError {
            number: self.found.len() + 1,
            position: TextPosition::of(self.text, self.at),
            problem,
        })
    }

    fn unexpected<T>(&self) -> Result<T, MovesError> {
        self.wrong(MovesProblem::Syntax(self.rest().to_owned()))
    }

    pub(super) fn scan(mut self) -> Result<Vec<(Written, usize, usize)>, MovesError> {
        loop {
            self.skip_blanks();
            let Some(next) = self.rest().chars().next() else {
                break;
            };
            match next {
                '-' => self.dashes()?,
                ',' | ';' | '_' | '|' | '/' => self.separator(next)?,
                '(' | '[' | '{' | '<' => {
                    self.open.push((next, self.found.len()));
                    self.at += 1;
                }
                ')' | ']' | '}' | '>' => self.close(next)?,
                '0'..='9' => self.digits()?,
                _ => self.letters()?,
            }
            if self.found.len() > MOST_MOVES {
                return self.wrong(MovesProblem::TooMany);
            }
        }
        let is_complete = matches!(self.last, Last::Start | Last::Move) && self.open.is_empty();
        if !is_complete {
            return self.unexpected();
        }
        if self.alone != 0 && self.alone != self.found.len() {
            return self.wrong(MovesProblem::Brackets);
        }
        Ok(self.found)
    }

    /// Skips blanks, quotation marks, and lines that begin with `#`.
    fn skip_blanks(&mut self) {
        let is_skipped = |c: char| is_blank(c) || matches!(c, '"' | '\'');
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(is_skipped).len();
            if !self.rest().starts_with('#') || !self.begins_a_line() {
                return;
            }
            let end = self.rest().find(['\n', '\r']);
            self.at += end.unwrap_or(self.rest().len());
        }
    }

    /// Returns whether nothing but blanks stands before the next character on its line.
    fn begins_a_line(&self) -> bool {
        let before = self.text[..self.at].chars().rev();
        let mut line = before.take_while(|c| !matches!(c, '\n' | '\r'));
        line.all(is_blank)
    }

    fn found(&mut self, written: Written, length: usize) {
        self.found.push((written, self.at, self.at + length));
        self.at += length;
        self.numbered += usize::from(self.last == Last::Number);
        self.last = Last::Move;
    }

    /// One dash is a separator, two are a pass.
    fn dashes(&mut self) -> Result<(), MovesError> {
        let rest = self.rest();
        let count = rest.len() - rest.trim_start_matches('-').len();
        if count == 1 {
            // A minus belongs to an offset from the middle, which is no point.
            let is_minus = rest[1..].starts_with(|c: char| c.is_ascii_digit());
            return if is_minus {
                self.unexpected()
            } else {
                self.separator('-')
            };
        }
        if count % 2 == 1 {
            return self.unexpected();
        }
        if count / 2 > MOST_MOVES {
            return self.wrong(MovesProblem::TooMany);
        }
        for _ in 0..count / 2 {
            self.found(Written::Pass, 2);
        }
        Ok(())
    }

    fn separator(&mut self, separator: char) -> Result<(), MovesError> {
        if self.last != Last::Move {
            return self.unexpected();
        }
        self.at += separator.len_utf8();
        self.last = Last::Separator;
        Ok(())
    }

    fn close(&mut self, bracket: char) -> Result<(), MovesError> {
        let opening = match bracket {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => '<',
        };
        let Some((opened, before)) = self.open.pop() else {
            return self.unexpected();
        };
        let inside = self.found.len() - before;
        if opened != opening || self.last != Last::Move || inside == 0 {
            return self.unexpected();
        }
        self.at += 1;
        if inside == 1 {
            self.alone += 1;
            return Ok(());
        }
        // Around all moves: none before, and none may follow.
        self.skip_blanks();
        let only_closes = |c: char| is_blank(c) || matches!(c, ')' | ']' | '}' | '>');
        self.ends = self.ends || self.rest().chars().all(only_closes);
        if before != 0 || !self.ends {
            return self.wrong(MovesProblem::Brackets);
        }
        Ok(())
    }

    /// Coordinates such as `7,7`, or a number such as `12.` before a move.
    fn digits(&mut self) -> Result<(), MovesError> {
        let rest = self.rest();
        let column = digits(rest);
        let number = |text: &str| text.parse().unwrap_or(usize::MAX);
        if let Some(after) = rest[column..].strip_prefix(',') {
            let row = after.trim_start_matches(is_blank);
            let length = digits(row);
            // Over the end of a line two numbers are one point only in brackets of their own:
            // lines may hold more than points, and end with a comma.
            let is_alone = self
                .open
                .last()
                .is_some_and(|open| open.1 == self.found.len());
            let gap = &after[..after.len() - row.len()];
            if length == 0 || (gap.contains(['\n', '\r']) && !is_alone) {
                return self.unexpected();
            }
            let written = Written::FromTop(number(&rest[..column]), number(&row[..length]));
            self.found(written, rest.len() - row.len() + length);
            return Ok(());
        }
        let after = &rest[column..];
        let dots = after.len() - after.trim_start_matches('.').len();
        let length = match dots {
            0 if after.starts_with([')', ':']) => 1,
            0 => return self.unexpected(),
            dots => dots,
        };
        if !matches!(self.last, Last::Start | Last::Move) {
            return self.unexpected();
        }
        let number = number(&rest[..column]);
        let played = self.found.len();
        let by_moves = number == played + 1 && self.numbered == played;
        let by_pairs = number == played / 2 + 1 && (played.is_multiple_of(2) || dots > 1);
        match self.numbers {
            Some(Numbers::Moves) if by_moves => {}
            Some(Numbers::Pairs) if by_pairs => {}
            // The first number is the same in both ways.
            None if by_moves && by_pairs => {}
            None if by_moves => self.numbers = Some(Numbers::Moves),
            None if by_pairs => self.numbers = Some(Numbers::Pairs),
            _ => return self.wrong(MovesProblem::Number(number)),
        }
        self.at += column + length;
        self.last = Last::Number;
        Ok(())
    }

    fn letters(&mut self) -> Result<(), MovesError> {
        let rest = self.rest();
        if rest
            .get(..4)
            .is_some_and(|word| word.eq_ignore_ascii_case("pass"))
        {
            self.found(Written::Pass, 4);
            return Ok(());
        }
        let letter = rest.chars().next().map_or(0, char::len_utf8);
        let length = letter + digits(&rest[letter..]);
        match rest[..length].parse() {
            Ok(point) => self.found(Written::Named(point), length),
            Err(_) => return self.unexpected(),
        }
        Ok(())
    }
}

/// The number of digits at the start of a text.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The number of moves of a list, whatever its board.
///
/// # Errors
/// When the text is something else.
pub fn count_moves(text: &str) -> Result<usize, MovesError> {
    Ok(Scanner::new(text).scan()?.len())
}
