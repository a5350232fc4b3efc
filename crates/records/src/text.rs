//! Positions as text: a line `SIZE RULE MOVES`, or moves alone.
//!
//! A move is a letter and a number (`h8`, counted from the bottom left point `a1`), the
//! protocol's coordinates (`7,7`, column from the left and row from the top, both from
//! zero), or `--` or `pass`. Moves follow each other with blanks, one of `, ; _ - | /`
//! or nothing between them. They may be numbered, by moves or by pairs of moves, and
//! stand in brackets, all together or each on its own. Lines that begin with `#` are
//! comments.
//!
//! The reader refuses what could be another list of moves than the one it sees: numbers
//! that leave a move out, brackets around some of the moves, two separators in a row.

use super::place::{Place, lines, start};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, ParseRuleError, ParseSizeError, Point, PointSet, Rule};

/// The text is not a list of moves on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {problem} ({place})")]
pub struct MovesError {
    /// The number of the move, from one.
    pub number: usize,
    /// Where it stands.
    pub place: Place,
    /// What is wrong there.
    pub problem: MovesProblem,
}

/// What is wrong with a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovesProblem {
    /// There is neither a point nor a pass.
    #[error("expected a point such as h8 or 7,7, or -- for a pass, at '{}'", start(.0, 20))]
    Syntax(String),
    /// The point is off the board.
    #[error("{written} is off the {size} board")]
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

/// The text is not a board, a rule and moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line has fewer than two words.
    #[error("expected SIZE RULE POS, such as: 15 renju h8i9g10")]
    Missing,
    /// The board size is invalid.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// The rule is unknown.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// The moves are invalid.
    #[error(transparent)]
    Moves(#[from] MovesError),
}

/// Reads moves. [`Point::NONE`] is a pass.
///
/// # Errors
/// When the text is something else, or a move is off the board or on a stone.
pub fn moves(size: BoardSize, text: &str) -> Result<Vec<Point>, MovesError> {
    let written = Scanner::new(text).scan()?;
    let mut taken = PointSet::EMPTY;
    let mut points = Vec::with_capacity(written.len());
    for (index, &(place, at, end)) in written.iter().enumerate() {
        let wrong = |problem| MovesError {
            number: index + 1,
            place: Place::of(text, at),
            problem,
        };
        let point = match place {
            Written::Pass => Point::NONE,
            Written::Named(point) if size.has(point) => point,
            Written::FromTop(x, row) if size.point_from_top(x, row).is_some() => {
                size.point_from_top(x, row).unwrap_or(Point::NONE)
            }
            _ => {
                let written = text[at..end].to_owned();
                return Err(wrong(MovesProblem::OffBoard { written, size }));
            }
        };
        if point != Point::NONE {
            if taken.has(point) {
                return Err(wrong(MovesProblem::Taken(point)));
            }
            taken.insert(point);
        }
        points.push(point);
    }
    Ok(points)
}

/// Reads a position as the moves that lead to it from the empty board. Wins and
/// forbidden points are allowed, because the order of stones in a diagram means nothing.
///
/// # Errors
/// As [`moves`].
pub fn position(rule: Rule, size: BoardSize, text: &str) -> Result<Position, MovesError> {
    let mut position = Position::new(rule, size);
    for point in moves(size, text)? {
        match point {
            Point::NONE => position.pass(),
            point => position.play(point),
        }
    }
    Ok(position)
}

/// Reads a position from a line `SIZE RULE MOVES`.
///
/// # Errors
/// When the line has another form.
pub fn line(line: &str) -> Result<Position, LineError> {
    let line = line.trim_end_matches(is_blank);
    let words = line.trim_start_matches(is_blank);
    let (size, rest) = words.split_once(is_blank).ok_or(LineError::Missing)?;
    let rest = rest.trim_start_matches(is_blank);
    let (rule, moves) = rest.split_once(is_blank).unwrap_or((rest, ""));
    let (size, rule) = (size.parse()?, rule.parse()?);
    position(rule, size, moves).map_err(|error| {
        // The moves are the end of the line.
        let start = Place::of(line, line.len() - moves.len());
        let place = error.place.after(start);
        LineError::Moves(MovesError { place, ..error })
    })
}

