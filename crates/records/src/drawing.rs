//! Boards that are drawn with characters, as this program prints them.
//!
//! A row is a line of signs with blanks or brackets between them, with or without its number
//! in front. Stones are `X` and `O`, or their numbers, or in a terminal `x` and `o`, or discs.
//! Lines around the board may name the rule and the side to move.

use super::lines::lines;
use super::record::{GameRecord, RecordedMove, unnamed_turn};
use super::warning::Warning;
use quincunx_engine::rules::{BoardSize, Color, MAX_SIDE, MIN_SIDE, Point, Rule};

/// The error of a drawing that is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// A row has more or fewer points than the first.
    #[error("line {line}: this row has {found} points, the first one {expected}")]
    Row {
        /// The line, from one.
        line: usize,
        /// The points of the first row.
        expected: usize,
        /// The points of this one.
        found: usize,
    },
    /// A board can't have this height.
    #[error("line {line}: the board has {rows} rows, expected {MIN_SIDE} to {MAX_SIDE}")]
    Height {
        /// The line of the first row, from one.
        line: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A number of a row is not the one that follows from the rows below.
    #[error("line {line}: expected row {expected}, not {found}")]
    Number {
        /// The line, from one.
        line: usize,
        /// The number of the row.
        expected: usize,
        /// The number in the drawing.
        found: usize,
    },
    /// A move is missing, or there twice.
    #[error("line {line}: there is not one stone each with the numbers 1 to {count}")]
    Moves {
        /// The line of the first row, from one.
        line: usize,
        /// The number of stones with numbers.
        count: usize,
    },
}

/// The sign of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Empty,
    Stone(Color),
    /// A stone with the number of its move.
    Numbered(usize),
    /// `x`: a cross on an empty point, or a stone where there is an `o`.
    Cross,
    /// `o`, `+` and `#`, which only drawings of terminals have.
    White,
    Other,
}

impl Symbol {
    fn of(word: &str) -> Option<Symbol> {
        Some(match word {
            "." | "·" | "r" | "t" | "s" | "*" | "×" => Symbol::Empty,
            "X" | "●" | "◆" => Symbol::Stone(Color::Black),
            "O" | "○" | "◇" => Symbol::Stone(Color::White),
            "x" => Symbol::Cross,
            "o" => Symbol::White,
            "+" | "#" => Symbol::Other,
            _ => {
                let number = word.parse().ok().filter(|number| *number > 0);
                Symbol::Numbered(number.filter(|_| word.len() < 4)?)
            }
        })
    }
}

/// A row of a board, from the left.
struct Row {
    line: usize,
    signs: Vec<Symbol>,
}

impl Row {
    /// The row of a line, if it is one. Its number may be the first and the last sign.
    fn of(line: usize, text: &str) -> Option<Row> {
        let is_between = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']');
        let words = text.split(is_between).filter(|word| !word.is_empty());
        let signs: Option<Vec<Symbol>> = words.take(MAX_SIDE + 3).map(Symbol::of).collect();
        let signs = signs.filter(|signs| (MIN_SIDE..MAX_SIDE + 3).contains(&signs.len()))?;
        // No list of moves has a point of a dot.
        let has_points = signs
            .iter()
            .any(|sign| !matches!(sign, Symbol::Numbered(_)));
        has_points.then_some(Row { line, signs })
    }

    fn first_number(&self) -> Option<usize> {
        match self.signs.first() {
            Some(Symbol::Numbered(number)) => Some(*number),
            _ => None,
        }
    }
}

/// The rows of the first board of a text, from the top.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, line) in lines(text) {
        match Row::of(number, line) {
            Some(row) => rows.push(row),
            None if rows.len() >= MIN_SIDE => break,
            None => rows.clear(),
        }
        if rows.len() > MAX_SIDE {
            break;
        }
    }
    rows
}

/// Takes the numbers of the rows away, if they have any.
fn without_numbers(rows: &mut [Row]) -> Result<(), DrawingError> {
    let is_numbered = rows.last().is_some_and(|row| row.first_number() == Some(1))
        && rows.iter().all(|row| row.first_number().is_some());
    if !is_numbered {
        return Ok(());
    }
    let on_both_sides = rows.iter().all(|row| row.signs.first() == row.signs.last());
    for (row, expected) in rows.iter_mut().rev().zip(1..) {
        let found = row.first_number().unwrap_or(expected);
        if found != expected {
            let line = row.line;
            return Err(DrawingError::Number {
                line,
                expected,
                found,
            });
        }
        row.signs.remove(0);
        if on_both_sides {
            row.signs.pop();
        }
    }
    Ok(())
}

/// Returns whether a text has a board: rows of points, one below the other.
pub(crate) fn is_drawing(text: &str) -> bool {
    rows(text).len() >= MIN_SIDE
}

