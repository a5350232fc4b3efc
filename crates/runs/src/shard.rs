//! Shards: parts of the work of a run that are shared out among machines.

use std::fmt;
use std::str::FromStr;

/// One of several parts of a run. The default is the whole run in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from zero.
    pub index: usize,
    /// The number of shards.
    pub count: usize,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { index: 0, count: 1 }
    }
}

impl Shard {
    /// Returns whether the item with this number is in the shard. Items are dealt in turn.
    pub fn has(self, number: usize) -> bool {
        number % self.count == self.index
    }
}

/// The error of a text that is no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N such as 1/4")]
pub struct ParseShardError;

/// Parses a shard such as `1/4`, the first of four.
impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            let (number, count): (usize, usize) = (number.parse().ok()?, count.parse().ok()?);
            (1..=count).contains(&number).then(|| Shard {
                index: number - 1,
                count,
            })
        });
        numbers.ok_or(ParseShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_written() {
        let shard: Result<Shard, _> = "2/3".parse();
        let expected = Shard { index: 1, count: 3 };
        assert_eq!(shard, Ok(expected));
        assert_eq!(expected.to_string(), "2/3");
        let items: Vec<usize> = (0..9).filter(|&item| expected.has(item)).collect();
        assert_eq!(items, [1, 4, 7]);
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3"] {
            assert_eq!(text.parse::<Shard>(), Err(ParseShardError), "{text}");
        }
    }
}
