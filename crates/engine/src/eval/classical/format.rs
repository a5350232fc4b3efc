//! Evaluation tables as bytes: the format of table files and of the tables in
//! the program.
//!
//! All numbers are little endian. A header of 12 bytes is followed by blocks:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXTABLE` and a zero byte |
//! | 2 | version, [`VERSION`] |
//! | 1 | rule: its index in [`Rule::ALL`] |
//! | 1 | number of blocks |
//!
//! | bytes | block |
//! |---|---|
//! | 1 | kind, see below |
//! | 1 | colour: 0 black, 1 white, 2 both |
//! | 2 | how many numbers the block has |
//! | 4 | CRC-32 of the header and of the block without these four bytes |
//! | 2 each | the numbers |
//!
//! | kind | block | numbers |
//! |---|---|---|
//! | 0 | code embeddings | [`EMBEDDING_DIM`] for each code |
//! | 1 | attack scores | one for each code |
//! | 2 | defence scores | one for each code |
//! | 3 | threats | one for each set of threats |
//! | 4 | value head | [`HEAD_WEIGHTS`] |
//! | 5 | pair embeddings | [`EMBEDDING_DIM`] for each pair |
//! | 6 | attack-and-defence bonus | one for each pair |
//! | 7 | distance scores | twice [`DISTANCE_BUCKETS`] |
//!
//! Kinds without a block keep their hand-set numbers.

use super::distance::DISTANCE_BUCKETS;
use super::embedding::{EMBEDDING_DIM, EMBEDDING_LIMIT};
use super::tables::EvalTables;
use super::threats::THREAT_SETS;
use super::value_head::HEAD_WEIGHTS;
use crate::pattern::{CLASS_PAIRS, CODES};
use crate::rules::{Color, Rule};

/// The version of the format.
pub const VERSION: u16 = 4;

const MAGIC: [u8; 8] = *b"QXTABLE\0";
const HEADER: usize = 12;
const BLOCK_HEAD: usize = 8;

/// The bytes are not evaluation tables that this program can read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// They are something else.
    #[error("not evaluation tables (no QXTABLE at the start)")]
    Foreign,
    /// They are of another version of the format.
    #[error("tables of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// No rule has this number.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// The head of a block is invalid.
    #[error("block {number}: kind {kind}, colour {color} and {count} numbers make no sense")]
    Block {
        /// The number of the block, from one.
        number: usize,
        /// The kind in its head.
        kind: u8,
        /// The colour in its head.
        color: u8,
        /// The number of numbers in its head.
        count: u16,
    },
    /// The bytes end in the middle of a block.
    #[error("block {0} is cut off")]
    Truncated(usize),
    /// The checksum of a block is wrong.
    #[error("block {0} is damaged: its checksum is wrong")]
    Damaged(usize),
    /// An embedding is beyond [`EMBEDDING_LIMIT`].
    #[error("block {0} has a number beyond {EMBEDDING_LIMIT}")]
    Range(usize),
    /// Bytes follow the last block.
    #[error("{0} bytes follow the last block")]
    TooLong(usize),
}

