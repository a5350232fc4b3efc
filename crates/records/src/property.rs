//! A property of an SGF file, which other formats' games may be given too.

use super::lines::is_blank;
use super::stone_name::{is_old_stone, is_point};
use std::fmt;

/// The endings of the property names of stones and of the side to move.
const STONES_AND_TURN: [&str; 5] = ["B", "W", "Black", "White", "PL"];

/// The properties about the game as a whole.
const OF_GAMES: [&str; 20] = [
    "RU", "RE", "PB", "PW", "BR", "WR", "BT", "WT", "EV", "RO", "DT", "PC", "GN", "GC", "SZ", "GM",
    "FF", "CA", "AP", "HA",
];

/// A property with its values, as they mean and not as they are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, in capitals.
    pub name: String,
    /// The values; `B[]` has one that is empty.
    pub values: Vec<String>,
}

impl Property {
    /// A property of one value.
    pub fn new(name: &str, value: impl Into<String>) -> Property {
        Property {
            name: name.to_owned(),
            values: vec![value.into()],
        }
    }

    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// As SGF has it, so that it is read as it is.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_property(f, &self.name, self.values.iter().map(String::as_str))
    }
}

/// Writes a property in SGF.
pub(crate) fn write_property<'v>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    values: impl Iterator<Item = &'v str>,
) -> fmt::Result {
    f.write_str(name)?;
    for value in values {
        let is_swallowed = swallowed(name, value);
        // Behind the first colon of those values stands a text.
        let colon = match name {
            "LB" | "FG" => value.find(':').unwrap_or(value.len()),
            _ => value.len(),
        };
        f.write_str("[")?;
        for (at, c) in value.char_indices() {
            let is_escaped = match c {
                '\\' | ']' => true,
                ':' => at > colon,
                '[' => is_swallowed(at),
                _ => false,
            };
            if is_escaped {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        f.write_str("]")?;
    }
    Ok(())
}

/// Which brackets of a value may be those of another property, before which a bracket is
/// missing. A value is written with such brackets escaped.
pub(crate) fn swallowed<'v>(name: &str, value: &'v str) -> impl Fn(usize) -> bool + 'v {
    let value = value.trim_end_matches(is_blank);
    // A bracket that is closed within the value was escaped.
    let closed = value.rfind(']').unwrap_or(0);
    let is_text = !matches!(name, "C" | "GC" | "N");
    move |bracket| {
        let before = value[..bracket].trim_end_matches(is_blank);
        let inside = value[bracket + 1..].trim_start_matches(is_blank);
        let ends_with = |names: &[&str]| names.iter().any(|name| before.ends_with(name));
        let is_short = inside.len() < "aa:aa]".len() && !inside.contains(is_blank);
        let is_move =
            is_short && ends_with(&STONES_AND_TURN) || is_point(inside) && is_old_stone(before);
        bracket >= closed && (is_move || is_text && ends_with(&OF_GAMES))
    }
}
