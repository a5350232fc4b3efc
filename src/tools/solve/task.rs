//! Positions to be solved, as text: `SIZE RULE POS`.

use crate::position::{ParsePositionError, Position};
use crate::rules::{BoardSize, ParseRuleError, ParseSizeError, Rule};

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Task(Position);

/// The text is no position to be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTaskError {
    /// Fewer than two words.
    #[error("expected SIZE RULE POS, such as: 15 renju h8i9g10")]
    Missing,
    /// No board size.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// No rule.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// No moves.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
}

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
    type Err = ParseTaskError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = line.trim();
        let (size, rest) = line
            .split_once(char::is_whitespace)
            .ok_or(ParseTaskError::Missing)?;
        let rest = rest.trim_start();
        let (rule, moves) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (size, rule) = (size.parse()?, rule.parse()?);
        Ok(Task::new(size, rule, moves)?)
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
