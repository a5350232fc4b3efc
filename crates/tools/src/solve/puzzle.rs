//! Positions to be solved, as text: `SIZE RULE POS`.

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::text::{self, LineError, MovesError};

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Puzzle(Position);

impl Puzzle {
    /// The position after these moves; which side is to move follows from
    /// their number.
    ///
    /// # Errors
    /// When the text is no list of moves of this board.
    pub fn new(size: BoardSize, rule: Rule, moves: &str) -> Result<Puzzle, MovesError> {
        text::position(rule, size, moves).map(Puzzle)
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl std::str::FromStr for Puzzle {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        text::line(line).map(Puzzle)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let puzzle: Puzzle = "15 renju h8i9--g10".parse().unwrap();
        assert_eq!(puzzle.position().move_text(), "h8i9--g10");
        assert_eq!(puzzle.position().rule(), Rule::Renju);
        let puzzle: Puzzle = " 20x15\tcaro ".parse().unwrap();
        assert_eq!(puzzle.position().ply(), 0);
    }

    #[test]
    fn other_lines_are_refused() {
        for (line, reason) in [
            ("", "expected SIZE RULE POS"),
            ("15", "expected SIZE RULE POS"),
            ("h8 renju i9", "not a board size"),
            ("15 chess h8", "unknown rule"),
            ("15 renju h8h8", "is taken"),
            ("9 renju o15", "off the 9 board"),
        ] {
            let error = line.parse::<Puzzle>().unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