/// Whether a text begins with a board and a rule, which no list of moves does.
pub fn is_line(text: &str) -> bool {
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    words
        .next()
        .is_some_and(|size| size.parse::<BoardSize>().is_ok())
        && words
            .next()
            .is_some_and(|rule| rule.parse::<Rule>().is_ok())
}

/// Whether moves go over several lines, more than one on a line, without numbers: they
/// may be one game or several.
pub(crate) fn may_be_several(text: &str) -> bool {
    let is_comment = |line: &str| line.trim_start_matches(is_blank).starts_with('#');
    let own = lines(text)
        .map(|(_, line)| line)
        .filter(|line| !is_comment(line));
    let counts = own.filter_map(|line| Scanner::new(line).scan().ok());
    let counts: Vec<usize> = counts.map(|moves| moves.len()).filter(|&n| n > 0).collect();
    counts.len() > 1 && counts.iter().any(|&count| count > 1) && !text.contains('.')
}

/// Blanks, and the mark that some editors put at the start of a text.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\0' | '\u{1a}')
}

/// The most moves of a text, passes included.
const MOST_MOVES: usize = 10_000;

/// A move as it is written; a point may be off the board.
#[derive(Clone, Copy)]
enum Written {
    Pass,
    Named(Point),
    FromTop(usize, usize),
}

/// What came last.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Start,
    Move,
    Separator,
    Number,
}

/// How moves are numbered.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Each has its own.
    Moves,
    /// A black move has the same as the white one after it.
    Pairs,
}

