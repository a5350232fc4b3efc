//! Positions to be solved, as text: `SIZE RULE POS`.

use crate::position::{ParseLineError, ParsePositionError, Position};
use crate::rules::{BoardSize, Rule};

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Task(Position);

impl Task {
    /// The position after these moves; which side is to move follows from
    /// their number.
    ///
    /// # Errors
    /// When the text is no list of moves of this board.
    pub fn new(size: BoardSize, rule: Rule, moves: &str) -> Result<Task, ParsePositionError> {
        Position::from_moves(rule, size, moves).map(Task)
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl std::str::FromStr for Task {
    type Err = ParseLineError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Position::from_line(line).map(Task)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let task: Task = "15 renju h8i9--g10".parse().unwrap();
        assert_eq!(task.position().move_text(), "h8i9--g10");
        assert_eq!(task.position().rule(), Rule::Renju);
        let task: Task = " 20x15\tcaro ".parse().unwrap();
        assert_eq!(task.position().ply(), 0);
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
            let error = line.parse::<Task>().unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
