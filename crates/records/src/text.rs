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

use super::place::{Place, lines, shown};
pub use super::scanner::{MovesError, MovesProblem};
use super::scanner::{Scanner, Written, is_blank};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, ParseRuleError, ParseSizeError, Point, PointSet, Rule};

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
    // An error has no more of them than a message shows.
    let (size, rule) = (shown(size).parse()?, shown(rule).parse()?);
    position(rule, size, moves).map_err(|error| {
        // The moves are the end of the line.
        let start = Place::of(line, line.len() - moves.len());
        let place = error.place.after(start);
        LineError::Moves(MovesError { place, ..error })
    })
}

/// Returns whether a text begins like a board and a rule, known or not, which no list of moves
/// does.
pub fn is_line(text: &str) -> bool {
    let mut words = text.split(is_blank).filter(|word| !word.is_empty());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let is_size = |word: &str| {
        let (width, height) = word.split_once(['x', 'X']).unwrap_or((word, word));
        is_number(width) && is_number(height)
    };
    let is_name = |word: &str| {
        let has_sign = |c: char| !(c.is_alphabetic() || c == '-' || c == '_');
        word.chars().count() > 2 && !word.contains(has_sign) && !word.eq_ignore_ascii_case("pass")
    };
    words.next().is_some_and(is_size)
        && words
            .next()
            .is_some_and(|rule| rule.parse::<Rule>().is_ok() || is_name(rule))
}

/// Whether moves go over several lines, more than one on a line, without numbers: they
/// may be one game or several.
pub(crate) fn may_be_several(text: &str) -> bool {
    let is_comment = |line: &str| line.trim_start_matches(is_blank).starts_with('#');
    let own = lines(text).map(|(_, line)| line);
    let own: Vec<&str> = own.filter(|line| !is_comment(line)).collect();
    let counts = own.iter().filter_map(|line| Scanner::new(line).scan().ok());
    let counts: Vec<usize> = counts.map(|moves| moves.len()).filter(|&n| n > 0).collect();
    let is_numbered = own.iter().any(|line| line.contains('.'));
    counts.len() > 1 && counts.iter().any(|&count| count > 1) && !is_numbered
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
        for text in [
            "15 renju",
            "23 freestyle a1",
            "15 gomoku h8",
            "20X15 caro-overline",
        ] {
            assert!(is_line(text), "{text}");
        }
        for text in [
            "h8 i9", "15 h8", "8 h8-i9", "15 pass", "1. renju", "15 --", "7,7 six",
        ] {
            assert!(!is_line(text), "{text}");
        }
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
            let error = line(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn several_lines_may_be_several_games() {
        for text in ["h8i9\nj10j11", "# example.org\nh8i9\nj10j11"] {
            assert!(may_be_several(text), "{text}");
        }
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
