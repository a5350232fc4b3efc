//! Labels: the values that a teacher, a larger network, gives to the positions of games.
//! `lab/teacher.py` writes them.
//!
//! All numbers are little endian.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `QXLABELS` |
//! | 2 | version, [`VERSION`] |
//! | 1 | rule: its index in [`Rule::ALL`] |
//! | 1 | alternatives of a position |
//! | 4 | number of positions |
//! | 4 | CRC-32 of the file of games |
//! | each | a position: its value, its alternatives, their values |
//! | 4 | CRC-32 of everything before |
//!
//! The positions are the searched plies of a file of games, in order. A value is a byte:
//! 128 + 20 times the value in logits; zero where there is none. An alternative is a move that
//! was not played, in two bytes: column + 32 * row, or 65,535 for none. Its value is that of the
//! position after it, for the side to move there.

use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::fmt;

/// The version of the format.
pub const VERSION: u16 = 2;

const MAGIC: &[u8] = b"QXLABELS";

/// The length of everything before the first position.
const HEADER: usize = 20;

/// The length of the checksum.
const CHECKSUM: usize = 4;

/// The bytes of an alternative and its value.
const ALTERNATIVE: usize = 3;

/// The number that stands for no alternative.
const NO_MOVE: u16 = u16::MAX;

/// Steps of a value in a logit.
const STEPS: f32 = 20.0;

/// The labels of positions.
#[derive(Clone, PartialEq)]
pub struct Labels {
    rule: Rule,
    alternatives: usize,
    games: u32,
    /// The records of all positions.
    records: Vec<u8>,
    checksum: u32,
}

/// The label of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label<'a> {
    record: &'a [u8],
}

/// A file holds no labels.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// It is something else.
    #[error("not a file of labels (no QXLABELS at its start)")]
    Foreign,
    /// It is of another version of the format.
    #[error("labels of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// No rule has this number.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// The file does not have as many bytes as its positions need.
    #[error("{found} bytes instead of {expected}")]
    Length {
        /// The length of the file.
        found: usize,
        /// The length that its first bytes announce.
        expected: usize,
    },
    /// The file is damaged.
    #[error("its checksum is wrong")]
    Checksum,
}

impl Labels {
    /// Reads the contents of a file of labels.
    ///
    /// # Errors
    /// Returns an error if `bytes` are no labels or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Labels, LabelError> {
        let (head, _) = bytes
            .split_first_chunk::<HEADER>()
            .filter(|(head, _)| head.starts_with(MAGIC))
            .ok_or(LabelError::Foreign)?;
        let version = u16::from_le_bytes([head[8], head[9]]);
        if version != VERSION {
            return Err(LabelError::Version(version));
        }
        let rule = Rule::ALL.get(usize::from(head[10])).copied();
        let rule = rule.ok_or(LabelError::Rule(head[10]))?;
        let alternatives = usize::from(head[11]);
        let count = u32::from_le_bytes([head[12], head[13], head[14], head[15]]) as usize;
        let games = u32::from_le_bytes([head[16], head[17], head[18], head[19]]);
        let records = count * record_length(alternatives);
        let expected = HEADER + records + CHECKSUM;
        let sum = bytes.last_chunk::<CHECKSUM>();
        let Some(sum) = sum.filter(|_| bytes.len() == expected) else {
            return Err(LabelError::Length {
                found: bytes.len(),
                expected,
            });
        };
        let checksum = u32::from_le_bytes(*sum);
        if crc32fast::hash(&bytes[..HEADER + records]) != checksum {
            return Err(LabelError::Checksum);
        }
        Ok(Labels {
            rule,
            alternatives,
            games,
            records: bytes[HEADER..HEADER + records].to_vec(),
            checksum,
        })
    }

    /// The rule of the games.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The CRC-32 of the file of games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The number of positions.
    pub fn count(&self) -> usize {
        self.records.len() / record_length(self.alternatives)
    }

    /// Returns the labels of the position with number `first` and of those after it.
    pub(crate) fn starting_at(&self, first: usize) -> impl Iterator<Item = Label<'_>> {
        let records = self.records.chunks_exact(record_length(self.alternatives));
        records.skip(first).map(|record| Label { record })
    }
}

