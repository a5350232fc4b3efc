//! The host's clock.

use quincunx_engine::engine::MonotonicClock;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The time in milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// A clock that asks the host for the time.
pub(crate) fn clock() -> MonotonicClock {
    MonotonicClock::new(|| Duration::from_secs_f64(now().max(0.0) / 1000.0))
}
