//! How many messages may come: a bucket that fills up with time.

use std::time::Duration;
use tokio::time::Instant;

/// How many messages may come at once, and the time for one more. Whoever sends more
/// waits.
pub(super) struct Allowance {
    burst: Duration,
    refill: Duration,
    /// When the bucket would be empty, had it never been full.
    empty_at: Instant,
}

impl Allowance {
    /// A full bucket.
    pub(super) fn new(now: Instant, messages: u32, refill: Duration) -> Allowance {
        let burst = refill * messages;
        Allowance {
            burst,
            refill,
            empty_at: now.checked_sub(burst).unwrap_or(now),
        }
    }

    /// Takes one message out, and returns when it may be followed.
    pub(super) fn take(&mut self, now: Instant) -> Instant {
        let earliest = now.checked_sub(self.burst).unwrap_or(now);
        self.empty_at = self.empty_at.max(earliest) + self.refill;
        self.empty_at.max(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_sends_too_much_waits() {
        const REFILL: Duration = Duration::from_millis(5);
        let start = Instant::now() + Duration::from_secs(3600);
        let mut allowance = Allowance::new(start, 200, REFILL);
        for _ in 0..200 {
            assert_eq!(allowance.take(start), start);
        }
        assert_eq!(allowance.take(start), start + REFILL);
        assert_eq!(allowance.take(start), start + REFILL * 2);
        let later = start + Duration::from_secs(10);
        assert_eq!(allowance.take(later), later);
    }
}
