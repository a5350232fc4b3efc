//! Pipes to a session in the same process, without the
//! system's calls.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the session reads: pieces of any length.
pub(crate) struct Input {
    pub(crate) pieces: Receiver<Vec<u8>>,
    pub(crate) rest: VecDeque<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // Who has hung up has sent all.
            self.rest = self.pieces.recv().unwrap_or_default().into();
        }
        self.rest.read(buffer)
    }
}

/// What it writes: lines.
pub(crate) struct Output {
    lines: Sender<String>,
    rest: Vec<u8>,
}

impl Output {
    /// The session's end of a wire, and the manager's.
    pub(crate) fn new() -> (Output, Receiver<String>) {
        let (lines, expected_replies) = channel();
        let rest = Vec::new();
        (Output { lines, rest }, expected_replies)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend(bytes);
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line = self.rest.drain(..=end).collect::<Vec<u8>>();
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            // Who has hung up wants nothing more.
            let _ = self.lines.send(line);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
