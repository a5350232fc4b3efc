//! Connections that have not sent a whole request yet. Where an address has as many connections as it
//! may have, the oldest of them gives its place to a new one.

use super::connection_limit::ConnectionGuard;
use super::network::network;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The connections without a request, by address.
#[derive(Default)]
pub(super) struct HalfOpen {
    by_network: Mutex<HashMap<IpAddr, VecDeque<Arc<PendingConnection>>>>,
}

/// A connection without a request, whose place may be given to another.
struct PendingConnection {
    guard: Mutex<Option<ConnectionGuard>>,
    is_taken: Notify,
    has_request: AtomicBool,
}

/// A connection that holds its place until this value is dropped.
pub(super) struct Holder {
    half_open: Arc<HalfOpen>,
    network: IpAddr,
    place: Arc<PendingConnection>,
}

impl HalfOpen {
    /// A new connection with its place.
    pub(super) fn hold(self: &Arc<HalfOpen>, address: IpAddr, guard: ConnectionGuard) -> Holder {
        let network = network(address);
        let place = Arc::new(PendingConnection {
            guard: Mutex::new(Some(guard)),
            is_taken: Notify::new(),
            has_request: AtomicBool::new(false),
        });
        let mut by_network = self.lock();
        let places = by_network.entry(network).or_default();
        places.push_back(Arc::clone(&place));
        drop(by_network);
        Holder {
            half_open: Arc::clone(self),
            network,
            place,
        }
    }

    /// Takes the place of the oldest connection of an address that has sent no whole request.
    pub(super) fn take_oldest(&self, address: IpAddr) -> Option<ConnectionGuard> {
        let place = (self.lock().get_mut(&network(address)))?.pop_front()?;
        place.is_taken.notify_one();
        let guard = place.guard.lock();
        guard.unwrap_or_else(PoisonError::into_inner).take()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<PendingConnection>>>> {
        self.by_network
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Holder {
    /// Keeps the connection from now on, because a whole request has arrived.
    pub(super) fn keep(&self) {
        if !self.place.has_request.swap(true, Ordering::Relaxed) {
            let mut by_network = self.half_open.lock();
            if let Some(places) = by_network.get_mut(&self.network) {
                places.retain(|place| !Arc::ptr_eq(place, &self.place));
                if places.is_empty() {
                    by_network.remove(&self.network);
                }
            }
        }
    }

    /// Waits until the place is given to another connection.
    pub(super) async fn taken(&self) {
        self.place.is_taken.notified().await;
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.keep();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::connection_limit::ConnectionLimit;

    #[test]
    fn only_connections_without_a_request_give_way() {
        let (limit, half_open) = (ConnectionLimit::new(2), Arc::<HalfOpen>::default());
        let address = IpAddr::from([192, 0, 2, 7]);
        let hold = || half_open.hold(address, limit.admit(address).unwrap());
        let (served, waiting) = (hold(), hold());
        served.keep();
        assert!(limit.admit(address).is_none());
        let guard = half_open.take_oldest(address).unwrap();
        assert!(half_open.take_oldest(address).is_none());
        drop(waiting);
        assert!(limit.admit(address).is_none(), "the place has a new holder");
        drop(guard);
        assert!(limit.admit(address).is_some());
        drop(served);
        assert!(half_open.lock().is_empty());
    }
}
