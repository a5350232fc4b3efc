//! The command line program: arguments in, exit code out.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(cli::complain(&error)),
    }
}
