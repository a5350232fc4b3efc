//! Positions as text, as [`notation`](quincunx_engine::position::notation) reads them, in files of
//! several and with what follows them.

use super::lines::{is_blank, lines};
use quincunx_engine::position::Position;
use quincunx_engine::position::notation::{ParseLineError, count_moves};
use quincunx_engine::rules::Rule;

/// The fields of a puzzle behind its position and its solution.
const PUZZLE: [&str; 3] = ["tree ", "guess ", "grade "];

/// A line without the solution of a puzzle: `; KIND LINE; tree N; guess N; grade N`. Anything
/// else behind a semicolon may be moves.
fn without_solution(line: &str) -> &str {
    let mut fields = line.split(';');
    let (Some(position), Some(_)) = (fields.next(), fields.next()) else {
        return line;
    };
    let rest: Vec<&str> = fields.map(|field| field.trim_matches(is_blank)).collect();
    let is_puzzle = rest.len() == PUZZLE.len()
        && rest.iter().zip(PUZZLE).all(|(field, name)| {
            let number = field.strip_prefix(name);
            number.is_some_and(|number| number.parse::<u64>().is_ok())
        });
    if is_puzzle { position } else { line }
}

/// Reads a position from a line `SIZE RULE MOVES`, or from that of a puzzle, which has its
/// solution behind the moves.
///
/// # Errors
/// When the line has another form.
pub fn line(line: &str) -> Result<Position, ParseLineError> {
    Position::from_line(without_solution(line))
}

/// Whether a text begins like a board and a rule, known or not, which no list of moves
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

/// Returns true if unnumbered moves span several lines with several moves each: they may be one
/// game or several.
pub(crate) fn may_be_several(text: &str) -> bool {
    let is_comment = |line: &str| line.trim_start_matches(is_blank).starts_with('#');
    let own = lines(text).map(|(_, line)| line);
    let own: Vec<&str> = own.filter(|line| !is_comment(line)).collect();
    let counts = own.iter().filter_map(|line| count_moves(line).ok());
    let counts: Vec<usize> = counts.filter(|&count| count > 0).collect();
    let is_numbered = own.iter().any(|line| line.contains('.'));
    counts.len() > 1 && counts.iter().any(|&count| count > 1) && !is_numbered
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_board_and_rule() {
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
    }

    /// The program's own files of puzzles were refused.
    #[test]
    fn the_solution_of_a_puzzle_is_passed_over() {
        let puzzle = "15 renju h8i9 ; vcf h5 any h4; tree 3; guess 1; grade 10\r";
        assert_eq!(line(puzzle).unwrap().move_text(), "h8i9");
        for other in [
            "15 renju h8i9; vcf h5; tree 3; guess 1",
            "15 renju h8i9; vcf h5; tree 3; guess 1; grade x",
            "15 renju h8i9; vcf h5; tree 3; guess 1; grade 1; j9",
            "15 renju h8i9; h5",
        ] {
            let read = line(other).map(|position| position.move_text());
            assert_ne!(read, Ok("h8i9".to_owned()), "{other}");
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
}
