//! The numbers of rooms, tournaments and visitors.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::str::FromStr;

/// The number of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitorId(pub u64);

/// The text is not the number of a room or a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the number has 16 hexadecimal digits")]
pub struct ParseRoomIdError;

/// A random number, written as sixteen hexadecimal digits.
macro_rules! secret_number {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name(
            #[cfg_attr(
                feature = "schema",
                schemars(with = "String", regex(pattern = "^[0-9a-f]{16}$"))
            )]
            pub u64,
        );

        /// Sixteen hexadecimal digits.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseRoomIdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                digits(text).map($name).ok_or(ParseRoomIdError)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

secret_number! {
    /// The random number of a room.
    RoomId
}

secret_number! {
    /// The random number of a tournament.
    TournamentId
}

fn digits(text: &str) -> Option<u64> {
    let is_number = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16).ok();
    number.filter(|_| is_number)
}
