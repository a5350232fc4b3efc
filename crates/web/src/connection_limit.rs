//! The most connections from one address at a time.

use super::network::network;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of connections from each address, and its limit.
pub(super) struct ConnectionLimit {
    most: usize,
    by_network: Mutex<HashMap<IpAddr, usize>>,
}

/// A connection that counts until this value is dropped.
pub(super) struct ConnectionGuard {
    limit: Arc<ConnectionLimit>,
    network: IpAddr,
    number: usize,
}

impl ConnectionGuard {
    /// The number of connections from its address when it came, with this one.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl ConnectionLimit {
    /// A limit without a connection.
    pub(super) fn new(most: usize) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit {
            most,
            by_network: Mutex::default(),
        })
    }

    /// Counts one more connection from an address, unless there are too many.
    pub(super) fn admit(self: &Arc<ConnectionLimit>, address: IpAddr) -> Option<ConnectionGuard> {
        let network = network(address);
        let by_network = self.by_network.lock();
        let mut by_network = by_network.unwrap_or_else(PoisonError::into_inner);
        let count = by_network.get(&network).copied().unwrap_or_default();
        if count >= self.most {
            return None;
        }
        by_network.insert(network, count + 1);
        let limit = Arc::clone(self);
        Some(ConnectionGuard {
            limit,
            network,
            number: count + 1,
        })
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let by_network = self.limit.by_network.lock();
        let mut by_network = by_network.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                by_network.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_ends_makes_room() {
        let limit = ConnectionLimit::new(2);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let one = limit.admit(address("2001:db8::1"));
        let other = limit.admit(address("2001:db8::2"));
        assert!(one.is_some() && other.is_some());
        assert!(limit.admit(address("2001:db8::3")).is_none());
        assert!(limit.admit(address("192.0.2.7")).is_some());
        drop(one);
        assert!(limit.admit(address("2001:db8::3")).is_some());
        drop(other);
        assert!(limit.by_network.lock().unwrap().is_empty());
    }
}