/// The moves of a text, each with the bytes where it begins and ends.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    found: Vec<(Written, usize, usize)>,
    last: Last,
    numbers: Option<Numbers>,
    /// The brackets that are open, with the number of moves before each.
    open: Vec<(char, usize)>,
    /// Whether only brackets that close may follow.
    ends: bool,
    /// The moves in brackets of their own.
    alone: usize,
    /// The moves behind numbers of their own.
    numbered: usize,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Scanner<'t> {
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
            place: Place::of(self.text, self.at),
            problem,
        })
    }

    fn unexpected<T>(&self) -> Result<T, MovesError> {
        self.wrong(MovesProblem::Syntax(self.rest().to_owned()))
    }

    fn scan(mut self) -> Result<Vec<(Written, usize, usize)>, MovesError> {
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

    /// Whether nothing but blanks stands before the next character on its line.
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, MovesError> {
        let read = position(Rule::Renju, BoardSize::default(), text);
        read.map(|position| position.move_text())
    }

    #[test]
    fn moves_may_be_written_in_every_usual_way() {
        for text in [
            "h8i9g10",
            "h8 i9 g10",
            "h8,i9,g10",
            "H8, I9 ,G10\n",
            "h8\ti9\r\ng10",
            "h8\ri9\rg10",
            "\u{feff}h8i9g10",
            "h8\u{feff}i9 g10\u{1a}",
            "h8_i9_g10",
            "h8;i9;g10",
            "h8-i9-g10",
            "h8 - i9 - g10",
            "h8|i9|g10",
            "1. h8 i9 2. g10",
            "1.h8 2.i9 3.g10",
            "1) h8 2) i9 3) g10",
            "1: h8 2: i9 3: g10",
            "1. h8 1... i9 2. g10",
            "(h8)(i9)(g10)",
            "[h8][i9][g10]",
            "[h8, i9, g10]",
            "[\"h8\", \"i9\", \"g10\"]",
            "[[7,7],[8,6],[6,5]]",
            "(7,7) (8,6) (6,5)",
            "# a comment\nh8i9\n  # another\ng10",
            "7,7 8,6 6,5",
            "7,7,8,6,6,5",
            "7, 7  8, 6, 6,5",
            "h8 8,6g10",
            "[\n [\n  7,\n  7\n ],\n [\n  8,\n  6\n ],\n [6,5]\n]",
        ] {
            assert_eq!(read(text).unwrap(), "h8i9g10", "{text}");
        }
        for text in [
            "h8, --, g10",
            "h8passg10",
            "h8 PASS g10",
            "h8-pass-g10",
            "h8--g10",
        ] {
            assert_eq!(read(text).unwrap(), "h8--g10", "{text}");
        }
        assert_eq!(read("a1----b2").unwrap(), "a1----b2");
        assert_eq!(read("").unwrap(), "");
    }

    #[test]
    fn what_may_be_other_moves_is_refused() {
        for text in [
            "h",
            "8",
            "h8-",
            "h8 x",
            "é3",
            "h8,",
            ",h8",
            "h8,,i9",
            "7,",
            "7,7,",
            "7;7",
            "7, ",
            "-1,2",
            "h8 7 7",
            "7,-7",
            "0,0 -1,2",
            "h8---g10",
            "h8;;i9",
            "h8 – i9",
            "h8 # one",
            "7.7",
            "8,8,0\n9,9,0",
            "7,7,1,\n8,6,2",
            "0,7,7,\r1,8,6,\r2,6,5,\r3,5,5",
            "[7,7,1,\n8,6,2]",
            "h8_",
            "1.",
            "h8 2.",
            "(h8",
            "h8)",
            "()",
            "(h8]",
            "1 h8 2 i9",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in [
            "1. h8 i9 3. g10",
            "1. h8 i9 2. g10 j9 5. k9",
            "2. h8",
            "1. h8 3. i9",
        ] {
            let problem = read(text).unwrap_err().problem;
            assert!(matches!(problem, MovesProblem::Number(_)), "{text}");
        }
        for text in [
            "h8 (i9) g10",
            "h8 (i9 g10) j9",
            "(h8 i9) g10",
            "h8 i9 (g10 j9)",
        ] {
            let problem = read(text).unwrap_err().problem;
            assert_eq!(problem, MovesProblem::Brackets, "{text}");
        }
        let error = read("h8\ni9 h8").unwrap_err().to_string();
        assert_eq!(error, "move 3: h8 is taken (line 2, column 4)");
        let error = read("h8p1").unwrap_err().to_string();
        assert_eq!(error, "move 2: p1 is off the 15 board (line 1, column 3)");
        let error = read("h8 99999999999999999999,0").unwrap_err();
        assert!(matches!(error.problem, MovesProblem::OffBoard { .. }));
    }

    #[test]
    fn lines_name_board_and_rule() {
        let read = line("\u{feff}15 renju h8_i9--g10").unwrap();
        assert_eq!(
            (read.rule(), read.move_text()),
            (Rule::Renju, "h8i9--g10".to_owned())
        );
        assert_eq!(line(" 20x15\tcaro ").unwrap().ply(), 0);
        assert!(is_line("15 renju") && !is_line("h8 i9") && !is_line("15 h8"));
        for (text, reason) in [
            ("", "expected SIZE RULE POS"),
            ("15", "expected SIZE RULE POS"),
            ("h8 renju i9", "not a board size"),
            ("15 chess h8", "unknown rule"),
            ("15 renju h8h8", "is taken"),
            ("9 renju o15", "off the 9 board"),
        ] {
            let error = line(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn several_lines_may_be_several_games() {
        assert!(may_be_several("h8i9\nj10j11"));
        for text in ["h8i9", "h8\ni9", "1. h8 i9\n2. g10 j10", "# one\nh8i9\n"] {
            assert!(!may_be_several(text), "{text}");
        }
    }

    proptest! {
        /// The engine's own reader and this one agree where both read a text.
        #[test]
        fn both_readers_agree(text in "([a-p]1?[0-9]|[0-9]{1,2},[0-9]|[ ,\\-;_.1()]){0,9}") {
            let size = BoardSize::default();
            let strict = Position::from_moves(Rule::Freestyle, size, &text);
            let lenient = position(Rule::Freestyle, size, &text);
            if let Ok(strict) = strict {
                prop_assert_eq!(lenient.unwrap().move_text(), strict.move_text());
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = read(&text);
        }
    }
}
