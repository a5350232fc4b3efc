//! Search threads and their stack.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack size that a thread needs for a search, in bytes, because the search recurses
/// deeply. Pages that are never touched cost nothing.
pub const STACK_SIZE: usize = 16 << 20;

/// Starts a thread in `scope` with a stack of [`STACK_SIZE`].
///
/// # Errors
/// When the system can't start a thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new()
        .stack_size(STACK_SIZE)
        .spawn_scoped(scope, work)
}
