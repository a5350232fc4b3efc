//! The one place where protocol lines are written.

use crate::VERSION;
use quincunx_engine::gomocup::{About, Reply};
use std::io::{self, Write};

/// The longest line: some managers cut lines or copy them to small buffers.
const MAX_LINE: usize = 1000;

/// Writes replies, each as a whole line in one write: some managers never join
/// what arrives in two pieces.
pub(super) struct ReplyWriter<W: Write> {
    writer: W,
}

impl<W: Write> ReplyWriter<W> {
    /// A writer of replies to `writer`.
    pub(super) fn new(writer: W) -> Self {
        ReplyWriter { writer }
    }

    /// Sends `reply`.
    pub(super) fn send(&mut self, reply: &Reply) -> io::Result<()> {
        self.write(printable(&reply.to_string()))
    }

    /// Sends what a database holds as a message: whole, in UTF-8, and over several lines where a
    /// comment has them.
    pub(super) fn send_held(&mut self, text: &str) -> io::Result<()> {
        let shown = |c: char| match c {
            '\n' | '\t' => c,
            c if c.is_control() => '?',
            c => c,
        };
        let text = Reply::Message(text.to_owned()).to_string();
        self.write(text.chars().map(shown).collect())
    }

    fn write(&mut self, mut line: String) -> io::Result<()> {
        log::debug!("< {line}");
        line.push('\n');
        self.writer.write_all(line.as_bytes())?;
        self.writer.flush()
    }
}

/// The text as one line of ASCII of bounded length.
fn printable(text: &str) -> String {
    let plain = |c: char| {
        if c == ' ' || c.is_ascii_graphic() {
            c
        } else {
            '?'
        }
    };
    let mut line: String = text.chars().take(MAX_LINE).map(plain).collect();
    if text.chars().nth(MAX_LINE).is_some() {
        line.truncate(MAX_LINE - 3);
        line.push_str("...");
    }
    line
}

/// The answer to ABOUT.
pub(super) fn about() -> About {
    let entry = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    About {
        entries: vec![
            entry("name", "Quincunx"),
            entry("version", VERSION),
            entry("author", env!("CARGO_PKG_AUTHORS")),
            entry("country", "International"),
            entry("www", env!("CARGO_PKG_REPOSITORY")),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_plain() {
        assert_eq!(printable("a\tb\u{e9}\nc"), "a?b??c");
        let long = printable(&"x".repeat(5000));
        assert_eq!(long.len(), MAX_LINE);
        assert!(long.ends_with("..."));
    }

    #[test]
    fn about_names_the_engine_without_commas_in_its_name() {
        let about = about();
        assert_eq!(about.get("name"), Some("Quincunx"));
        assert!(
            about
                .to_string()
                .starts_with("name=\"Quincunx\", version=\"")
        );
    }
}
