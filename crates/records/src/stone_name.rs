//! Stones as SGF writes them: the names of their properties, and their points.

use super::lines::is_blank;
use quincunx_engine::rules::{BoardSize, Point};

/// The properties that put stones on the board.
pub(crate) const STONES: [&str; 6] = ["B", "W", "AB", "AW", "QPR", "QSLW"];

/// Returns true if the capitals of the last word are the name of a stone, as in FF[3] and older.
pub(crate) fn is_old_stone(text: &str) -> bool {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let word = text[rest.len()..].bytes();
    let name: Vec<u8> = word.filter(|byte| !byte.is_ascii_lowercase()).collect();
    STONES.iter().any(|stone| stone.as_bytes() == name)
}

/// Returns true if a value is a point or a pass.
pub(crate) fn is_point(value: &str) -> bool {
    match value.trim_matches(is_blank).as_bytes() {
        [] => true,
        [x, rest @ ..] => {
            let is_row = rest.len() == 1 && rest[0].is_ascii_alphabetic();
            let is_number = matches!(rest.len(), 1..=2) && rest.iter().all(u8::is_ascii_digit);
            x.is_ascii_alphabetic() && (is_row || is_number)
        }
    }
}

/// Reads a point: two letters, or a letter and a number as Renju players write them.
pub(crate) fn parse_point(size: BoardSize, text: &str) -> Option<Point> {
    let letter = |byte: u8| byte.checked_sub(b'a').map(usize::from);
    match text.as_bytes() {
        &[x, row] if row.is_ascii_lowercase() => size.point_from_top(letter(x)?, letter(row)?),
        _ => text.parse().ok().filter(|&point| size.has(point)),
    }
}
