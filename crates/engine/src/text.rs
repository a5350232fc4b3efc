//! Positions and excerpts of texts, for readers whose errors say where.
//!
//! Layer 1.

use std::fmt;

/// The position of a character in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line, from one.
    pub line: u32,
    /// The character of the line, from one.
    pub column: u32,
}

impl TextPosition {
    /// The position of the byte `at`. A line ends with a line feed, a carriage return, or
    /// both.
    pub fn of(text: &str, at: usize) -> TextPosition {
        let mut cursor = Cursor::default();
        cursor.advance(text, at)
    }

    /// The position in a whole text, where this is a position in the part that begins at `start`.
    pub fn after(self, start: TextPosition) -> TextPosition {
        let column = match self.line {
            1 => start.column + self.column - 1,
            _ => self.column,
        };
        let line = start.line + self.line - 1;
        TextPosition { line, column }
    }
}

/// `line 2, column 6`.
impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The positions of bytes in ascending order, in one pass over a text.
#[derive(Debug)]
pub struct Cursor {
    at: usize,
    position: TextPosition,
    /// The first half of the end of a line, if it was the last character.
    half: Option<char>,
}

impl Default for Cursor {
    fn default() -> Cursor {
        Cursor {
            at: 0,
            position: TextPosition { line: 1, column: 1 },
            half: None,
        }
    }
}

impl Cursor {
    /// The position of the byte `at`, which is not before those of earlier calls.
    pub fn advance(&mut self, text: &str, at: usize) -> TextPosition {
        let passed = text.get(self.at..at).unwrap_or_default();
        for c in passed.chars() {
            let half = self.half.take();
            if matches!((half, c), (Some('\r'), '\n') | (Some('\n'), '\r')) {
                continue;
            }
            if matches!(c, '\n' | '\r') {
                self.half = Some(c);
                self.position.line = self.position.line.saturating_add(1);
                self.position.column = 1;
            } else if c != '\u{feff}' {
                self.position.column = self.position.column.saturating_add(1);
            }
        }
        self.at += passed.len();
        self.position
    }
}

/// The first characters of a text, no more than `most`, for a message of one line. Terminals
/// would obey some characters.
pub fn excerpt(text: &str, most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    let shown = |c: char| match c.is_control() {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    };
    let mut excerpt: String = text.chars().take(most).map(shown).collect();
    if text.chars().nth(most).is_some() {
        excerpt.push_str("...");
    }
    excerpt
}

/// Returns whether a character is a blank, or the byte-order mark that some editors write.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\0' | '\u{1a}')
}