/// The checksum tells labels apart.
impl fmt::Debug for Labels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Labels({:08x})", self.checksum)
    }
}

impl<'a> Label<'a> {
    /// The value of the position for the side to move in logits, if it has one.
    pub(crate) fn value(self) -> Option<f32> {
        value(self.record[0])
    }

    /// The moves that were not played, and the values of the positions after them in logits,
    /// for the side to move there. Moves off a board of this size are left out.
    pub(crate) fn alternatives(
        self,
        size: BoardSize,
    ) -> impl Iterator<Item = (Point, f32)> + use<'a> {
        let count = self.record.len() / ALTERNATIVE;
        let (moves, values) = self.record[1..].split_at(2 * count);
        let moves = moves.chunks_exact(2);
        let both = moves.zip(values);
        both.filter_map(move |(packed, &number)| {
            let packed = u16::from_le_bytes([packed[0], packed[1]]);
            let (column, row) = (usize::from(packed) % 32, usize::from(packed) / 32);
            let point = size.point(column, row).filter(|_| packed != NO_MOVE);
            point.zip(value(number))
        })
    }
}

/// The length of the record of a position.
fn record_length(alternatives: usize) -> usize {
    1 + ALTERNATIVE * alternatives
}

fn value(number: u8) -> Option<f32> {
    (number != 0).then(|| (f32::from(number) - 128.0) / STEPS)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file of labels of positions with these values and alternatives, and of a file of
    /// games with this checksum.
    pub(in crate::line) fn file(
        rule: Rule,
        positions: &[(u8, [(u16, u8); 2])],
        games: u32,
    ) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([rule as u8, 2]);
        bytes.extend((positions.len() as u32).to_le_bytes());
        bytes.extend(games.to_le_bytes());
        for (value, alternatives) in positions {
            bytes.push(*value);
            for (packed, _) in alternatives {
                bytes.extend(packed.to_le_bytes());
            }
            bytes.extend(alternatives.map(|(_, value)| value));
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    #[test]
    fn labels_are_read() {
        let positions = [
            (128, [(3 + 32 * 4, 148), (NO_MOVE, 128)]),
            (0, [(31, 128), (0, 0)]),
            (88, [(0, 1), (1, 255)]),
        ];
        let labels = Labels::from_bytes(&file(Rule::Renju, &positions, 7)).expect("labels");
        assert_eq!(labels.rule(), Rule::Renju);
        assert_eq!((labels.count(), labels.games()), (3, 7));
        let size = BoardSize::default();
        let point = |column, row| size.point(column, row).expect("on the board");
        let read: Vec<_> = labels
            .starting_at(0)
            .map(|label| (label.value(), label.alternatives(size).collect::<Vec<_>>()))
            .collect();
        let expected = [
            (Some(0.0), vec![(point(3, 4), 1.0)]),
            (None, vec![]),
            (Some(-2.0), vec![(point(0, 0), -6.35), (point(1, 0), 6.35)]),
        ];
        assert_eq!(read, expected);
        assert_eq!(labels.starting_at(2).count(), 1);
    }

    #[test]
    fn damaged_labels_are_refused() {
        let sound = file(Rule::Freestyle, &[(128, [(5, 9), (6, 10)]); 5], 7);
        assert_eq!(Labels::from_bytes(b"QXLABEL"), Err(LabelError::Foreign));
        for length in 0..sound.len() {
            assert!(Labels::from_bytes(&sound[..length]).is_err(), "{length}");
        }
        for bit in 0..8 * sound.len() {
            let mut damaged = sound.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Labels::from_bytes(&damaged).is_err(), "{bit}");
        }
    }
}
