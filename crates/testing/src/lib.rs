//! Harnesses that the tests of several packages share, so that each stands once: oracles that
//! know only the rules, a searcher for single positions, and with the feature `program` the
//! program as a process, its servers and their clients.
//!
//! Everything here fails by a panic, as tests do.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "program")]
pub mod client;
pub mod oracle;
#[cfg(feature = "program")]
pub mod process;
pub mod referee;
pub mod searcher;
#[cfg(feature = "program")]
pub mod server;
#[cfg(feature = "program")]
pub mod visitor;
pub mod weights;

/// The longest time that a test waits for anything.
#[cfg(feature = "program")]
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// The folder of the programs that were built with the running test.
#[cfg(feature = "program")]
pub fn built() -> std::path::PathBuf {
    // Cargo puts tests into `deps` beside the programs.
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().to_owned()
}

/// The path of the program under test: the one built with the test, or the one that the variable
/// QUINCUNX names.
#[cfg(feature = "program")]
pub fn program() -> std::path::PathBuf {
    let name = format!("quincunx{}", std::env::consts::EXE_SUFFIX);
    std::env::var_os("QUINCUNX").map_or_else(|| built().join(name), Into::into)
}
