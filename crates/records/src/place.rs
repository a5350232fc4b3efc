//! Lines of text, and excerpts for messages.

pub use quincunx_engine::text::TextPosition as Place;
pub(crate) use quincunx_engine::text::{Cursor, excerpt as start, is_blank};

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

/// Whether the last line that is not blank has an end: one that has none may be the start of a
/// longer one.
pub(crate) fn has_last_end(text: &str) -> bool {
    let end = text.trim_end_matches(is_blank).len();
    text[end..].contains(['\n', '\r'])
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
