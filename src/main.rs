//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    match quincunx::cli::run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(quincunx::cli::complain(&error)),
    }
}
