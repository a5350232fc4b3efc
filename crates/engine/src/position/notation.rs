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

use super::board::Position;
pub use super::scanner::{MOST_MOVES, MovesError, MovesProblem, count_moves};
use super::scanner::{Scanner, Written};
use crate::rules::{BoardSize, Color, ParseRuleError, ParseSizeError, Point, PointSet, Rule};
use crate::text::{TextPosition, excerpt, is_blank};

/// The text is not a board, a rule and moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLineError {
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

/// Reads a list of moves. [`Point::NONE`] is a pass.
///
/// # Errors
/// When the text is something else, or a move is off the board or on a stone.
pub fn parse_moves(size: BoardSize, text: &str) -> Result<Vec<Point>, MovesError> {
    let written = Scanner::new(text).scan()?;
    let mut taken = PointSet::EMPTY;
    let mut points = Vec::with_capacity(written.len());
    for (index, &(place, at, end)) in written.iter().enumerate() {
        let wrong = |problem| MovesError {
            number: index + 1,
            position: TextPosition::of(text, at),
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

impl Position {
    /// Reads a position from a line `SIZE RULE MOVES`. The number of moves decides which
    /// side is to move.
    ///
    /// # Errors
    /// When the line has another form.
    pub fn from_line(line: &str) -> Result<Position, ParseLineError> {
        let line = line.trim_end_matches(is_blank);
        let words = line.trim_start_matches(is_blank);
        let (size, rest) = words.split_once(is_blank).ok_or(ParseLineError::Missing)?;
        let rest = rest.trim_start_matches(is_blank);
        let (rule, moves) = rest.split_once(is_blank).unwrap_or((rest, ""));
        // An error has no more of them than a message shows.
        let (size, rule) = (excerpt(size, 60).parse()?, excerpt(rule, 60).parse()?);
        Position::from_moves(rule, size, moves).map_err(|error| {
            // The moves are the end of the line.
            let start = TextPosition::of(line, line.len() - moves.len());
            let position = error.position.after(start);
            ParseLineError::Moves(MovesError { position, ..error })
        })
    }

    /// The line `SIZE RULE MOVES` that [`Position::from_line`] reads. Where the moves do not
    /// decide which side is to move, a pass behind them does.
    pub fn to_line(&self) -> String {
        let mut line = format!("{} {}", self.size(), self.rule());
        let moves = self.move_text();
        if !moves.is_empty() {
            line.push(' ');
            line.push_str(&moves);
        }
        let last = self.moves().next_back();
        if last.map_or(Color::Black, |(color, _)| color.opponent()) != self.side() {
            line.push_str(if moves.is_empty() { " --" } else { "--" });
        }
        line
    }

    /// Reads a position as the moves that lead to it from the empty board. Wins and forbidden
    /// points are allowed, because the order of stones in a diagram means nothing.
    ///
    /// # Errors
    /// When the text is no list of moves, or a move is off the board or on a stone.
    pub fn from_moves(rule: Rule, size: BoardSize, text: &str) -> Result<Position, MovesError> {
        let mut position = Position::new(rule, size);
        for point in parse_moves(size, text)? {
            match point {
                Point::NONE => position.pass(),
                point => position.play(point),
            }
        }
        Ok(position)
    }

    /// Writes the moves as [`Position::from_moves`] reads them. Passes stand between
    /// moves of the same colour.
    pub fn move_text(&self) -> String {
        let mut text = String::new();
        let mut turn = Color::Black;
        for (color, point) in self.moves() {
            if color != turn {
                text.push_str("--");
            }
            text.push_str(&point.to_string());
            turn = color.opponent();
        }
        text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, MovesError> {
        let read = Position::from_moves(Rule::Renju, BoardSize::default(), text);
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
        let read = Position::from_line("\u{feff}15 renju h8_i9--g10").unwrap();
        assert_eq!(
            (read.rule(), read.move_text()),
            (Rule::Renju, "h8i9--g10".to_owned())
        );
        assert_eq!(Position::from_line(" 20x15\tcaro ").unwrap().ply(), 0);
        for (text, reason) in [
            ("", "expected SIZE RULE POS"),
            ("15", "expected SIZE RULE POS"),
            ("h8 renju i9", "not a board size"),
            ("15 chess h8", "unknown rule"),
            ("23 freestyle a1", "23"),
            ("15 \u{1b}c h8", "unknown rule '\u{fffd}c'"),
            ("15 renju h8h8", "is taken"),
            ("9 renju o15", "off the 9 board"),
        ] {
            let error = Position::from_line(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn text_round_trips() {
        let size = BoardSize::default();
        for text in ["", "h8", "h8i9g10", "a1--o15a15----b2"] {
            let position = Position::from_moves(Rule::Freestyle, size, text).expect("a position");
            assert_eq!(position.move_text(), text);
        }
    }

    /// A pass tells the side to move where the moves do not.
    #[test]
    fn lines_round_trip() {
        for text in [
            "15 renju",
            "20x15 caro h8h9",
            "15 freestyle h8--i9--a1b2",
            "9 standard --",
        ] {
            for side in Color::ALL {
                let mut position = Position::from_line(text).unwrap();
                position.set_side(side);
                let line = position.to_line();
                assert_eq!(
                    line == text,
                    Position::from_line(text).unwrap().side() == side
                );
                let read = Position::from_line(&line).unwrap();
                assert_eq!((read.key(), read.side()), (position.key(), side), "{line}");
            }
        }
    }

    /// The two notations count rows from different sides, on rectangles too.
    #[test]
    fn coordinates_name_the_points_that_letters_name() {
        let size = BoardSize::new(9, 6).unwrap();
        for point in size.iter() {
            let text = format!("{},{}", point.x(), size.height() - 1 - point.y());
            let position = Position::from_moves(Rule::Standard, size, &text).unwrap();
            assert_eq!(position.move_text(), point.to_string(), "{text}");
        }
    }

    #[test]
    fn messages_stay_on_one_line() {
        let text = format!("h8 ?{}", "x".repeat(1000));
        let error = Position::from_moves(Rule::Freestyle, BoardSize::default(), &text);
        let message = error.map(|_| ()).expect_err("no moves").to_string();
        assert!(message.len() < 120, "{message}");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = read(&text);
        }

        #[test]
        fn lists_of_moves_are_read_or_refused(
            text in "([a-p]1?[0-9]|[0-9]{1,2},[0-9]|[ ,\\-;_.1()]){0,9}"
        ) {
            let _ = read(&text);
        }
    }
}
