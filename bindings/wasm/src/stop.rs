//! The stop signal of a search: memory that the page shares with the worker.
//!
//! A worker that searches hears no message before it is done. Where memory can't be shared the
//! page ends the worker instead.

use js_sys::{Atomics, Int32Array};
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static WATCHED: RefCell<Option<(Int32Array, i32)>> = const { RefCell::new(None) };
}

/// The next search is one of many, with this number. It stops once the first number of `flag`,
/// in shared memory, is at least as large.
#[wasm_bindgen(js_name = watchStop)]
pub fn watch_stop(flag: Int32Array, number: i32) {
    WATCHED.set(Some((flag, number)));
}

/// Returns whether the search that runs is to stop.
pub(crate) fn is_due() -> bool {
    WATCHED.with_borrow(|watched| match watched {
        Some((flag, number)) => Atomics::load(flag, 0).is_ok_and(|stopped| stopped >= *number),
        None => false,
    })
}
