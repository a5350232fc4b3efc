//! SAV, the positions that Yixin saves, and POS, those of older Renju programs.
//!
//! SAV is a text of numbers: the rows and the columns of the board, how many moves there
//! are, then row from the top and column of each, from zero. Old files have the rule in the
//! place of the columns. POS is bytes: how many moves there are, then for each 15 times the
//! row from the top plus the column, on a board of 15 by 15.

use super::lines::{TextPosition, shown};
use super::record::{GameRecord, RecordedMove};
use quincunx_engine::rules::{BoardSize, Color, MIN_SIDE, Point, PointSet, Rule};

/// The side of the board of a POS file.
const POS_SIDE: usize = 15;

/// The error of a saved position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedError {
    /// A word is not a number, or not one in the expected range.
    #[error("{place}: expected {expected}, not '{}'", shown(.found))]
    Number {
        /// The text position of the number.
        place: TextPosition,
        /// The expected value.
        expected: &'static str,
        /// The value that was found.
        found: String,
    },
    /// A stone is off the board or on an occupied point.
    #[error("{place}: move {number}: row {row}, column {column} is {problem}")]
    Stone {
        /// The text position of the number.
        place: TextPosition,
        /// The number of the move, from one.
        number: usize,
        /// The row from the top, from zero.
        row: usize,
        /// The column, from zero.
        column: usize,
        /// The error.
        problem: &'static str,
    },
    /// The file has more moves than it announces.
    #[error("{place}: expected {expected} moves, found {found}")]
    Count {
        /// The text position of the first surplus move.
        place: TextPosition,
        /// The number of moves that the file declares.
        expected: usize,
        /// The number of moves found.
        found: usize,
    },
    /// The number of moves of a POS file is not that of its first byte.
    #[error("byte 0: expected {expected} moves, found {found}")]
    ByteCount {
        /// The number of moves that the file declares.
        expected: usize,
        /// The number of moves found.
        found: usize,
    },
    /// A byte of a POS file is not an empty point.
    #[error("byte {at}: {value} is {problem}")]
    Byte {
        /// The number of the byte, from zero.
        at: usize,
        /// The byte.
        value: u8,
        /// The error.
        problem: &'static str,
    },
}

const OFF_BOARD: &str = "off the board";
const TAKEN: &str = "taken";

/// Returns true if a text consists of exactly the numbers of a saved position of its length.
pub(crate) fn is_sav(text: &str) -> bool {
    let numbers: Option<Vec<usize>> = words(text).map(|(_, word)| word.parse().ok()).collect();
    numbers.is_some_and(|numbers| match numbers[..] {
        [rows, _, count, ..] => rows >= MIN_SIDE && Some(numbers.len() - 3) == count.checked_mul(2),
        _ => false,
    })
}

/// Reads a SAV file.
///
/// # Errors
/// When the text is something else.
pub(super) fn read_sav(text: &str) -> Result<GameRecord, SavedError> {
    let end = text.trim_end().len();
    let mut words = words(text);
    let mut next = |expected| {
        let (at, word) = words.next().unwrap_or((end, ""));
        let wrong = || SavedError::Number {
            place: TextPosition::of(text, at),
            expected,
            found: word.to_owned(),
        };
        let number: usize = word.parse().map_err(|_| wrong())?;
        Ok((number, wrong()))
    };
    let (rows, _) = next("the number of rows")?;
    let (second, wrong) = next("the number of columns, or a rule")?;
    let (columns, rule) = match second {
        0 => (rows, Some(Rule::Freestyle)),
        1 => (rows, Some(Rule::Standard)),
        2 => (rows, Some(Rule::Renju)),
        // Freestyle with a swap after the first move.
        3 => (rows, Some(Rule::Freestyle)),
        columns => (columns, None),
    };
    let size = BoardSize::new(columns, rows).map_err(|_| wrong)?;
    let (count, _) = next("the number of moves")?;
    let mut record = GameRecord::new(rule, size);
    let mut taken = PointSet::EMPTY;
    for number in 1..=count {
        let (row, wrong) = next("a row")?;
        let (column, _) = next("a column")?;
        let SavedError::Number { place, .. } = wrong else {
            return Err(wrong);
        };
        let stone = |problem| SavedError::Stone {
            place,
            number,
            row,
            column,
            problem,
        };
        let point = size
            .point_from_top(column, row)
            .ok_or_else(|| stone(OFF_BOARD))?;
        if taken.has(point) {
            return Err(stone(TAKEN));
        }
        add(&mut record, &mut taken, point);
    }
    if let Some((at, _)) = words.next() {
        return Err(SavedError::Count {
            place: TextPosition::of(text, at),
            expected: count,
            found: count + 1 + words.count() / 2,
        });
    }
    record.settle();
    Ok(record)
}

