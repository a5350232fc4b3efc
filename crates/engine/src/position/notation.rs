//! Positions as text: the moves one after another, each as letter and number
//! (`h8`) or as the protocol's coordinates (`7,7`); `--` is a pass.

use super::board::Position;
use crate::rules::{BoardSize, Color, ParseRuleError, ParseSizeError, Point, Rule};

/// The text is not a list of moves on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// A move is neither a point nor a pass.
    #[error(
        "move {number}: expected a point such as h8 or 7,7, or -- for a pass, at '{}'",
        start(.rest)
    )]
    Syntax {
        /// The number of the move, from one.
        number: usize,
        /// The text from there on.
        rest: String,
    },
    /// A move is off the board.
    #[error("move {number}: {point} is off the {size} board")]
    OffBoard {
        /// The number of the move, from one.
        number: usize,
        /// The point as it was written.
        point: String,
        /// The board.
        size: BoardSize,
    },
    /// A move is on a point that has a stone.
    #[error("move {number}: {point} is taken")]
    Taken {
        /// The number of the move, from one.
        number: usize,
        /// The point.
        point: Point,
    },
}

/// The text is not a board, a rule and moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLineError {
    /// The line has fewer than two words.
    #[error("expected SIZE RULE POS, such as: 15 renju h8i9g10")]
    Missing,
    /// The board size is invalid.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// The rule is unknown.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// The moves are invalid.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
}

impl Position {
    /// Reads a position from a line `SIZE RULE POS`. The number of moves decides which
    /// side is to move.
    ///
    /// # Errors
    /// Returns an error if the line has another form.
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

    /// Plays the moves of `text` in turn on the empty board. Wins and forbidden points
    /// are allowed, because the order of stones in a diagram means nothing.
    ///
    /// A move is a letter and a number (`h8`, counted from the bottom left
    /// point `a1`), the protocol's coordinates (`7,7`, column from the left and
    /// row from the top, both from zero), or `--` for a pass. Blanks or a comma
    /// may stand between moves: `h8i9`, `h8 i9`, `H8, I9` and `7,7 8,6` are the
    /// same two moves on a board of 15.
    ///
    /// # Errors
    /// Returns an error if the text is not a list of moves, or a move is on an occupied
    /// point or off the board.
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
            let (word, after) = first_move(rest).ok_or_else(|| ParsePositionError::Syntax {
                number,
                rest: rest.to_owned(),
            })?;
            match word {
                Word::Pass => position.pass(),
                Word::Point(written, point) => {
                    let point = point.on(size).ok_or_else(|| ParsePositionError::OffBoard {
                        number,
                        point: written.to_owned(),
                        size,
                    })?;
                    if !position.is_empty(point) {
                        return Err(ParsePositionError::Taken { number, point });
                    }
                    position.play(point);
                }
            }
            rest = after;
        }
        Ok(position)
    }

    /// Writes the moves as [`Position::from_moves`] reads them. Passes stand between
    /// moves of the same colour.
    pub fn move_text(&self) -> String {
        let mut text = String::new();
        let mut turn = Color::Black;
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

/// A move as it is written.
enum Word<'t> {
    Pass,
    Point(&'t str, Place),
}

/// A point in one of the two notations, which may be off the board.
enum Place {
    Named(Point),
    FromTop(usize, usize),
}

impl Place {
    fn on(self, size: BoardSize) -> Option<Point> {
        match self {
            Place::Named(point) => size.has(point).then_some(point),
            Place::FromTop(x, row) => size.point_from_top(x, row),
        }
    }
}

/// Reads the first move of `text`. Returns it with the text of the next moves.
fn first_move(text: &str) -> Option<(Word<'_>, &str)> {
    if let Some(after) = text.strip_prefix("--") {
        return Some((Word::Pass, next(after)?));
    }
    let end = if text.starts_with(|c: char| c.is_ascii_digit()) {
        let comma = digits(text);
        let row = text[comma..].strip_prefix(',')?.trim_start();
        text.len() - row.len() + digits(row)
    } else {
        let letter = text.chars().next().map_or(0, char::len_utf8);
        letter + digits(&text[letter..])
    };
    let (written, after) = text.split_at(end);
    let place = match written.split_once(',') {
        // A number too large for the machine is off every board.
        Some((x, row)) => {
            let number = |text: &str| {
                let digits = !text.is_empty();
                digits.then(|| text.parse().unwrap_or(usize::MAX))
            };
            Place::FromTop(number(x)?, number(row.trim_start())?)
        }
        None => Place::Named(written.parse().ok()?),
    };
    Some((Word::Point(written, place), next(after)?))
}

/// Returns the number of digits at the start of `text`.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Skips blanks and one comma. A comma must have a move behind it.
fn next(text: &str) -> Option<&str> {
    match text.trim_start().strip_prefix(',') {
        Some(rest) => Some(rest.trim_start()).filter(|rest| !rest.is_empty()),
        None => Some(text.trim_start()),
    }
}

/// Returns the first characters of a text, for a message of one line.
fn start(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut start: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        start.push_str("...");
    }
    start
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
    fn moves_may_be_separated_in_every_usual_way() {
        let size = BoardSize::default();
        for text in [
            "h8i9g10",
            "h8 i9 g10",
            "h8,i9,g10",
            "H8, I9 ,G10\n",
            "h8\ti9\r\ng10",
            // Rows of the protocol count from the top.
            "7,7 8,6 6,5",
            "7,7,8,6,6,5",
            "7, 7  8, 6, 6,5",
            "h8 8,6g10",
        ] {
            let position = Position::from_moves(Rule::Renju, size, text).expect(text);
            assert_eq!(position.move_text(), "h8i9g10", "{text}");
        }
        let passed = Position::from_moves(Rule::Renju, size, "h8, --, g10").expect("a pass");
        assert_eq!(passed.move_text(), "h8--g10");
    }

    /// The two notations count rows from different sides, on rectangles too.
    #[test]
    fn coordinates_name_the_points_that_letters_name() {
        let size = BoardSize::new(9, 6).expect("a board");
        for point in size.iter() {
            let text = format!("{},{}", point.x(), size.height() - 1 - point.y());
            let position = Position::from_moves(Rule::Standard, size, &text).expect("a point");
            assert_eq!(position.move_text(), point.to_string(), "{text}");
        }
    }

    #[test]
    fn bad_text_is_refused() {
        let parse = |text| Position::from_moves(Rule::Freestyle, BoardSize::default(), text);
        for text in ["h8h8", "h8 7,7"] {
            let error = parse(text).map(|_| ());
            assert!(
                matches!(error, Err(ParsePositionError::Taken { number: 2, .. })),
                "{text}"
            );
        }
        for text in ["h8p1", "h8 15,0", "h8,0,15", "h8 99999999999999999999,0"] {
            let error = parse(text).map(|_| ());
            assert!(
                matches!(error, Err(ParsePositionError::OffBoard { number: 2, .. })),
                "{text}"
            );
        }
        for text in [
            "h", "8", "h8-", "h8 x", "é3", "h8,", ",h8", "h8,,i9", "7,", "7,7,", "7;7", "7, ",
            "-1,2", "h8 7 7", "7,-7",
        ] {
            assert!(
                matches!(parse(text), Err(ParsePositionError::Syntax { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn messages_stay_on_one_line() {
        let text = format!("h8 ?{}", "x".repeat(1000));
        let error = Position::from_moves(Rule::Freestyle, BoardSize::default(), &text);
        let message = error.map(|_| ()).expect_err("no moves").to_string();
        assert!(message.len() < 120, "{message}");
    }
}
