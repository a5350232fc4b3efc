//! How often something may be done from an address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// How often something may be done from each address: so many times at once, and as
/// often in every period.
#[derive(Debug)]
pub struct Quotas {
    most: u32,
    period: Duration,
    /// When each address that has done something has its whole quota again.
    free_at: HashMap<IpAddr, Duration>,
    swept_at: Duration,
}

impl Quotas {
    /// Quotas of so many times in a period.
    pub fn new(most: u32, period: Duration) -> Quotas {
        Quotas {
            most,
            period,
            free_at: HashMap::new(),
            swept_at: Duration::ZERO,
        }
    }

    /// Takes one off the quota of an address. Says whether there was any left.
    pub fn take(&mut self, now: Duration, from: IpAddr) -> bool {
        // Addresses with a whole quota need not be remembered.
        if now.saturating_sub(self.swept_at) >= self.period {
            self.free_at.retain(|_, free_at| *free_at > now);
            self.swept_at = now;
        }
        let Some(each) = self.period.checked_div(self.most) else {
            return false;
        };
        let free_at = self.free_at.entry(from).or_default();
        let next = (*free_at).max(now).saturating_add(each);
        let is_left = next <= now.saturating_add(self.period);
        if is_left {
            *free_at = next;
        }
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_used_up_and_comes_back() {
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let mut quotas = Quotas::new(3, Duration::from_secs(60));
        let mut now = Duration::from_secs(1_700_000_000);
        for left in [true, true, true, false, false] {
            assert_eq!(quotas.take(now, one), left);
        }
        assert!(quotas.take(now, other));
        now += Duration::from_secs(20);
        assert!(quotas.take(now, one));
        assert!(!quotas.take(now, one));
        now += Duration::from_secs(3600);
        for left in [true, true, true, false] {
            assert_eq!(quotas.take(now, one), left);
        }
        assert_eq!(quotas.free_at.len(), 1, "others are forgotten");
        assert!(!Quotas::new(0, Duration::from_secs(60)).take(now, one));
    }
}
