//! The addresses by which other machines reach the server.

use std::net::{IpAddr, SocketAddr};

/// The addresses of this machine at which others reach a server that listens on an address,
/// those of IPv4 first, which are shorter to type. There are none where it listens to this
/// machine alone.
pub(super) fn reachable(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        let is_reached = !listening.ip().is_loopback();
        return is_reached.then_some(listening).into_iter().collect();
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut addresses: Vec<IpAddr> = interfaces.iter().map(|interface| interface.ip()).collect();
    addresses.retain(|address| is_for_others(*address, listening.is_ipv6()));
    addresses.sort();
    addresses.dedup();
    let port = listening.port();
    let with_port = |address| SocketAddr::new(address, port);
    addresses.into_iter().map(with_port).collect()
}

/// Returns true if others can type an address of an interface. One that counts only on its link
/// needs the name of the link as well.
fn is_for_others(address: IpAddr, listens_to_ipv6: bool) -> bool {
    match address {
        IpAddr::V4(address) => !address.is_loopback() && !address.is_link_local(),
        IpAddr::V6(address) => {
            listens_to_ipv6 && !address.is_loopback() && !address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_can_be_opened_by_others() {
        let reach = |text: &str| reachable(text.parse().unwrap());
        assert_eq!(reach("127.0.0.1:5225"), []);
        assert_eq!(reach("[::1]:5225"), []);
        assert_eq!(reach("192.0.2.7:80"), ["192.0.2.7:80".parse().unwrap()]);
        for address in reach("0.0.0.0:80") {
            assert!(address.is_ipv4() && !address.ip().is_loopback() && address.port() == 80);
        }
        for (address, ipv6, expected) in [
            ("192.168.1.5", false, true),
            ("169.254.1.5", false, false),
            ("127.0.0.1", true, false),
            ("2001:db8::1", true, true),
            ("2001:db8::1", false, false),
            ("fe80::1", true, false),
        ] {
            assert_eq!(
                is_for_others(address.parse().unwrap(), ipv6),
                expected,
                "{address}"
            );
        }
    }
}
