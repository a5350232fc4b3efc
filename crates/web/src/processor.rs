//! The processor time of the thread that asks.

use std::time::Duration;

/// The processor time of this thread, or the time that has passed if the system does not count it.
pub(super) fn processor_time() -> Duration {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// Calls a function, and returns its result with the processor time of this thread.
pub(super) fn measured<T>(act: impl FnOnce() -> T) -> (T, Duration) {
    let before = processor_time();
    let done = act();
    (done, processor_time().saturating_sub(before))
}