/// Reads a POS file.
///
/// # Errors
/// When the bytes are something else.
pub(super) fn read_pos(bytes: &[u8]) -> Result<GameRecord, SavedError> {
    let size = BoardSize::square(POS_SIDE).unwrap_or_default();
    let mut record = GameRecord::new(None, size);
    let (&count, points) = bytes.split_first().unwrap_or((&1, &[]));
    if points.len() != usize::from(count) {
        return Err(SavedError::ByteCount {
            expected: count.into(),
            found: points.len(),
        });
    }
    let mut taken = PointSet::EMPTY;
    for (at, &value) in (1..).zip(points) {
        let wrong = |problem| SavedError::Byte { at, value, problem };
        let (row, column) = (usize::from(value) / POS_SIDE, usize::from(value) % POS_SIDE);
        let point = size
            .point_from_top(column, row)
            .ok_or_else(|| wrong(OFF_BOARD))?;
        if taken.has(point) {
            return Err(wrong(TAKEN));
        }
        add(&mut record, &mut taken, point);
    }
    Ok(record)
}

fn add(record: &mut GameRecord, taken: &mut PointSet, point: Point) {
    let color = match record.moves.len() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    taken.insert(point);
    record.moves.push(RecordedMove::new(color, point));
}

/// The words of a text, each with the byte at which it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text
        .split(super::lines::is_blank)
        .filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::tests::moves;

    #[test]
    fn saved_positions_are_read() {
        let text = "15\r\n15\r\n3\r\n7 7\r\n6 8\r\n5 6\r\n";
        assert!(is_sav(text));
        let record = read_sav(text).unwrap();
        assert_eq!((moves(&record).as_str(), record.rule), ("h8i9g10", None));
        let old = read_sav("15\n2\n1\n7 7\n").unwrap();
        assert_eq!((moves(&old).as_str(), old.rule), ("h8", Some(Rule::Renju)));
        let record = read_pos(&[3, 112, 98, 81]).unwrap();
        assert_eq!(moves(&record), "h8i9g10");
        assert_eq!(moves(&read_pos(&[0]).unwrap()), "");
        let wide = read_sav("10 20 1 9 19").unwrap();
        assert_eq!(moves(&wide), "t1");
    }

    #[test]
    fn other_files_are_refused() {
        for (text, complaint) in [
            ("15 15 2 7 7", "line 1, column 12: expected a row"),
            (
                "15 15 1 7 7 8 8",
                "line 1, column 13: expected 1 moves, found 2",
            ),
            (
                "15\n15\n2\n7 7\n7 7",
                "line 5, column 1: move 2: row 7, column 7 is taken",
            ),
            (
                "15\n15\n1\n15 7",
                "line 4, column 1: move 1: row 15, column 7 is off",
            ),
            (
                "15 15 x",
                "line 1, column 7: expected the number of moves, not 'x'",
            ),
            (
                "30 30 0",
                "line 1, column 4: expected the number of columns",
            ),
        ] {
            let error = read_sav(text).unwrap_err().to_string();
            assert!(error.starts_with(complaint), "{text}: {error}");
        }
        assert!(!is_sav("15 15 2 7 7") && !is_sav("7 7 8 8") && !is_sav("h8i9"));
        assert!(!is_sav("15 15 9223372036854775808"));
        for bytes in [
            &[][..],
            &[2, 112],
            &[1, 225],
            &[2, 112, 112],
            &[1, 112, 113],
        ] {
            assert!(read_pos(bytes).is_err(), "{bytes:?}");
        }
    }
}
