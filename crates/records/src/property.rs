//! A property of an SGF file, which other formats' games may be given too.

use super::text::is_blank;
use std::fmt;

/// How the names of stones end: short ones, and long ones of which only capitals count.
const STONES: [&str; 4] = ["B", "W", "Black", "White"];

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

/// A property as SGF has it.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for value in &self.values {
            let bracket = value.rfind('[').filter(|&at| ends_like_a_move(value, at));
            f.write_str("[")?;
            for (at, c) in value.char_indices() {
                if matches!(c, '\\' | ']') || bracket == Some(at) {
                    f.write_str("\\")?;
                }
                write!(f, "{c}")?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

/// Whether a value ends like a stone of the next property, with this bracket. Such a value
/// is written with the bracket escaped.
pub(crate) fn ends_like_a_move(value: &str, bracket: usize) -> bool {
    let (before, point) = value.split_at(bracket);
    let point = point[1..].trim_matches(is_blank);
    // A bracket that is closed within the value was escaped.
    let is_short = point.len() < "aa:aa]".len() && !point.contains(|c| is_blank(c) || c == ']');
    is_short
        && STONES
            .iter()
            .any(|name| before.trim_end_matches(is_blank).ends_with(name))
}
