//! Threads for the search: workers that each run the same module on the same memory.
//!
//! WebAssembly begins no thread. The engine's worker begins further ones instead, which wait here
//! for a place in the pool that the search takes its threads from.

use rayon_core::{ThreadBuilder, ThreadPoolBuilder};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// The places of the pool that no worker has taken.
static PLACES: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());

/// There is a place.
static NEW_PLACE: Condvar = Condvar::new();

fn places() -> MutexGuard<'static, Vec<ThreadBuilder>> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The module as compiled, for further workers.
#[wasm_bindgen]
pub fn module() -> JsValue {
    wasm_bindgen::module()
}

/// Makes a pool of so many workers, once, and waits until all of them have called `joinPool`.
#[wasm_bindgen(js_name = makePool)]
pub fn make_pool(workers: usize) -> Result<(), JsError> {
    let offer = |place| {
        places().push(place);
        NEW_PLACE.notify_one();
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(workers);
    Ok(pool.spawn_handler(offer).build_global()?)
}

/// Works for the pool, as long as the worker lives.
#[wasm_bindgen(js_name = joinPool)]
pub fn join_pool() {
    let place = {
        let waiting = NEW_PLACE.wait_while(places(), |places| places.is_empty());
        waiting.unwrap_or_else(PoisonError::into_inner).pop()
    };
    if let Some(place) = place {
        place.run();
    }
}
