//! The key of a person on one device.

use super::person::PersonId;
use serde::{Deserialize, Serialize};

/// The number of digits of a device's name.
const NAME_DIGITS: usize = 8;

/// The key of a person on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DeviceKey {
    /// The hash of the key.
    pub(super) hash: PersonId,
    /// The time of the last visit with it in seconds since 1970, to the day; zero if unknown.
    pub(super) seen: u64,
}

impl DeviceKey {
    pub(super) fn new(hash: PersonId, seen: u64) -> DeviceKey {
        DeviceKey { hash, seen }
    }

    /// The name of the device: the beginning of the hash, which gives no access.
    pub(super) fn name(&self) -> String {
        let digits = self.hash.to_string();
        digits.chars().take(NAME_DIGITS).collect()
    }
}
