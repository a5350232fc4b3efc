//! Lines of positions: the moves, and perhaps a value after them. A line is refused if the text
//! after its moves could be more moves, which would be lost.

use anyhow::{Result, bail};
use quincunx_gravity::{Position, Size};

/// The words that a value in words begins with, as `gravity` prints them.
const VALUES: [&str; 5] = ["win", "loss", "draw", "unknown", "error:"];

/// A number after at least this many moves is their value, not the next move.
const LEAST_MOVES: usize = 4;

/// The lines of the text before a line feed. A carriage return also ends a line, alone or before
/// the line feed.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\r').unwrap_or(text).split('\r')
}

/// The moves of a line and their position. `None` for an empty line.
pub(super) fn position(size: Size, line: &str) -> Option<(&str, Result<Position>)> {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0' | '\u{1a}');
    let mut words = line.split(is_blank).filter(|word| !word.is_empty());
    let moves = words.next()?;
    let behind: Vec<&str> = words.collect();
    Some((moves, read(size, moves, &behind)))
}

fn read(size: Size, moves: &str, behind: &[&str]) -> Result<Position> {
    let position = Position::from_moves(size, moves)?;
    // A value counts the stones of the winner that are left.
    let most = size.points() / 2;
    let is_value = |number: i64| {
        number.unsigned_abs() <= most as u64 && (number < 0 || moves.len() >= LEAST_MOVES)
    };
    match behind {
        [] => Ok(position),
        [word, ..] if VALUES.contains(word) => Ok(position),
        [number] if number.parse().is_ok_and(is_value) => Ok(position),
        _ => bail!("expected moves without blanks, such as 4453, and nothing but a value behind"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_passed_over_and_a_move_is_not() {
        let size = Size::new(7, 6).unwrap();
        let read = |line| position(size, line).unwrap().1.map(|it| it.moves_text());
        for line in [
            "4453",
            "4453 win in 7 plies",
            "4453 -2",
            "4453 5",
            "4453 draw",
        ] {
            assert_eq!(read(line).unwrap(), "4453", "{line}");
        }
        assert_eq!(read("44 -1").unwrap(), "44");
        for line in ["4 4 5 3", "44 53", "4453 44", "4 5", "4453 1 2", "4453 won"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn lines_end_in_every_way() {
        let text = "\u{feff}44\r55\r\n\r\n66 win\n\u{1a}";
        let size = Size::new(7, 6).unwrap();
        let all = text
            .split('\n')
            .flat_map(lines)
            .map(|line| position(size, line));
        let moves: Vec<Option<&str>> = all.map(|read| read.map(|(moves, _)| moves)).collect();
        assert_eq!(moves, [Some("44"), Some("55"), None, Some("66"), None]);
    }
}
