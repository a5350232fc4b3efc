//! Places in a text, for errors that say where.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from one.
    pub line: u32,
    /// The character of the line, from one.
    pub column: u32,
}

impl Place {
    /// The place of the byte `at`. A line ends with a line feed, a carriage return, or
    /// both.
    pub fn of(text: &str, at: usize) -> Place {
        let mut cursor = Cursor::default();
        cursor.advance(text, at)
    }

    /// The place in a whole text of what stands here in the part that begins at `start`.
    pub(crate) fn after(self, start: Place) -> Place {
        let column = match self.line {
            1 => start.column + self.column - 1,
            _ => self.column,
        };
        let line = start.line + self.line - 1;
        Place { line, column }
    }
}

/// `line 2, column 6`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Finds the places of bytes in ascending order, in one pass over the text.
#[derive(Debug)]
pub(crate) struct Cursor {
    at: usize,
    place: Place,
    /// The first half of the end of a line, where it came last.
    half: Option<char>,
}

impl Default for Cursor {
    fn default() -> Cursor {
        Cursor {
            at: 0,
            place: Place { line: 1, column: 1 },
            half: None,
        }
    }
}

impl Cursor {
    /// The place of the byte `at`, which is not before those of earlier calls.
    pub(crate) fn advance(&mut self, text: &str, at: usize) -> Place {
        let passed = text.get(self.at..at).unwrap_or_default();
        for c in passed.chars() {
            let half = self.half.take();
            if matches!((half, c), (Some('\r'), '\n') | (Some('\n'), '\r')) {
                continue;
            }
            if matches!(c, '\n' | '\r') {
                self.half = Some(c);
                self.place.line = self.place.line.saturating_add(1);
                self.place.column = 1;
            } else if c != '\u{feff}' {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        self.at += passed.len();
        self.place
    }
}

/// The lines of a text with their numbers from one. A line ends with a line feed, a
/// carriage return, or both.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text);
    let lines = std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(end);
        let mut after = after.chars();
        let after = behind_half(after.next()?, after.as_str());
        rest = Some(after).filter(|after| !after.is_empty());
        Some(line)
    });
    (1..).zip(lines)
}

/// What follows the end of a line whose first half came before, with or without another half.
pub(crate) fn behind_half(half: char, rest: &str) -> &str {
    let other = if half == '\r' { '\n' } else { '\r' };
    rest.strip_prefix(other).unwrap_or(rest)
}

/// The first characters of a text, no more than `most`, for a message of one line. Terminals
/// would obey some characters.
pub(crate) fn start(text: &str, most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    let shown = |c: char| match c.is_control() {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    };
    let mut start: String = text.chars().take(most).map(shown).collect();
    if text.chars().nth(most).is_some() {
        start.push_str("...");
    }
    start
}

/// A name, on one line and without characters that terminals obey.
pub(crate) fn one_line(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}

/// The start of a value that may have any length, as messages show it.
pub(crate) fn shown(text: &str) -> String {
    start(text, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let text = "a\r\nb\rc\n\nd";
        let read: Vec<(usize, &str)> = lines(text).collect();
        assert_eq!(read, [(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d")]);
        assert_eq!(lines("a\n").count(), 1);
        let place = |byte| Place::of(text, text.find(byte).unwrap_or(0));
        assert_eq!(place('b'), Place { line: 2, column: 1 });
        assert_eq!(place('d'), Place { line: 5, column: 1 });
        assert_eq!(Place::of("é(x", 3), Place { line: 1, column: 3 });
        // SGF allows both halves in either order.
        let text = "a\n\rb\n\r\n\rc";
        let read: Vec<(usize, &str)> = lines(text).collect();
        assert_eq!(read, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
        let last = Place::of(text, text.len() - 1);
        assert_eq!(last, Place { line: 4, column: 1 });
    }
}
