//! How many come from the same address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// How many come from the same address, and the most that may.
pub(super) struct Crowd {
    most: usize,
    by_network: Mutex<HashMap<IpAddr, usize>>,
}

/// One of a crowd, until this value is dropped.
pub(super) struct Member {
    crowd: Arc<Crowd>,
    network: IpAddr,
}

impl Crowd {
    /// A crowd of nobody yet.
    pub(super) fn new(most: usize) -> Arc<Crowd> {
        Arc::new(Crowd {
            most,
            by_network: Mutex::default(),
        })
    }

    /// Lets one more from an address in, unless there are too many.
    pub(super) fn admit(self: &Arc<Crowd>, address: IpAddr) -> Option<Member> {
        let network = network(address);
        let by_network = self.by_network.lock();
        let mut by_network = by_network.unwrap_or_else(PoisonError::into_inner);
        let count = by_network.get(&network).copied().unwrap_or_default();
        if count >= self.most {
            return None;
        }
        by_network.insert(network, count + 1);
        let crowd = Arc::clone(self);
        Some(Member { crowd, network })
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let by_network = self.crowd.by_network.lock();
        let mut by_network = by_network.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                by_network.remove(&self.network);
            }
        }
    }
}

/// What one visitor may have of addresses: one of IPv4, or 64 bits of them of IPv6.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(prefix))
        }
        address => address,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_one_visitor_has_count_as_one() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(network(address), expected.parse::<IpAddr>().unwrap());
        }
    }

    #[test]
    fn whoever_leaves_makes_room() {
        let crowd = Crowd::new(2);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let one = crowd.admit(address("2001:db8::1"));
        let other = crowd.admit(address("2001:db8::2"));
        assert!(one.is_some() && other.is_some());
        assert!(crowd.admit(address("2001:db8::3")).is_none());
        assert!(crowd.admit(address("192.0.2.7")).is_some());
        drop(one);
        assert!(crowd.admit(address("2001:db8::3")).is_some());
        drop(other);
        assert!(crowd.by_network.lock().unwrap().is_empty());
    }
}
