//! The addresses that one visitor may have.

use std::net::{IpAddr, Ipv6Addr};

/// The address, or the /64 prefix of an IPv6 address.
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
}
