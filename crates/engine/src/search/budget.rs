//! The nodes that the threads of a search may still use, and the signal that
//! stops them.

use super::limits::POLL_INTERVAL;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The node limit of a search, shared by its threads.
///
/// Threads take nodes in small portions: together they never use more than the
/// limit, and a single thread uses exactly the limit.
pub(super) struct NodeBudget {
    /// The most nodes of all threads together.
    limit: u64,
    /// The nodes in portions that threads have taken.
    taken: AtomicU64,
    stopped: AtomicBool,
}

impl NodeBudget {
    pub(super) fn new(limit: u64) -> NodeBudget {
        NodeBudget {
            limit,
            taken: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Takes a portion of nodes: none if the limit is reached or the search
    /// must stop.
    pub(super) fn take(&self) -> u64 {
        if self.stopped.load(Relaxed) {
            return 0;
        }
        let portion = |taken: u64| POLL_INTERVAL.min(self.limit - taken);
        let take = |taken: u64| Some(taken + portion(taken));
        let taken = match self.taken.fetch_update(Relaxed, Relaxed, take) {
            Ok(taken) | Err(taken) => taken,
        };
        portion(taken)
    }

    /// The nodes in portions that threads have taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// Leaves no thread another portion.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_taken_once() {
        let limit = 10 * POLL_INTERVAL + 7;
        let budget = NodeBudget::new(limit);
        let take_all = || {
            let portions = std::iter::from_fn(|| Some(budget.take()).filter(|&nodes| nodes > 0));
            portions.sum::<u64>()
        };
        let taken: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take_all)).collect();
            threads
                .into_iter()
                .map(|t| t.join().expect("no panic"))
                .sum()
        });
        assert_eq!(taken, limit);
        let stopped = NodeBudget::new(limit);
        stopped.stop();
        assert_eq!(stopped.take(), 0);
    }
}
