//! Ranges of banned addresses.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The longest prefix of a range of IPv6: a visitor has 64 bits of addresses.
const OF_VISITOR: u8 = 64;

/// A range of addresses, such as `192.0.2.0/24`, or a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AddressRange(IpNet);

/// The text is not a range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an address, or a range such as 192.0.2.0/24")]
pub struct ParseAddressRangeError;

impl AddressRange {
    /// Returns true if an address is in the range.
    pub fn contains(self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AddressRange {
    type Err = ParseAddressRangeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let single = || text.parse::<IpAddr>().map(IpNet::from);
        let range: IpNet = text
            .parse()
            .or_else(|_| single())
            .map_err(|_| ParseAddressRangeError)?;
        let most = match range {
            IpNet::V4(_) => u8::MAX,
            IpNet::V6(_) => OF_VISITOR,
        };
        let range = IpNet::new(range.addr(), range.prefix_len().min(most));
        range
            .map(|range| AddressRange(range.trunc()))
            .map_err(|_| ParseAddressRangeError)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_addresses_of_their_prefix() {
        for (range, written, inside, outside) in [
            ("192.0.2.7", "192.0.2.7/32", "192.0.2.7", "192.0.2.8"),
            (
                "192.0.2.7/24",
                "192.0.2.0/24",
                "::ffff:192.0.2.9",
                "192.0.3.1",
            ),
            (
                "2001:db8::1",
                "2001:db8::/64",
                "2001:db8::ffff",
                "2001:db8:0:1::",
            ),
            (
                "2001:db8::/32",
                "2001:db8::/32",
                "2001:db8:5::",
                "2001:db9::",
            ),
        ] {
            let range: AddressRange = range.parse().unwrap();
            assert_eq!(range.to_string(), written);
            assert!(
                range.contains(inside.parse().unwrap()),
                "{written} {inside}"
            );
            assert!(
                !range.contains(outside.parse().unwrap()),
                "{written} {outside}"
            );
        }
        for wrong in ["", "192.0.2", "192.0.2.0/33", "name"] {
            assert_eq!(wrong.parse::<AddressRange>(), Err(ParseAddressRangeError));
        }
    }
}