/// The kinds of blocks, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    CodeEmbeddings,
    Attack,
    Defence,
    Threats,
    ValueHead,
    PairEmbeddings,
    AttackDefence,
    Distance,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::CodeEmbeddings,
        Kind::Attack,
        Kind::Defence,
        Kind::Threats,
        Kind::ValueHead,
        Kind::PairEmbeddings,
        Kind::AttackDefence,
        Kind::Distance,
    ];

    /// Returns how many numbers a block of this kind has.
    const fn count(self) -> usize {
        match self {
            Kind::CodeEmbeddings => CODES * EMBEDDING_DIM,
            Kind::Attack | Kind::Defence => CODES,
            Kind::Threats => THREAT_SETS,
            Kind::ValueHead => HEAD_WEIGHTS,
            Kind::PairEmbeddings => CLASS_PAIRS * EMBEDDING_DIM,
            Kind::AttackDefence => CLASS_PAIRS,
            Kind::Distance => 2 * DISTANCE_BUCKETS,
        }
    }

    /// Returns the numbers of this kind. Tables that are padded for lookups have
    /// more of them than a block.
    fn numbers(self, tables: &EvalTables, color: Color) -> &[i16] {
        let index = color.index();
        match self {
            Kind::CodeEmbeddings => tables.code_embeddings[index].as_flattened(),
            Kind::Attack => &tables.attack[index][..],
            Kind::Defence => &tables.defence[index][..],
            Kind::Threats => &tables.threats[index][..],
            Kind::ValueHead => &tables.heads[index][..],
            Kind::PairEmbeddings => tables.pair_embeddings[index].as_flattened(),
            Kind::AttackDefence => &tables.attack_defence[index][..],
            Kind::Distance => tables.distance[index].as_flattened(),
        }
    }

    /// Returns the same numbers for writing.
    fn numbers_mut(self, tables: &mut EvalTables, color: Color) -> &mut [i16] {
        let index = color.index();
        match self {
            Kind::CodeEmbeddings => tables.code_embeddings[index].as_flattened_mut(),
            Kind::Attack => &mut tables.attack[index][..],
            Kind::Defence => &mut tables.defence[index][..],
            Kind::Threats => &mut tables.threats[index][..],
            Kind::ValueHead => &mut tables.heads[index][..],
            Kind::PairEmbeddings => tables.pair_embeddings[index].as_flattened_mut(),
            Kind::AttackDefence => &mut tables.attack_defence[index][..],
            Kind::Distance => tables.distance[index].as_flattened_mut(),
        }
    }
}

impl EvalTables {
    /// Writes the tables. The same tables give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let is_shared = EvalTables::colors(self.rule) == 1;
        let colors: &[(u8, Color)] = if is_shared {
            &[(2, Color::Black)]
        } else {
            &[(0, Color::Black), (1, Color::White)]
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.rule as u8);
        bytes.push((Kind::ALL.len() * colors.len()) as u8);
        for kind in Kind::ALL {
            for &(mark, color) in colors {
                let head = [kind as u8, mark];
                let count = (kind.count() as u16).to_le_bytes();
                let numbers = &kind.numbers(self, color)[..kind.count()];
                let body: Vec<u8> = (numbers.iter())
                    .flat_map(|number| number.to_le_bytes())
                    .collect();
                let sum = checksum(&bytes[..HEADER], [head, count], &body);
                bytes.extend(head);
                bytes.extend(count);
                bytes.extend(sum.to_le_bytes());
                bytes.extend(body);
            }
        }
        bytes
    }

    /// Reads tables that [`EvalTables::to_bytes`] wrote.
    ///
    /// # Errors
    /// Returns an error if the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<EvalTables, TablesError> {
        let (header, mut rest) = bytes
            .split_first_chunk::<HEADER>()
            .filter(|(header, _)| header[..8] == MAGIC)
            .ok_or(TablesError::Foreign)?;
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(TablesError::Version(version));
        }
        let rule = Rule::ALL.get(header[10] as usize).copied();
        let mut tables = EvalTables::hand_set(rule.ok_or(TablesError::Rule(header[10]))?);
        for number in 1..=header[11] as usize {
            rest = tables.read_block(header, number, rest)?;
        }
        if rest.is_empty() {
            Ok(tables)
        } else {
            Err(TablesError::TooLong(rest.len()))
        }
    }

    /// Reads the block at the start of `bytes` and returns the bytes after it.
    fn read_block<'a>(
        &mut self,
        header: &[u8],
        number: usize,
        bytes: &'a [u8],
    ) -> Result<&'a [u8], TablesError> {
        let (head, rest) = bytes
            .split_first_chunk::<BLOCK_HEAD>()
            .ok_or(TablesError::Truncated(number))?;
        let [mark, color, low, high, sum @ ..] = *head;
        let count = u16::from_le_bytes([low, high]);
        let kind = Kind::ALL.get(mark as usize).copied();
        let kind = kind.filter(|kind| kind.count() == count as usize);
        let colors: Option<&[Color]> = match color {
            0 => Some(&[Color::Black]),
            1 => Some(&[Color::White]),
            2 => Some(&Color::ALL),
            _ => None,
        };
        let (Some(kind), Some(colors)) = (kind, colors) else {
            return Err(TablesError::Block {
                number,
                kind: mark,
                color,
                count,
            });
        };
        let (body, rest) = rest
            .split_at_checked(2 * kind.count())
            .ok_or(TablesError::Truncated(number))?;
        if checksum(header, [[mark, color], [low, high]], body) != u32::from_le_bytes(sum) {
            return Err(TablesError::Damaged(number));
        }
        for &color in colors {
            let numbers = kind.numbers_mut(self, color);
            for (to, pair) in numbers.iter_mut().zip(body.chunks_exact(2)) {
                *to = i16::from_le_bytes([pair[0], pair[1]]);
            }
            let is_embedding = matches!(kind, Kind::CodeEmbeddings | Kind::PairEmbeddings);
            if is_embedding
                && numbers
                    .iter()
                    .any(|n| n.unsigned_abs() > EMBEDDING_LIMIT as u16)
            {
                return Err(TablesError::Range(number));
            }
        }
        Ok(rest)
    }
}

