//! Reading commands.

use quincunx_engine::engine::MonotonicClock;
use quincunx_engine::gomocup::{CommandParser, Parsed};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::time::Duration;

/// Reads commands until the input ends or `obey` breaks off, and hands each
/// over with the time at which it was read.
pub(super) fn read_commands(
    mut input: impl Read,
    clock: &MonotonicClock,
    mut obey: impl FnMut(&Parsed, Duration) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let mut parser = CommandParser::new();
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
        let read_at = clock.now();
        match got {
            0 => parser.finish(&mut commands),
            _ => parser.push(&buffer[..got], &mut commands),
        }
        for parsed in commands.drain(..) {
            if obey(&parsed, read_at)?.is_break() {
                return Ok(());
            }
        }
        if got == 0 {
            return Ok(());
        }
    }
}
