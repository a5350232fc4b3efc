//! Positions as text: the moves one after another, letter and number each,
//! `--` for a pass.

use super::Position;
use crate::rules::{BoardSize, ParseRuleError, ParseSizeError, Point, Rule};

/// The text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Something that is not a letter and a number, nor a pass.
    #[error(
        "move {number}: expected a letter and a number such as h8, or -- for a pass, at '{rest}'"
    )]
    Syntax {
        /// Which move, from one.
        number: usize,
        /// The text from there on.
        rest: String,
    },
    /// A point that is not on the board.
    #[error("move {number}: {point} is off the {size} board")]
    OffBoard {
        /// Which move, from one.
        number: usize,
        /// The point.
        point: Point,
        /// The board.
        size: BoardSize,
    },
    /// A point that has a stone already.
    #[error("move {number}: {point} is taken")]
    Taken {
        /// Which move, from one.
        number: usize,
        /// The point.
        point: Point,
    },
}

/// The text is no board, rule and moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLineError {
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

impl Position {
    /// The position of a line `SIZE RULE POS`; which side is to move follows
    /// from the number of moves.
    ///
    /// # Errors
    /// When the line is not made like this.
    pub fn from_line(line: &str) -> Result<Position, ParseLineError> {
        let line = line.trim();
        let (size, rest) = line
            .split_once(char::is_whitespace)
            .ok_or(ParseLineError::Missing)?;
        let rest = rest.trim_start();
        let (rule, moves) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (size, rule) = (size.parse()?, rule.parse()?);
        Ok(Position::from_moves(rule, size, moves)?)
    }

    /// The position after the moves of `text`, played in turn from the empty
    /// board. Lines that win and forbidden points are not looked for: the
    /// order of stones in a diagram means nothing.
    ///
    /// # Errors
    /// When the text is no list of moves, or a move hits a stone or no board.
    pub fn from_moves(
        rule: Rule,
        size: BoardSize,
        text: &str,
    ) -> Result<Position, ParsePositionError> {
        let mut position = Position::new(rule, size);
        let mut rest = text.trim();
        for number in 1.. {
            if rest.is_empty() {
                break;
            }
            if let Some(after) = rest.strip_prefix("--") {
                position.pass();
                rest = after.trim_start();
                continue;
            }
            let letters = rest.chars().next().map_or(0, char::len_utf8);
            let digits = rest[letters..]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            let (word, after) = rest.split_at(letters + digits);
            let point = word
                .parse::<Point>()
                .map_err(|_| ParsePositionError::Syntax {
                    number,
                    rest: rest.to_owned(),
                })?;
            if !size.has(point) {
                return Err(ParsePositionError::OffBoard {
                    number,
                    point,
                    size,
                });
            }
            if !position.is_empty(point) {
                return Err(ParsePositionError::Taken { number, point });
            }
            position.play(point);
            rest = after.trim_start();
        }
        Ok(position)
    }

    /// The moves made, as [`Position::from_moves`] reads them (colours that do
    /// not alternate get passes in between).
    pub fn move_text(&self) -> String {
        let mut text = String::new();
        let mut turn = crate::rules::Color::Black;
        for (color, point) in self.moves() {
            if color != turn {
                text.push_str("--");
            }
            text.push_str(&point.to_string());
            turn = color.opponent();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let size = BoardSize::default();
        for text in ["", "h8", "h8i9g10", "a1--o15a15----b2"] {
            let position = Position::from_moves(Rule::Freestyle, size, text).expect("a position");
            assert_eq!(position.move_text(), text);
        }
    }

    #[test]
    fn bad_text_is_refused() {
        let parse = |text| Position::from_moves(Rule::Freestyle, BoardSize::default(), text);
        assert!(matches!(
            parse("h8h8"),
            Err(ParsePositionError::Taken { number: 2, .. })
        ));
        assert!(matches!(
            parse("h8p1"),
            Err(ParsePositionError::OffBoard { number: 2, .. })
        ));
        for text in ["h", "8", "h8-", "h8 x", "é3", "h8,i9"] {
            assert!(
                matches!(parse(text), Err(ParsePositionError::Syntax { .. })),
                "{text}"
            );
        }
    }
}
