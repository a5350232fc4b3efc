//! Rate limits by address or person.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// A token bucket for each address or person, of a capacity that is refilled in every period.
#[derive(Debug)]
pub struct Quotas<K> {
    most: u32,
    period: Duration,
    /// The time at which each bucket is full again.
    free_at: HashMap<K, Duration>,
    swept_at: Duration,
}

impl<K: Eq + Hash> Quotas<K> {
    /// Quotas of so many times in a period.
    pub fn new(most: u32, period: Duration) -> Quotas<K> {
        Quotas {
            most,
            period,
            free_at: HashMap::new(),
            swept_at: Duration::ZERO,
        }
    }

    /// Takes one off a quota.
    ///
    /// # Errors
    /// When nothing is left: the time until there is.
    pub fn take(&mut self, now: Duration, whose: K) -> Result<(), Duration> {
        // Those with a whole quota need not be remembered.
        if now.saturating_sub(self.swept_at) >= self.period {
            self.free_at.retain(|_, free_at| *free_at > now);
            self.swept_at = now;
        }
        let next = self.check(now, &whose)?;
        self.free_at.insert(whose, next);
        Ok(())
    }

    /// Checks whether one may be taken, and takes nothing. Returns the time at which the quota
    /// would be full again after it.
    ///
    /// # Errors
    /// Returns the time to wait if the quota is used up.
    pub fn check(&self, now: Duration, whose: &K) -> Result<Duration, Duration> {
        let Some(each) = self.period.checked_div(self.most) else {
            return Err(self.period);
        };
        let free_at = self.free_at.get(whose).copied().unwrap_or_default();
        let next = free_at.max(now).saturating_add(each);
        let wait = next.saturating_sub(now.saturating_add(self.period));
        if wait.is_zero() { Ok(next) } else { Err(wait) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn a_quota_is_used_up_and_comes_back() {
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let mut quotas = Quotas::new(3, Duration::from_secs(60));
        let mut now = Duration::from_secs(1_700_000_000);
        for left in [true, true, true, false, false] {
            assert_eq!(quotas.take(now, one).is_ok(), left);
        }
        assert_eq!(quotas.take(now, one), Err(Duration::from_secs(20)));
        assert!(quotas.take(now, other).is_ok());
        now += Duration::from_secs(20);
        assert!(quotas.take(now, one).is_ok());
        assert!(quotas.take(now, one).is_err());
        now += Duration::from_secs(3600);
        for left in [true, true, true, false] {
            assert_eq!(quotas.take(now, one).is_ok(), left);
        }
        assert_eq!(quotas.free_at.len(), 1, "others are forgotten");
        assert!(
            Quotas::new(0, Duration::from_secs(60))
                .take(now, one)
                .is_err()
        );
    }
}
