//! The stack that searches need: deep lines recurse.

use anyhow::{Context, Result, anyhow};
use quincunx_engine::search::STACK_SIZE;
use std::thread;

/// Does some work on a thread with the stack of a search.
pub(super) fn on_search_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.context("can't start a thread")?;
        thread.join().map_err(|_| anyhow!("the search has failed"))
    })
}
