//! The time of a club. It stands while the program does not run: no player is charged for that.

use quincunx_engine::engine::MonotonicClock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The interval without a reading after which the program did not run, because it was stopped or
/// the machine was busy. A club reads the time twenty times a second at least.
const STOPPED: Duration = Duration::from_millis(300);

/// The time for which a machine has slept when its connections may be dead.
const ASLEEP: Duration = Duration::from_secs(10);

/// The time since 1970. It never goes back, and is paused while the program does not run. Clones
/// share the time.
#[derive(Clone)]
pub(super) struct Clock {
    monotonic: MonotonicClock,
    /// The time that the machine shows, which people may set.
    shown: Arc<dyn Fn() -> Duration + Send + Sync>,
    last: Arc<Mutex<LastReading>>,
}

/// The last reading.
struct LastReading {
    time: Duration,
    /// The monotonic time of the reading.
    at: Duration,
    /// The offset from the time of the machine at the last comparison.
    behind: Duration,
}

impl Clock {
    /// The clock of the system.
    pub(super) fn system() -> Clock {
        let since_1970 = || SystemTime::now().duration_since(UNIX_EPOCH);
        Clock::new(MonotonicClock::system(), move || {
            since_1970().unwrap_or_default()
        })
    }

    fn new(
        monotonic: MonotonicClock,
        shown: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Clock {
        let last = LastReading {
            time: shown(),
            at: monotonic.now(),
            behind: Duration::ZERO,
        };
        Clock {
            monotonic,
            shown: Arc::new(shown),
            last: Arc::new(Mutex::new(last)),
        }
    }

    fn last(&self) -> MutexGuard<'_, LastReading> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time.
    pub(super) fn now(&self) -> Duration {
        let mut last = self.last();
        let at = self.monotonic.now();
        // Some systems count the time in which they sleep, and others do not.
        let passed = at.saturating_sub(last.at);
        if passed < STOPPED {
            last.time += passed;
        }
        last.at = at;
        last.time
    }

    /// Returns how long the machine has slept since the last call, or how far its clock was set
    /// forward, if that is [`ASLEEP`] or more. A slow drift between the two clocks does not count.
    pub(super) fn slept(&self) -> Option<Duration> {
        let behind = (self.shown)().saturating_sub(self.now());
        let mut last = self.last();
        let slept = behind.saturating_sub(last.behind);
        last.behind = behind;
        (slept >= ASLEEP).then_some(slept)
    }

    /// Moves the time forward.
    pub(super) fn move_on(&self, by: Duration) {
        let mut last = self.last();
        last.time += by;
        last.behind = last.behind.saturating_sub(by);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn time_is_paused_while_the_machine_sleeps() {
        // The monotonic time, and the time that the machine shows.
        let times = Arc::new(Mutex::new((s(50), s(1_700_000_000))));
        let [one, other] = [Arc::clone(&times), Arc::clone(&times)];
        let monotonic = MonotonicClock::new(move || one.lock().unwrap().0);
        let clock = Clock::new(monotonic, move || other.lock().unwrap().1);
        let pass = |monotonic: Duration, shown: Duration| {
            let mut times = times.lock().unwrap();
            times.0 += monotonic;
            times.1 += shown;
        };
        let begun = clock.now();
        assert_eq!(begun, s(1_700_000_000));
        let tick = Duration::from_millis(50);
        for _ in 0..40 {
            pass(tick, tick);
            assert_eq!(clock.slept(), None);
        }
        assert_eq!(clock.now(), begun + s(2));
        // Stopped for a second: nobody is charged, and nothing is woken.
        pass(s(1), s(1));
        assert_eq!((clock.now(), clock.slept()), (begun + s(2), None));
        // A system that counts the time in which it sleeps, and one that does not.
        for guard in [600, 0] {
            let before = clock.now();
            pass(s(guard), s(600));
            assert_eq!((clock.now(), clock.slept()), (before, Some(s(600))));
            clock.move_on(s(600));
            assert_eq!((clock.now(), clock.slept()), (before + s(600), None));
        }
        // Clocks that drift apart by a tenth of a second at a time.
        for _ in 0..200 {
            let mut times = times.lock().unwrap();
            times.1 += Duration::from_millis(100);
            drop(times);
            assert_eq!(clock.slept(), None);
        }
        // It never goes back.
        let before = clock.now();
        times.lock().unwrap().1 -= s(3600);
        pass(tick, tick);
        assert_eq!((clock.now(), clock.slept()), (before + tick, None));
    }
}
