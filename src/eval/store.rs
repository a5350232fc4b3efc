//! Tables as bytes: how learned tables are kept in files and in the program.
//!
//! All numbers little endian. A header of 12 bytes, then blocks:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXTABLE` and a zero byte |
//! | 2 | version, [`VERSION`] |
//! | 1 | rule: its place in [`Rule::ALL`] |
//! | 1 | how many blocks follow |
//!
//! | bytes | block |
//! |---|---|
//! | 1 | kind: 0 lanes, 1 attack, 2 defence, 3 threats, 4 head, 5 pairs, 6 both, 7 near |
//! | 1 | colour: 0 black, 1 white, 2 both |
//! | 2 | how many numbers: [`LANES`] a code, one a code, one a threat set, [`HEAD_NUMBERS`], [`LANES`] a pair, one a pair, twice [`PLACES`] |
//! | 4 | CRC-32 of the header and of the block but for these four bytes |
//! | 2 each | the numbers |
//!
//! What a file has no block for keeps its hand-set numbers.

use super::head::{HEAD_NUMBERS, LANE_LIMIT, LANES};
use super::moves::PLACES;
use super::tables::{EvalTables, THREAT_SETS};
use crate::pattern::{CODES, PAIRS};
use crate::rules::{Color, Rule};

/// The version of the format.
pub const VERSION: u16 = 4;

const MAGIC: [u8; 8] = *b"QXTABLE\0";
const HEADER: usize = 12;
const BLOCK_HEAD: usize = 8;

/// Why bytes are no tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// Something else altogether.
    #[error("not evaluation tables (no QXTABLE at the start)")]
    Foreign,
    /// Made by another version of this program.
    #[error("tables of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// No such rule.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// A block that makes no sense here.
    #[error("block {number}: kind {kind}, colour {color} and {count} numbers make no sense")]
    Block {
        /// Which block, from one.
        number: usize,
        /// What it says of itself.
        kind: u8,
        /// Whose numbers it says it has.
        color: u8,
        /// How many it says it has.
        count: u16,
    },
    /// The bytes end too early.
    #[error("block {0} is cut off")]
    Truncated(usize),
    /// The bytes are not what was written.
    #[error("block {0} is damaged: its checksum is wrong")]
    Damaged(usize),
    /// A number that no fit comes to.
    #[error("block {0} has a number beyond {LANE_LIMIT}")]
    Range(usize),
    /// More bytes than tables.
    #[error("{0} bytes follow the last block")]
    TooLong(usize),
}

/// The kinds of blocks by number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lanes,
    Attack,
    Defence,
    Threats,
    Head,
    Pairs,
    Both,
    Near,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Lanes,
        Kind::Attack,
        Kind::Defence,
        Kind::Threats,
        Kind::Head,
        Kind::Pairs,
        Kind::Both,
        Kind::Near,
    ];

    /// How many numbers of this kind there are.
    const fn count(self) -> usize {
        match self {
            Kind::Lanes => CODES * LANES,
            Kind::Attack | Kind::Defence => CODES,
            Kind::Threats => THREAT_SETS,
            Kind::Head => HEAD_NUMBERS,
            Kind::Pairs => PAIRS * LANES,
            Kind::Both => PAIRS,
            Kind::Near => 2 * PLACES,
        }
    }

    /// The numbers of this kind, and more where a table has room for more.
    fn numbers(self, tables: &EvalTables, color: Color) -> &[i16] {
        let owner = color.index();
        match self {
            Kind::Lanes => tables.lanes[owner].as_flattened(),
            Kind::Attack => &tables.attack[owner][..],
            Kind::Defence => &tables.defence[owner][..],
            Kind::Threats => &tables.threats[owner][..],
            Kind::Head => &tables.heads[owner][..],
            Kind::Pairs => tables.pairs[owner].as_flattened(),
            Kind::Both => &tables.both[owner][..],
            Kind::Near => tables.near[owner].as_flattened(),
        }
    }

    /// The same, to be changed.
    fn numbers_mut(self, tables: &mut EvalTables, color: Color) -> &mut [i16] {
        let owner = color.index();
        match self {
            Kind::Lanes => tables.lanes[owner].as_flattened_mut(),
            Kind::Attack => &mut tables.attack[owner][..],
            Kind::Defence => &mut tables.defence[owner][..],
            Kind::Threats => &mut tables.threats[owner][..],
            Kind::Head => &mut tables.heads[owner][..],
            Kind::Pairs => tables.pairs[owner].as_flattened_mut(),
            Kind::Both => &mut tables.both[owner][..],
            Kind::Near => tables.near[owner].as_flattened_mut(),
        }
    }
}

