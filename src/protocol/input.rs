//! The thread that reads.
//!
//! It only cuts bytes into commands, stamps them and hands them on, so it is
//! back at reading within microseconds: no command waits for a search.

use super::parser::{Parsed, Parser};
use std::io::{self, Read};
use std::time::Instant;

/// A command and the time it was read.
pub(super) struct Input {
    pub(super) parsed: Parsed,
    pub(super) read_at: Instant,
}

/// Reads commands until the input ends or `deliver` fails.
pub(super) fn read<E>(
    mut input: impl Read,
    mut deliver: impl FnMut(Input) -> Result<(), E>,
) -> Result<(), E> {
    let mut parser = Parser::new();
    let mut buffer = [0; 4096];
    let mut commands = Vec::new();
    loop {
        let got = match input.read(&mut buffer) {
            Ok(got) => got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                log::error!("can't read the input: {error}");
                0
            }
        };
        let read_at = Instant::now();
        match got {
            0 => parser.finish(&mut commands),
            _ => parser.push(&buffer[..got], &mut commands),
        }
        for parsed in commands.drain(..) {
            deliver(Input { parsed, read_at })?;
        }
        if got == 0 {
            return Ok(());
        }
    }
}
