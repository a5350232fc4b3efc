//! The clock of a match. It stands while the match itself does not run, because Ctrl-Z stopped it,
//! the machine slept or was too busy: no engine loses on time for that.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two readings.
const TICK: Duration = Duration::from_millis(50);

/// The interval without a reading after which the match did not run.
const STOPPED: Duration = Duration::from_millis(500);

/// The last reading.
struct Reading {
    at: Instant,
    /// The time for which the match has not run.
    stopped: Duration,
}

impl Reading {
    fn next(&mut self, at: Instant) -> Instant {
        let passed = at.saturating_duration_since(self.at);
        if passed >= STOPPED {
            self.stopped += passed;
        }
        self.at = at;
        at.checked_sub(self.stopped).unwrap_or(at)
    }
}

/// The last reading of all threads, one of which does nothing but read.
static LAST: LazyLock<Mutex<Reading>> = LazyLock::new(|| {
    let readings = thread::Builder::new().name("clock".into());
    let reading = readings.spawn(|| {
        loop {
            thread::sleep(TICK);
            now();
        }
    });
    if let Err(error) = reading {
        log::warn!("pauses of the match are charged to its engines: {error}");
    }
    Mutex::new(Reading {
        at: Instant::now(),
        stopped: Duration::ZERO,
    })
});

/// The time by the clock of the match.
pub(super) fn now() -> Instant {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.next(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_paused_while_the_match_is_stopped() {
        let begin = Instant::now();
        let mut reading = Reading {
            at: begin,
            stopped: Duration::ZERO,
        };
        let ms = Duration::from_millis;
        for tick in 1..=20 {
            assert_eq!(reading.next(begin + TICK * tick), begin + TICK * tick);
        }
        assert_eq!(reading.next(begin + ms(61_000)), begin + ms(1_000));
        assert_eq!(reading.next(begin + ms(61_100)), begin + ms(1_100));
        assert_eq!(reading.next(begin + ms(62_000)), begin + ms(1_100));
    }
}
