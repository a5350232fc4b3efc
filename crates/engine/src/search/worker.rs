//! Threads to search on.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack that a thread should have to search on, in bytes. Deep lines recurse; pages
/// that are never touched cost nothing.
pub const STACK_SIZE: usize = 16 << 20;

/// Starts a thread in `scope` that has the stack of a search, [`STACK_SIZE`].
///
/// # Errors
/// When the system gives no thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new()
        .stack_size(STACK_SIZE)
        .spawn_scoped(scope, work)
}
