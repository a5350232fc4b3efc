//! Rate limits: token buckets by whatever is limited.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// The interval at which full buckets are forgotten.
const SWEEP: Duration = Duration::from_secs(60);

/// The capacity of a bucket, and the period in which it is refilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    most: u32,
    period: Duration,
}

impl Refill {
    /// A capacity that is refilled in a period.
    pub const fn new(most: u32, period: Duration) -> Refill {
        Refill { most, period }
    }
}

/// A token bucket for each key.
#[derive(Debug)]
pub struct RateLimits<K> {
    /// The time at which each bucket is full again.
    full_at: HashMap<K, Duration>,
    swept_at: Duration,
}

impl<K> Default for RateLimits<K> {
    fn default() -> RateLimits<K> {
        RateLimits {
            full_at: HashMap::new(),
            swept_at: Duration::ZERO,
        }
    }
}

impl<K: Eq + Hash> RateLimits<K> {
    /// Takes a token out of a bucket.
    ///
    /// # Errors
    /// Returns the time to wait if the bucket is empty.
    pub fn take(&mut self, now: Duration, key: K, refill: Refill) -> Result<(), Duration> {
        if now.saturating_sub(self.swept_at) >= SWEEP {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.swept_at = now;
        }
        let next = self.check(now, &key, refill)?;
        self.full_at.insert(key, next);
        Ok(())
    }

    /// Checks whether a token is left, and takes none. Returns the time at which the bucket would
    /// be full again after it.
    ///
    /// # Errors
    /// Returns the time to wait if the bucket is empty.
    pub fn check(&self, now: Duration, key: &K, refill: Refill) -> Result<Duration, Duration> {
        let Some(each) = refill.period.checked_div(refill.most) else {
            return Err(refill.period);
        };
        let full_at = self.full_at.get(key).copied().unwrap_or_default();
        let next = full_at.max(now).saturating_add(each);
        let wait = next.saturating_sub(now.saturating_add(refill.period));
        if wait.is_zero() { Ok(next) } else { Err(wait) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn a_bucket_is_used_up_and_filled_again() {
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let minute = Duration::from_secs(60);
        let refill = Refill::new(3, minute);
        let mut limits = RateLimits::default();
        let mut now = Duration::from_secs(1_700_000_000);
        for left in [true, true, true, false, false] {
            assert_eq!(limits.take(now, one, refill).is_ok(), left);
        }
        assert_eq!(limits.take(now, one, refill), Err(Duration::from_secs(20)));
        assert!(limits.take(now, other, refill).is_ok());
        now += Duration::from_secs(20);
        assert!(limits.take(now, one, refill).is_ok());
        assert!(limits.take(now, one, refill).is_err());
        now += Duration::from_secs(3600);
        for left in [true, true, true, false] {
            assert_eq!(limits.take(now, one, refill).is_ok(), left);
        }
        assert_eq!(limits.full_at.len(), 1, "others are forgotten");
        assert!(limits.take(now, other, Refill::new(0, minute)).is_err());
    }
}