fn checksum(header: &[u8], head: [[u8; 2]; 2], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(head.as_flattened());
    hasher.update(body);
    hasher.finalize()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn tables_round_trip() {
        for rule in Rule::ALL {
            let mut tables = EvalTables::hand_set(rule);
            tables.code_embeddings[0][7][6] = -EMBEDDING_LIMIT;
            tables.heads[0][303] = 17;
            tables.threats[0][2047] = 1234;
            tables.pair_embeddings[0][195][7] = EMBEDDING_LIMIT;
            tables.attack_defence[0][195] = -5;
            tables.distance[0][1][DISTANCE_BUCKETS - 1] = 6;
            if EvalTables::colors(rule) == 1 {
                tables.code_embeddings[1][7][6] = -EMBEDDING_LIMIT;
                tables.heads[1][303] = 17;
                tables.threats[1][2047] = 1234;
                tables.pair_embeddings[1][195][7] = EMBEDDING_LIMIT;
                tables.attack_defence[1][195] = -5;
                tables.distance[1][1][DISTANCE_BUCKETS - 1] = 6;
            }
            let bytes = tables.to_bytes();
            assert_eq!(EvalTables::from_bytes(&bytes).unwrap(), tables);
        }
    }

    #[test]
    fn embeddings_beyond_their_limit_are_refused() {
        let mut tables = EvalTables::hand_set(Rule::Freestyle);
        tables.code_embeddings[0][9][3] = EMBEDDING_LIMIT + 1;
        let error = EvalTables::from_bytes(&tables.to_bytes()).unwrap_err();
        assert_eq!(error, TablesError::Range(1));
    }

    #[test]
    fn damaged_blocks_are_named() {
        let good = EvalTables::hand_set(Rule::Renju).to_bytes();
        let parse = |bytes: &[u8]| EvalTables::from_bytes(bytes).unwrap_err();
        assert_eq!(parse(b"GIF89a, not tables"), TablesError::Foreign);
        assert_eq!(parse(&good[..11]), TablesError::Foreign);
        assert_eq!(parse(&good[..100]), TablesError::Truncated(1));
        assert_eq!(parse(&good[..good.len() - 1]), TablesError::Truncated(16));
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 0x20;
            parse(&bytes)
        };
        assert_eq!(changed(8), TablesError::Version(36));
        assert_eq!(changed(10), TablesError::Rule(34));
        assert_eq!(changed(HEADER + BLOCK_HEAD + 99), TablesError::Damaged(1));
        assert_eq!(changed(good.len() - 1), TablesError::Damaged(16));
        assert!(matches!(
            changed(HEADER),
            TablesError::Block {
                number: 1,
                kind: 32,
                ..
            }
        ));
        let longer = [good.as_slice(), b"!"].concat();
        assert_eq!(parse(&longer), TablesError::TooLong(1));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let good = EvalTables::hand_set(Rule::Freestyle).to_bytes();
        for at in (0..good.len()).step_by(37).chain(0..64) {
            for bit in 0..8 {
                let mut bytes = good.clone();
                bytes[at] ^= 1 << bit;
                assert!(EvalTables::from_bytes(&bytes).is_err(), "byte {at}");
            }
        }
    }
}
