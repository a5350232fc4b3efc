//! Bytes to commands.
//!
//! Input may come in any pieces: half lines, many lines at once, with any line
//! ends, a whole BOARD on one line or each stone on its own. Foreign commands
//! are read to their end too, because otherwise the coordinates inside them
//! would be taken for commands.

use super::command::{Command, is_foreign};
use super::table::CommandExtent;
use super::text::ParseError;

/// The maximum number of bytes of a line. A full board on one line has 4,000.
const MAX_LINE: usize = 16 << 10;

/// The maximum number of bytes of a block.
const MAX_BLOCK: usize = 64 << 10;

/// A command, or the reason why the input is not one.
pub type Parsed = Result<Command, ParseError>;

/// A command that is not complete yet.
struct Open {
    word: String,
    extent: CommandExtent,
    text: String,
    /// Which of the limits it has exceeded, if any.
    too_long: Option<usize>,
}

/// Reads commands from bytes that come in any pieces.
#[derive(Default)]
pub struct CommandParser {
    line: Vec<u8>,
    /// True if the last byte was a carriage return: a line feed after it ends no further line.
    after_return: bool,
    too_long: bool,
    open: Option<Open>,
}

impl CommandParser {
    /// Creates a parser at the beginning of the input.
    pub fn new() -> CommandParser {
        CommandParser::default()
    }

    /// Reads the next bytes. Every command that they complete goes to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Parsed>) {
        for &byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => self.end_line(out),
                _ if self.line.len() < MAX_LINE => self.line.push(byte),
                _ => {
                    self.shorten_line();
                    self.line.push(byte);
                }
            }
        }
    }

    /// Ends the input. Its last line needs no line end.
    pub fn finish(&mut self, out: &mut Vec<Parsed>) {
        self.end_line(out);
        if let Some(open) = self.open.take() {
            out.push(Err(open.unfinished()));
        }
    }

    /// Drops the beginning of a line that is too long. A block that ends there is done, and one
    /// that begins there goes on. A question mark stands for what is dropped, so that what is
    /// left does not look like a line or a word of its own.
    fn shorten_line(&mut self) {
        let is_whole = !std::mem::replace(&mut self.too_long, true);
        if is_whole && self.open.is_none() {
            let line = String::from_utf8_lossy(&self.line);
            let line = line.trim_start_matches('\u{feff}');
            let command = line.split_whitespace().next().and_then(Open::new);
            self.open = command.filter(|open| open.extent == CommandExtent::Block);
        }
        // Between two words, unless there is only one.
        let half = &self.line[..=MAX_LINE / 2];
        let blank = half.iter().rposition(u8::is_ascii_whitespace);
        let end = blank.filter(|&blank| blank > 1).unwrap_or(half.len());
        if split_done(&String::from_utf8_lossy(&half[..end])).is_some() {
            self.open = None;
        }
        self.line.drain(..end - 1);
        self.line[0] = b'?';
    }

    /// Reads the line that has ended, which may have several commands.
    fn end_line(&mut self, out: &mut Vec<Parsed>) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        // Some editors begin a file with a byte order mark.
        let mut line = text.trim_start_matches('\u{feff}').trim();
        if std::mem::take(&mut self.too_long) {
            match &mut self.open {
                Some(open) if open.extent == CommandExtent::Block => {
                    open.too_long = Some(MAX_LINE);
                }
                _ => {
                    self.open = None;
                    line = "";
                    out.push(Err(ParseError::TooLong(MAX_LINE)));
                }
            }
        }
        // Even an empty line belongs to an open command.
        loop {
            line = match self.open.take() {
                Some(open) => self.go_on(open, line, out),
                None if line.is_empty() => break,
                None => self.begin(line, out),
            };
            if line.is_empty() {
                break;
            }
        }
        drop(text);
        // Keeps the buffer's memory for the next line.
        self.line = bytes;
        self.line.clear();
    }

    /// Reads a line that begins a command. Returns the rest of the line.
    fn begin<'a>(&mut self, line: &'a str, out: &mut Vec<Parsed>) -> &'a str {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        self.open = Open::new(word);
        if self.open.is_some() {
            return rest.trim_start();
        }
        out.push(line.parse());
        ""
    }

    /// Reads a line that belongs to an open command. Returns the rest of the line.
    fn go_on<'a>(&mut self, mut open: Open, line: &'a str, out: &mut Vec<Parsed>) -> &'a str {
        if open.extent == CommandExtent::Path {
            open.add(line);
            out.push(match line {
                "" => Err(open.unfinished()),
                _ if line.contains(char::REPLACEMENT_CHARACTER) => {
                    Err(ParseError::Path(line.to_owned()))
                }
                _ => open.close(),
            });
            return "";
        }
        let first = line.split_whitespace().next().unwrap_or("");
        if open.ends_at_commands() && CommandExtent::of(first).is_some() {
            out.push(Err(open.unfinished()));
            return line;
        }
        let Some((before, after)) = split_done(line) else {
            open.add(line);
            self.open = Some(open);
            return "";
        };
        open.add(before);
        open.add("DONE");
        out.push(open.close());
        after
    }
}

