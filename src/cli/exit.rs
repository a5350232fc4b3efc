//! How commands end: the exit codes.

use std::fmt;
use std::io;

/// The command has done what it was asked to do.
pub(crate) const DONE: u8 = 0;

/// The command failed.
const FAILED: u8 = 1;

/// The command line is invalid. Clap uses the same number.
pub(crate) const WRONG_USAGE: u8 = 2;

/// A match has shown that elo0 holds.
pub(crate) const ELO0: u8 = 3;

/// A match has not settled its test.
pub(crate) const UNDECIDED: u8 = 4;

/// The exit codes, for the help.
pub(crate) const CODES: &str = "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted; \
     match --sprt-exit has more.";

/// An error of the command line that clap does not find.
#[derive(Debug)]
struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The error of an invalid command line.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// Returns the error of an invalid command line unless a condition holds.
#[cfg(feature = "shell")]
macro_rules! ensure_usage {
    ($holds:expr, $($message:tt)*) => {
        if !$holds {
            return Err($crate::cli::exit::usage(format!($($message)*)));
        }
    };
}
#[cfg(feature = "shell")]
pub(crate) use ensure_usage;

/// The exit code of a command that ended with this error.
pub(crate) fn code_of(error: &anyhow::Error) -> u8 {
    if error.is::<UsageError>() {
        WRONG_USAGE
    } else {
        FAILED
    }
}

/// The result of writing. A reader that has closed the pipe is no error, so that the exit code
/// still says how the command ended.
pub(crate) fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
