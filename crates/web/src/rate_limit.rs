//! Rate limits of processor time: token buckets.

use super::network::network;
use super::processor::measured;
use std::collections::HashMap;
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::ready;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// A rate limit of processor time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The capacity of the bucket.
    pub(super) burst: Duration,
    /// The seconds in which one second may be used.
    pub(super) seconds_for_one: u32,
}

impl Rate {
    /// No limit.
    pub(super) const UNLIMITED: Rate = Rate {
        burst: Duration::MAX,
        seconds_for_one: 0,
    };
}

/// A token bucket. A cost is known only afterwards, so the last of a burst may overdraw the bucket,
/// and the next has to wait longer.
#[derive(Debug)]
pub(super) struct RateLimit {
    rate: Rate,
    /// The time at which the bucket is full again.
    full_at: Instant,
}

impl RateLimit {
    /// A full bucket.
    pub(super) fn new(now: Instant, rate: Rate) -> RateLimit {
        RateLimit { rate, full_at: now }
    }

    /// The time at which the bucket is no longer empty.
    pub(super) fn ready_at(&self) -> Instant {
        let burst = self.rate.burst.saturating_mul(self.rate.seconds_for_one);
        self.full_at.checked_sub(burst).unwrap_or(self.full_at)
    }

    /// Takes out what something has cost.
    pub(super) fn spend(&mut self, now: Instant, cost: Duration) {
        let time = cost.saturating_mul(self.rate.seconds_for_one);
        self.full_at = self.full_at.max(now) + time;
    }
}

/// A bucket for each address.
pub(super) struct AddressLimits {
    rate: Rate,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    by_network: HashMap<IpAddr, SharedLimit>,
    /// The number of buckets at which full ones are dropped next.
    sweep_at: usize,
}

/// A bucket that the connections from one address share.
#[derive(Clone)]
pub(super) struct SharedLimit(Arc<Mutex<RateLimit>>);

impl AddressLimits {
    /// A full bucket for every address.
    pub(super) fn new(rate: Rate) -> AddressLimits {
        AddressLimits {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// The bucket of an address.
    pub(super) fn of(&self, now: Instant, address: IpAddr) -> SharedLimit {
        let buckets = self.buckets.lock();
        let mut buckets = buckets.unwrap_or_else(PoisonError::into_inner);
        if buckets.by_network.len() >= buckets.sweep_at {
            let is_used =
                |limit: &SharedLimit| Arc::strong_count(&limit.0) > 1 || limit.lock().full_at > now;
            buckets.by_network.retain(|_, limit| is_used(limit));
            buckets.sweep_at = 2 * buckets.by_network.len() + 64;
        }
        let new = || SharedLimit::new(now, self.rate);
        let bucket = buckets.by_network.entry(network(address));
        bucket.or_insert_with(new).clone()
    }
}

impl SharedLimit {
    /// A full bucket.
    pub(super) fn new(now: Instant, rate: Rate) -> SharedLimit {
        SharedLimit(Arc::new(Mutex::new(RateLimit::new(now, rate))))
    }

    fn lock(&self) -> MutexGuard<'_, RateLimit> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time at which the bucket is no longer empty.
    pub(super) fn ready_at(&self) -> Instant {
        self.lock().ready_at()
    }

    /// Waits until there is something in the bucket.
    pub(super) async fn ready(&self) {
        while self.ready_at() > Instant::now() {
            sleep_until(self.ready_at()).await;
        }
    }

    /// Takes out what something has cost.
    pub(super) fn spend(&self, now: Instant, cost: Duration) {
        self.lock().spend(now, cost);
    }

    /// Does something, and takes out the processor time of each of its steps, also where it is
    /// given up before its end.
    pub(super) async fn charge<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let (polled, cost) = measured(|| work.as_mut().poll(context));
            self.spend(Instant::now(), cost);
            polled
        })
        .await
    }
}

