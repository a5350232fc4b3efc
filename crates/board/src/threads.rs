//! Threads whose end is always told: what waits for one that has panicked would wait for ever.

use quincunx_engine::search::STACK_SIZE;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Does `work` on its own thread. If it panics, or the system has no thread, `failed` is called.
pub(crate) fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
    failed: impl Fn() + Send + Sync + 'static,
) {
    let failed = Arc::new(failed);
    let on_panic = Arc::clone(&failed);
    let watched = move || {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            on_panic();
        }
    };
    let thread = std::thread::Builder::new().name(name.to_owned());
    if let Err(error) = thread.stack_size(STACK_SIZE).spawn(watched) {
        log::error!("no thread to search in: {error}");
        failed();
    }
}
