//! The clock of an engine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A clock that tells the time since some moment in the past. Clones tell the same time.
#[derive(Clone)]
pub struct MonotonicClock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl MonotonicClock {
    /// Creates a clock that asks `now` for the time, which must never go back.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> MonotonicClock {
        MonotonicClock(Arc::new(now))
    }

    /// The system's monotonic clock.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn system() -> MonotonicClock {
        let start = std::time::Instant::now();
        MonotonicClock::new(move || start.elapsed())
    }

    /// The time since the clock's moment in the past.
    pub fn now(&self) -> Duration {
        (self.0)()
    }

    /// The time since `earlier`.
    pub(super) fn since(&self, earlier: Duration) -> Duration {
        self.now().saturating_sub(earlier)
    }

    /// The time since `earlier`, in milliseconds.
    pub(super) fn milliseconds_since(&self, earlier: Duration) -> u64 {
        u64::try_from(self.since(earlier).as_millis()).unwrap_or(u64::MAX)
    }
}

impl fmt::Debug for MonotonicClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MonotonicClock({:?})", self.now())
    }
}
