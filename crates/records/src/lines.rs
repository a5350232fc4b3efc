//! Lines of text, and excerpts for messages.

pub use quincunx_engine::text::TextPosition;
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

/// The text behind a line end of which `half` has been read: `\r`, `\n`, `\r\n` or `\n\r`.
pub(crate) fn behind_half(half: char, rest: &str) -> &str {
    let other = if half == '\r' { '\n' } else { '\r' };
    rest.strip_prefix(other).unwrap_or(rest)
}

/// Returns true if the last non-blank line is terminated. An unterminated line may have been cut
/// short.
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
        let place = |byte| TextPosition::of(text, text.find(byte).unwrap_or(0));
        assert_eq!(place('b'), TextPosition { line: 2, column: 1 });
        assert_eq!(place('d'), TextPosition { line: 5, column: 1 });
        assert_eq!(
            TextPosition::of("é(x", 3),
            TextPosition { line: 1, column: 3 }
        );
        // SGF allows both halves in either order.
        let text = "a\n\rb\n\r\n\rc";
        let read: Vec<(usize, &str)> = lines(text).collect();
        assert_eq!(read, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
        let last = TextPosition::of(text, text.len() - 1);
        assert_eq!(last, TextPosition { line: 4, column: 1 });
    }
}
