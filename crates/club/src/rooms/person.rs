//! Occupants of seats.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// A person: the hash of a key that only their browser has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub [u8; 32]);

/// The number of hexadecimal digits of a key.
const KEY_DIGITS: usize = 32;

/// The hash of a key, if the text is one: the number of a new person.
pub(super) fn person_of(key: &str) -> Option<PersonId> {
    let is_key = key.len() == KEY_DIGITS && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Zeros are typed by people who have no key; it would be shared.
    let is_drawn = key.bytes().any(|byte| byte != b'0');
    let hash = Sha256::digest(key.to_ascii_lowercase());
    (is_key && is_drawn).then(|| PersonId(hash.into()))
}

/// The occupant of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// A person.
    Person(PersonId),
    /// The engine, with its level from 0 to 100.
    Engine(u8),
}

impl Occupant {
    /// The person, if it is one.
    pub const fn person(self) -> Option<PersonId> {
        match self {
            Occupant::Person(person) => Some(person),
            Occupant::Engine(_) => None,
        }
    }
}

/// Sixty-four hexadecimal digits.
impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not sixty-four hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a person's number has 64 hexadecimal digits")]
pub struct ParsePersonIdError;

impl FromStr for PersonId {
    type Err = ParsePersonIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParsePersonIdError);
        }
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            let digits = text.get(at..at + 2).ok_or(ParsePersonIdError)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| ParsePersonIdError)?;
        }
        Ok(PersonId(bytes))
    }
}

impl Serialize for PersonId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PersonId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_as_text() {
        let person = PersonId(std::array::from_fn(|i| (i * 37 % 256) as u8));
        assert_eq!(person.to_string().parse(), Ok(person));
        let json = serde_json::to_string(&Occupant::Person(person)).unwrap();
        assert_eq!(
            serde_json::from_str::<Occupant>(&json).unwrap(),
            Occupant::Person(person)
        );
        for wrong in ["", "ab", &"g".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<PersonId>().is_err());
        }
    }
}