impl EvalTables {
    /// The tables as bytes: the same tables give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shared = EvalTables::colors(self.rule) == 1;
        let owners: &[(u8, Color)] = if shared {
            &[(2, Color::Black)]
        } else {
            &[(0, Color::Black), (1, Color::White)]
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.rule as u8);
        bytes.push((Kind::ALL.len() * owners.len()) as u8);
        for kind in Kind::ALL {
            for &(mark, color) in owners {
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

    /// The tables of [`EvalTables::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are anything else.
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

    /// Reads one block at the start of `bytes`; returns what follows it.
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
        let owners: Option<&[Color]> = match color {
            0 => Some(&[Color::Black]),
            1 => Some(&[Color::White]),
            2 => Some(&Color::ALL),
            _ => None,
        };
        let (Some(kind), Some(owners)) = (kind, owners) else {
            return Err(TablesError::Block {
                number,
                kind: mark,
                color,
                count,
            });
        };
        if kind.count() != count as usize {
            return Err(TablesError::Block {
                number,
                kind: mark,
                color,
                count,
            });
        }
        let (body, rest) = rest
            .split_at_checked(2 * kind.count())
            .ok_or(TablesError::Truncated(number))?;
        if checksum(header, [[mark, color], [low, high]], body) != u32::from_le_bytes(sum) {
            return Err(TablesError::Damaged(number));
        }
        for &owner in owners {
            let numbers = kind.numbers_mut(self, owner);
            for (to, pair) in numbers.iter_mut().zip(body.chunks_exact(2)) {
                *to = i16::from_le_bytes([pair[0], pair[1]]);
            }
            let summed = matches!(kind, Kind::Lanes | Kind::Pairs);
            if summed && numbers.iter().any(|n| n.unsigned_abs() > LANE_LIMIT as u16) {
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
    fn tables_come_back_as_they_went() {
        for rule in Rule::ALL {
            let mut tables = EvalTables::hand_set(rule);
            tables.lanes[0][7][6] = -LANE_LIMIT;
            tables.heads[0][303] = 17;
            tables.threats[0][2047] = 1234;
            tables.pairs[0][195][7] = LANE_LIMIT;
            tables.both[0][195] = -5;
            tables.near[0][1][PLACES - 1] = 6;
            if EvalTables::colors(rule) == 1 {
                tables.lanes[1][7][6] = -LANE_LIMIT;
                tables.heads[1][303] = 17;
                tables.threats[1][2047] = 1234;
                tables.pairs[1][195][7] = LANE_LIMIT;
                tables.both[1][195] = -5;
                tables.near[1][1][PLACES - 1] = 6;
            }
            let bytes = tables.to_bytes();
            assert_eq!(EvalTables::from_bytes(&bytes).unwrap(), tables);
        }
    }

    #[test]
    fn lanes_beyond_their_limit_are_refused() {
        let mut tables = EvalTables::hand_set(Rule::Freestyle);
        tables.lanes[0][9][3] = LANE_LIMIT + 1;
        let error = EvalTables::from_bytes(&tables.to_bytes()).unwrap_err();
        assert_eq!(error, TablesError::Range(1));
    }

    #[test]
    fn damage_is_found_and_named() {
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
    fn no_single_bit_goes_unnoticed() {
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
