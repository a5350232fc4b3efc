//! Arguments in, exit code out.

use quincunx_engine::search::STACK_SIZE;
use std::process::ExitCode;
use std::thread::Builder;

/// Works on a thread with the stack of a search: that of the main thread is the system's choice, on
/// Windows 1 MiB.
fn main() -> ExitCode {
    match Builder::new().stack_size(STACK_SIZE).spawn(run) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::FAILURE),
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    match quincunx::cli::run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(quincunx::cli::complain(&error)),
    }
}