impl Open {
    /// The command with this first word, if it goes on after its first line.
    fn new(word: &str) -> Option<Open> {
        let extent = CommandExtent::of(word)?;
        (extent != CommandExtent::Line).then(|| Open {
            word: word.to_ascii_uppercase(),
            extent,
            text: word.to_owned(),
            too_long: None,
        })
    }

    /// Adds a line. Blank lines are kept only in a comment.
    fn add(&mut self, line: &str) {
        if self.text.len() + line.len() > MAX_BLOCK {
            self.too_long = Some(MAX_BLOCK);
        } else if !line.is_empty() || self.is_comment() {
            self.text.push('\n');
            self.text.push_str(line);
        }
    }

    /// Returns whether this is a comment for the database.
    fn is_comment(&self) -> bool {
        self.word == "YXEDITTEXTDATABASE"
    }

    /// Returns whether another command inside this one means that the manager has abandoned it.
    /// Comments and foreign commands may contain anything.
    fn ends_at_commands(&self) -> bool {
        !self.is_comment() && !is_foreign(&self.word)
    }

    /// Why it is no command if it ends here.
    fn unfinished(self) -> ParseError {
        match self.extent {
            CommandExtent::Path => ParseError::NoPath(self.word),
            CommandExtent::Line | CommandExtent::Block => ParseError::Unfinished(self.word),
        }
    }

    fn close(self) -> Parsed {
        match self.too_long {
            Some(limit) => Err(ParseError::TooLong(limit)),
            None => self.text.parse(),
        }
    }
}