/// Does something whose next step waits while too much is used: `spend` is told the processor time
/// of each step, and says when the next may begin.
pub(super) async fn paced<T>(
    work: impl Future<Output = T>,
    mut spend: impl FnMut(Duration) -> Instant,
) -> T {
    let mut work = pin!(work);
    let mut wait = pin!(sleep_until(Instant::now()));
    poll_fn(|context| {
        loop {
            // Others may have used the same bucket meanwhile.
            let ready_at = spend(Duration::ZERO);
            if ready_at <= Instant::now() {
                break;
            }
            wait.as_mut().reset(ready_at);
            ready!(wait.as_mut().poll(context));
        }
        let (polled, cost) = measured(|| work.as_mut().poll(context));
        spend(cost);
        polled
    })
    .await
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::processor::processor_time;

    const RATE: Rate = Rate {
        burst: Duration::from_millis(100),
        seconds_for_one: 10,
    };

    #[test]
    fn a_burst_is_free_and_then_a_share_of_the_time() {
        let start = Instant::now() + Duration::from_secs(3600);
        let mut limit = RateLimit::new(start, RATE);
        for _ in 0..10 {
            assert!(limit.ready_at() <= start);
            limit.spend(start, Duration::from_millis(10));
        }
        assert_eq!(limit.ready_at(), start);
        // A tenth of the time is free: ten milliseconds cost a tenth of a second.
        limit.spend(start, Duration::from_millis(10));
        assert_eq!(limit.ready_at(), start + Duration::from_millis(100));
        let later = start + Duration::from_secs(60);
        limit.spend(later, Duration::from_millis(10));
        assert!(limit.ready_at() < later);
    }

    #[test]
    fn nothing_waits_without_a_limit() {
        let start = Instant::now();
        let mut limit = RateLimit::new(start, Rate::UNLIMITED);
        limit.spend(start, Duration::from_secs(1_000_000));
        assert!(limit.ready_at() <= start);
    }

    /// Requests were once taken to cost as much as each other.
    #[test]
    fn work_costs_what_it_takes_also_where_it_is_given_up() {
        const TAKES: Duration = Duration::from_millis(20);
        let limits = AddressLimits::new(RATE);
        let begun = Instant::now();
        let limit = limits.of(begun, IpAddr::from([192, 0, 2, 1]));
        let work = async {
            let before = processor_time();
            while processor_time() - before < TAKES {}
            std::future::pending().await
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.build().unwrap().block_on(async {
            tokio::select! {
                biased;
                () = limit.charge(work) => {}
                () = std::future::ready(()) => {}
            }
        });
        assert!(limit.lock().full_at >= begun + TAKES * RATE.seconds_for_one);
    }

    /// Work that never waits of itself once went on as long as it found something to do.
    #[test]
    fn the_next_step_waits_while_too_much_is_used() {
        const FOR: Duration = Duration::from_secs(1);
        const STEP: Duration = Duration::from_millis(5);
        let mut limit = RateLimit::new(Instant::now(), RATE);
        let mut used = Duration::ZERO;
        let work = poll_fn(|context| {
            let before = processor_time();
            while processor_time() - before < STEP {}
            context.waker().wake_by_ref();
            std::task::Poll::<()>::Pending
        });
        let spend = |cost| {
            used += cost;
            limit.spend(Instant::now(), cost);
            limit.ready_at()
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        let timeout =
            runtime.block_on(async { tokio::time::timeout(FOR, paced(work, spend)).await });
        assert!(timeout.is_err());
        // The burst, a tenth of the time, and the step that overdraws it.
        assert!(
            used >= RATE.burst && used <= RATE.burst + FOR / 5 + 2 * STEP,
            "{used:?}"
        );
    }

    /// A connection that comes again finds the bucket as it was left.
    #[test]
    fn an_address_keeps_its_bucket_until_it_is_full() {
        let limits = AddressLimits::new(RATE);
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let start = Instant::now() + Duration::from_secs(3600);
        limits.of(start, one).spend(start, Duration::from_secs(1));
        assert!(limits.of(start, one).ready_at() > start);
        assert!(limits.of(start, other).ready_at() <= start);
        for last in 0..=255 {
            limits.of(start, IpAddr::from([198, 51, 100, last]));
        }
        assert!(limits.of(start, one).ready_at() > start);
        let later = start + Duration::from_secs(60);
        limits.buckets.lock().unwrap().sweep_at = 0;
        limits.of(later, other);
        assert_eq!(limits.buckets.lock().unwrap().by_network.len(), 1);
    }
}
