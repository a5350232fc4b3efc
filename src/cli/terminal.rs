//! The protocol in a terminal: people read what they can type, and `help` and
//! `quit` do what people expect.

use crate::VERSION;
use std::io::{self, BufRead, Read, Write};

/// What a person can type.
const HELP: &str = "\
START 15        a new game on a board of 15 by 15
TURN 7,7        your move, column and row from zero; the engine answers
BEGIN           the engine has the first move
TAKEBACK 7,7    takes back the last move
INFO rule 4     renju; 0 is freestyle, 1 standard, 9 caro
INFO timeout_turn 1000   milliseconds for a move
YXSHOWFORBID    the forbidden points
quit            leaves

Without a game: quincunx --help lists the commands, protocol.md the protocol.
";

/// Says what this is.
pub(super) fn greet() -> io::Result<()> {
    write!(
        io::stderr(),
        "Quincunx {VERSION}, a Gomoku and Renju engine, listens to the Gomocup protocol.\n\
         A game: START 15, then TURN 7,7 for your move or BEGIN for the engine's.\n\
         help tells more, quit leaves; quincunx --help lists the other commands.\n"
    )
}

/// Lines that a person types, without those that are no protocol.
pub(super) struct Typed<R> {
    input: R,
    /// What of the last line was not read yet.
    line: io::Cursor<Vec<u8>>,
}

impl<R: BufRead> Typed<R> {
    /// Reads what is typed into `input`.
    pub(super) fn new(input: R) -> Typed<R> {
        Typed {
            input,
            line: io::Cursor::default(),
        }
    }

    /// The next line for the protocol; nothing at the end.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let mut line = Vec::new();
            self.input.read_until(b'\n', &mut line)?;
            match line.trim_ascii().to_ascii_lowercase().as_slice() {
                b"help" | b"?" => io::stderr().write_all(HELP.as_bytes())?,
                b"quit" | b"exit" => return Ok(b"END\n".to_vec()),
                _ => return Ok(line),
            }
        }
    }
}

impl<R: BufRead> Read for Typed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.position() >= self.line.get_ref().len() as u64 {
            self.line = io::Cursor::new(self.next()?);
        }
        self.line.read(buffer)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_becomes_protocol() {
        let typed = "START 15\nhelp\n  Help \nBEGIN\nquit\nnever read";
        let mut heard = String::new();
        let mut input = Typed::new(typed.as_bytes());
        input.read_to_string(&mut heard).unwrap();
        assert_eq!(heard, "START 15\nBEGIN\nEND\nnever read");
    }
}
