//! Positions to be solved, as text: `SIZE RULE POS`.

use quincunx_engine::game::{GameResult, decided_by_stones};
use quincunx_engine::position::Position;
use quincunx_engine::position::notation::ParseLineError;
use quincunx_records::text;

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Puzzle(Position);

/// The line is not a position that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The line has another form.
    #[error(transparent)]
    Line(#[from] ParseLineError),
    /// The stones decide the game.
    #[error("the game is over: {0}")]
    Over(GameResult),
}

impl Puzzle {
    /// The position.
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl std::str::FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let position = text::line(line)?;
        match decided_by_stones(&position) {
            None => Ok(Puzzle(position)),
            Some(result) => Err(PuzzleError::Over(result)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;

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
            ("15 freestyle a1a2b1b2c1c2d1d2e1", "black wins"),
            ("15 renju a1--b1--c1--d1--f1--e1", "white wins"),
        ] {
            let error = line.parse::<Puzzle>().unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