/// The text before and after the word DONE.
fn split_done(line: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        let end = start + word.len();
        if word.trim_end().eq_ignore_ascii_case("DONE") {
            return Some((line[..start].trim_end(), line[end..].trim_start()));
        }
        start = end;
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gomocup::{Comment, Coordinates, DatabaseCommand, Placement, Sides, StoneOwner};
    use proptest::prelude::*;

    fn parse(pieces: &[&[u8]]) -> Vec<Parsed> {
        let mut parser = CommandParser::new();
        let mut out = Vec::new();
        for piece in pieces {
            parser.push(piece, &mut out);
        }
        parser.finish(&mut out);
        out
    }

    fn stone(x: i32, y: i32, owner: StoneOwner) -> Placement {
        let at = Coordinates { x, y };
        Placement { at, owner }
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let read = parse(&[b"\xEF\xBB", b"\xBFABOUT\nEND\n"]);
        assert_eq!(read, [Ok(Command::About), Ok(Command::End)]);
    }

    #[test]
    fn a_board_reads_the_same_in_every_layout() {
        let stones = vec![
            stone(7, 7, StoneOwner::Own),
            stone(8, 8, StoneOwner::Opponent),
        ];
        let expected = vec![Ok(Command::Board(stones)), Ok(Command::End)];
        for text in [
            "BOARD\n7,7,1\n8,8,2\nDONE\nEND\n",
            "BOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\nEND\r\n",
            "board\r7,7,1\r8,8,2\rdone\rend",
            "BOARD 7,7,1 8,8,2 DONE\nEND",
            "BOARD 7,7,1 8,8,2 DONE END",
            "\n\n Board \n\n7,7,1 8,8,2\n\n Done \n \n END \n",
        ] {
            assert_eq!(parse(&[text.as_bytes()]), expected, "{text:?}");
        }
    }

    #[test]
    fn a_block_ends_within_a_line_that_is_too_long() {
        for block in ["YXEDITTEXTDATABASE", "YXBLOCKPATHUNDO", "BOARD"] {
            let long = "x".repeat(3 * MAX_LINE);
            let parsed = parse(&[format!("{block}\n{long} 7,7 DONE ABOUT\nEND\n").as_bytes()]);
            let too_long = Err(ParseError::TooLong(MAX_LINE));
            assert_eq!(parsed, [too_long, Ok(Command::About), Ok(Command::End)]);
        }
        // It does not end within a word.
        let parsed = parse(&[format!("BOARD\n{}DONE\nDONE\n", "x".repeat(MAX_LINE)).as_bytes()]);
        assert_eq!(parsed, [Err(ParseError::TooLong(MAX_LINE))]);
    }

    /// What was neither at the beginning nor at the end of such a line was once not seen.
    #[test]
    fn a_block_ends_anywhere_in_a_line_that_is_too_long() {
        for before in [MAX_LINE / 2, MAX_LINE - 12, MAX_LINE, 5 * MAX_LINE / 2] {
            for (start, word) in [("BOARD ", "x"), ("BOARD\n", "x"), ("BOARD\n", "7,7 ")] {
                let fill = |length: usize| word.repeat(length / word.len());
                let (before, after) = (fill(before), fill(2 * MAX_LINE));
                let text = format!("{start}{before} DONE {after}\nABOUT\n");
                let too_long = Err(ParseError::TooLong(MAX_LINE));
                let parsed = parse(&[text.as_bytes()]);
                assert_eq!(parsed, [too_long, Ok(Command::About)], "{}", before.len());
            }
        }
    }

    /// The word was once obeyed as if it began a line.
    #[test]
    fn the_end_of_a_line_that_is_too_long_begins_no_command() {
        let long = "x".repeat(3 * MAX_LINE);
        let parsed = parse(&[format!("BOARD\n{long} END 7,7\nDONE\nABOUT\n").as_bytes()]);
        let too_long = Err(ParseError::TooLong(MAX_LINE));
        assert_eq!(parsed, [too_long, Ok(Command::About)]);
    }

    /// What followed such a first line was once taken for commands.
    #[test]
    fn a_block_whose_first_line_is_too_long_is_refused_whole() {
        let long = "x".repeat(3 * MAX_LINE);
        for block in ["YXEDITTEXTDATABASE", "YXBLOCKPATHUNDO", "board"] {
            for rest in ["\n7,7\nDONE\nABOUT\n", " 7,7 DONE ABOUT\n"] {
                let parsed = parse(&[format!("{block} {long}{rest}").as_bytes()]);
                let too_long = Err(ParseError::TooLong(MAX_LINE));
                assert_eq!(parsed, [too_long, Ok(Command::About)], "{block} {rest:?}");
            }
        }
        // A block that is done is not open any more.
        let parsed = parse(&[format!("YXBLOCKPATH 7,7 DONE {long}\nABOUT\n").as_bytes()]);
        let too_long = Err(ParseError::TooLong(MAX_LINE));
        assert_eq!(parsed, [too_long, Ok(Command::About)]);
    }

    /// The next command was once taken for the path.
    #[test]
    fn an_empty_path_is_refused() {
        for text in ["YXSETDATABASE\n\nABOUT\n", "yxsetdatabase\r\n \r\nABOUT"] {
            let no_path = Err(ParseError::NoPath("YXSETDATABASE".to_owned()));
            assert_eq!(parse(&[text.as_bytes()]), [no_path, Ok(Command::About)]);
        }
        let no_path = Err(ParseError::NoPath("YXHASHDUMP".to_owned()));
        assert_eq!(parse(&[b"YXHASHDUMP"]), [no_path]);
    }

    /// The engine once made a file with another name.
    #[test]
    fn a_path_that_is_not_utf_8_is_refused() {
        let parsed = parse(&[b"YXSETDATABASE\ncaf\xE9.db\nABOUT\n"]);
        let no_path = Err(ParseError::Path("caf\u{fffd}.db".to_owned()));
        assert_eq!(parsed, [no_path, Ok(Command::About)]);
    }

    #[test]
    fn commands_of_others_are_passed_over_whole() {
        for text in [
            "yxsoosorvstep2\n7,7\nTURN 1,1\nDONE\n",
            "yxsoosorvstep4 3\n7,7\n8,8\n6,9\ndone\n",
            "yxblockpathundo 7,7\n8,8\ndone\n",
            "YXBLOCKPATH 1,2 DONE\n",
            "YXDBTOPOS\r\nC:\\some where\\END\r\n",
            "YXBLOCKPATHRESET\n",
        ] {
            let parsed = parse(&[text.as_bytes(), b"BEGIN\n"]);
            assert!(matches!(parsed[0], Ok(Command::Foreign(_))), "{text:?}");
            assert_eq!(parsed[1..], [Ok(Command::Begin)], "{text:?}");
        }
    }

    /// Blank lines were once dropped everywhere, since CR LF was read as two line ends.
    #[test]
    fn a_comment_keeps_its_blank_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "YXEDITTEXTDATABASE\n\n\"\na\n\nb\n\n\n\"\n\n7,7\n\nDONE\nEND\n";
            let parsed = parse(&[text.replace('\n', end).as_bytes()]);
            let comment = DatabaseCommand::SetText(
                Comment("\na\n\nb\n\n\n".to_owned()),
                vec![Coordinates { x: 7, y: 7 }],
            );
            assert_eq!(parsed, [Ok(Command::Database(comment)), Ok(Command::End)]);
        }
        let lines = b"\n".repeat(2 * MAX_BLOCK);
        let parsed = parse(&[b"YXEDITTEXTDATABASE \"", &lines, b"\" DONE\n"]);
        assert_eq!(parsed, [Err(ParseError::TooLong(MAX_BLOCK))]);
    }

    #[test]
    fn a_block_that_is_given_up_is_refused() {
        let unfinished = || Err(ParseError::Unfinished("BOARD".to_owned()));
        let parsed = parse(&[b"BOARD\n7,7,1\nSTART 20\nBOARD\n7,7,1"]);
        let start = Command::Start(Sides {
            width: 20,
            height: 20,
        });
        assert_eq!(parsed, [unfinished(), Ok(start), unfinished()]);
        for block in ["YXBLOCK", "SWAP2BOARD", "YXQUERYDATABASEALL"] {
            let parsed = parse(&[format!("{block} 7,7\nEND\n").as_bytes()]);
            let unfinished = Err(ParseError::Unfinished(block.to_owned()));
            assert_eq!(parsed, [unfinished, Ok(Command::End)]);
        }
        // A comment may contain anything.
        let parsed = parse(&[b"YXEDITTEXTDATABASE \"the\nEND\"\n7,7 DONE\n"]);
        assert!(
            matches!(parsed[..], [Ok(Command::Database(_))]),
            "{parsed:?}"
        );
    }

    #[test]
    fn bad_lines_of_a_block_spoil_it_but_not_what_follows() {
        let parsed = parse(&[b"BOARD\n7,7,1\n8,8\n9,9,1\nDONE\nABOUT\n"]);
        assert_eq!(parsed[0], Err(ParseError::Placement("8,8".to_owned())));
        assert_eq!(parsed[1..], [Ok(Command::About)]);
    }

    #[test]
    fn length_is_bounded() {
        let long = vec![b'x'; 3 * MAX_LINE];
        let parsed = parse(&[&long, b"\nABOUT\n"]);
        assert_eq!(
            parsed,
            [Err(ParseError::TooLong(MAX_LINE)), Ok(Command::About)]
        );
        for command in [&b"YXSETDATABASE\n"[..], b"BOARD\n"] {
            let done = if command.starts_with(b"BOARD") {
                "\nDONE"
            } else {
                ""
            };
            let parsed = parse(&[command, &long, done.as_bytes(), b"\nABOUT\n"]);
            assert_eq!(
                parsed,
                [Err(ParseError::TooLong(MAX_LINE)), Ok(Command::About)]
            );
        }
        let lines = b"1,1,1\n".repeat(MAX_BLOCK / 4);
        let parsed = parse(&[b"BOARD\n", &lines, b"DONE\nABOUT\n"]);
        assert_eq!(
            parsed,
            [Err(ParseError::TooLong(MAX_BLOCK)), Ok(Command::About)]
        );
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("BOARD"), Just("DONE"), Just("7,7,1"), Just("START 15"), Just("\n"),
                    Just("\r\n"), Just(" "), Just("yxblock"), Just("YXHASHLOAD"), Just("foo"),
                    Just("END"), Just("\u{e9}"), Just("INFO rule 1"),
                ],
                0..30,
            ),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        ) {
            let text = words.concat();
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut start = 0;
            for cut in cuts {
                pieces.push(&bytes[start..cut]);
                start = cut;
            }
            pieces.push(&bytes[start..]);
            prop_assert_eq!(parse(&pieces), parse(&[bytes]));
        }

        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            parse(&[&bytes]);
        }
    }
}