/// Reads a drawing, and the warnings. Stones with numbers are moves, others are set
/// up.
///
/// # Errors
/// When the rows are no board, or a number is missing.
pub(crate) fn read(text: &str) -> Result<(GameRecord, Vec<Warning>), DrawingError> {
    let mut rows = rows(text);
    without_numbers(&mut rows)?;
    let (line, width) = rows
        .first()
        .map_or((1, 0), |row| (row.line, row.signs.len()));
    if let Some(row) = rows.iter().find(|row| row.signs.len() != width) {
        return Err(DrawingError::Row {
            line: row.line,
            expected: width,
            found: row.signs.len(),
        });
    }
    let size = BoardSize::new(width, rows.len());
    let size = size.map_err(|_| DrawingError::Height {
        line,
        rows: rows.len(),
    })?;
    let (rule, turn) = header(text);
    let mut record = GameRecord::new(rule, size);
    let mut moves = Vec::new();
    let signs = || rows.iter().flat_map(|row| &row.signs);
    let is_terminal = signs().any(|sign| matches!(sign, Symbol::White | Symbol::Other));
    for (from_top, row) in rows.iter().enumerate() {
        for (x, sign) in row.signs.iter().enumerate() {
            let point = size.point_from_top(x, from_top).unwrap_or(Point::NONE);
            match sign {
                Symbol::Stone(color) => record.setup.push((*color, point)),
                Symbol::Cross if is_terminal => record.setup.push((Color::Black, point)),
                Symbol::White => record.setup.push((Color::White, point)),
                Symbol::Numbered(number) => moves.push((*number, point)),
                Symbol::Empty | Symbol::Cross | Symbol::Other => {}
            }
        }
    }
    moves.sort_unstable_by_key(|(number, _)| *number);
    let count = moves.len();
    if !moves.iter().map(|(number, _)| *number).eq(1..=count) {
        return Err(DrawingError::Moves { line, count });
    }
    let (unnamed, warning) = unnamed_turn(&record.setup);
    // The side to move now is the first one where as many moves were made by both.
    let named = turn.map(|turn| match count % 2 {
        0 => turn,
        _ => turn.opponent(),
    });
    record.first = named.unwrap_or(unnamed);
    let mut color = record.first;
    for (_, point) in moves {
        record.moves.push(RecordedMove::new(color, point));
        color = color.opponent();
    }
    record.settle();
    let warning = warning.filter(|_| named.is_none());
    Ok((record, warning.into_iter().collect()))
}

/// The rule and the side to move, where a line such as `renju, board 15, white to move` names
/// them.
fn header(text: &str) -> (Option<Rule>, Option<Color>) {
    let Some(start) = lines(text).find_map(|(_, line)| line.trim().strip_suffix(" to move")) else {
        return (None, None);
    };
    let words = || start.split([' ', ',', ':']);
    let turn = match words().next_back() {
        Some("black") => Some(Color::Black),
        Some("white") => Some(Color::White),
        _ => None,
    };
    (words().find_map(|word| word.parse().ok()), turn)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
rule renju, board 6x5, white to move
   a b c d e f
 5 . . . . . O
 4 . . . . . .
 3 . . x . . .
 2 . X X . . .
 1 . . . . . .

best move a1, score 0
";

    fn stones(text: &str) -> String {
        assert!(is_drawing(text), "{text}");
        let record = read(text).unwrap().0;
        let setup = record
            .setup
            .iter()
            .map(|(color, point)| format!("{color:?}{point} "));
        let moves = record.moves.iter().map(|it| it.point.to_string());
        format!(
            "{} {}{}",
            record.first,
            setup.collect::<String>(),
            moves.collect::<String>()
        )
    }

    #[test]
    fn printed_boards_are_read() {
        let record = read(PRINTED).unwrap().0;
        assert_eq!(
            (record.rule, record.size),
            (Some(Rule::Renju), BoardSize::new(6, 5).unwrap())
        );
        assert_eq!(stones(PRINTED), "white Whitef5 Blackb2 Blackc2 ");
        let numbered = " 5 . . . . .(3)\n 4 . . . . . .\n 3 . . x . . .\n 2 . 2 . . . .\n 1 1 . . . . .\n   a b c d e f\n";
        assert_eq!(stones(numbered), "black a1b2f5");
        assert_eq!(read(numbered).unwrap().0.rule, None);
        let bare = " . . . . .(X)\n . . . . . .\n . . . . . .\n . O . . . .\n . . . . . .\n";
        assert_eq!(stones(bare), "black Blackf5 Whiteb2 ");
        let terminal =
            "5 . . . . .\n4 . x . . .\n3 . . +[o].\n2 . . . . .\n1 . . . . .\n  a b c d e\n";
        assert_eq!(stones(terminal), "black Blackb4 Whited3 ");
        let discs = "5 · · · · ·\n4 · ● · · ·\n3 · · +(○)·\n2 · · · · ·\n1 · × · · ·\n";
        assert_eq!(stones(discs), "black Blackb4 Whited3 ");
    }

    #[test]
    fn boards_that_are_damaged_are_refused() {
        for (from, to, complaint) in [
            (
                " 4 . . . . . .",
                " 4 . . . . .",
                "line 4: this row has 5 points, the first one 6",
            ),
            (
                " 4 . . . . . .\n",
                " 6 . . . . . .\n",
                "line 4: expected row 4, not 6",
            ),
            (
                " . X X",
                " . 1 3",
                "line 3: there is not one stone each with the numbers 1 to 2",
            ),
        ] {
            let error = read(&PRINTED.replace(from, to)).unwrap_err().to_string();
            assert_eq!(error, complaint);
        }
        for text in [
            "h8i9\ni10\nj11\nk12\nl13",
            "15\n15\n1\n7 7",
            &"1 2 3 4 5 6\n".repeat(6),
            &". . . . .\n".repeat(4),
        ] {
            assert!(!is_drawing(text), "{text}");
        }
        let high = ". . . . .\n".repeat(23);
        let error = read(&high).unwrap_err().to_string();
        assert_eq!(error, "line 1: the board has 23 rows, expected 5 to 22");
    }
}
