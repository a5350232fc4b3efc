//! The layout of the file. All numbers are little endian.
//!
//! | part | bytes |
//! |---|---|
//! | header | a page |
//! | pages of entries | each a page, in the order of the entries |
//! | index | for each page of entries the key of its first one, 8 bytes |
//! | end | 8 bytes: the number of positions; 8: of entries; 4: CRC-32 of the index and of these |
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXPLORE` and a zero byte |
//! | 2 | version, [`VERSION`] |
//! | 2 | number of boards |
//! | 12 each | a board: rule (its index in [`Rule::ALL`]), width, height, zero; 8 bytes: games |
//! | the rest | zero |
//! | 4 | CRC-32 of the bytes before |
//!
//! | bytes | page of entries |
//! |---|---|
//! | 2 | number of entries |
//! | 26 each | an entry: key, point (column + 32 * row), games won by black, won by white, drawn, and of unknown result |
//! | the rest | zero |
//! | 4 | CRC-32 of the page's number, from zero, and the bytes before |
//!
//! Entries are sorted by key and point, and no two have both in common. A key is the
//! position's [canonical key](quincunx_engine::position::Position::canonical_key), in which
//! rule, board and side to move are. Of a million positions two share a key by accident with
//! a probability of one in thirty million.

use crate::entry::Entry;
use quincunx_engine::rules::{BoardSize, Rule};

/// The version of the format.
pub const VERSION: u16 = 1;

pub(crate) const MAGIC: [u8; 8] = *b"QXPLORE\0";

/// The length of a page, and of the header.
pub(crate) const PAGE: usize = 4096;
/// The bytes of a page before its checksum.
const BODY: usize = PAGE - 4;
/// The most entries of a page.
pub(crate) const PER_PAGE: usize = (BODY - 2) / Entry::BYTES;
/// The length of a key in the index.
pub(crate) const KEY: usize = 8;
/// The length of the end.
pub(crate) const END: usize = 20;
/// The offset of the boards in the header, and the length of one.
const BOARDS: usize = 12;
const BOARD: usize = 12;
/// The most boards that a header has room for.
pub(crate) const MOST_BOARDS: usize = (BODY - BOARDS) / BOARD;

/// The number of games under a rule and on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardGames {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The number of games.
    pub games: u64,
}

/// The reason why bytes are not a header.
pub(crate) enum NoHeader {
    Foreign,
    Version(u16),
    Damaged,
}

/// The header of a file with games on these boards, of which there are at most
/// [`MOST_BOARDS`].
#[cfg(feature = "build")]
pub(crate) fn header(boards: &[BoardGames]) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    page[..8].copy_from_slice(&MAGIC);
    page[8..10].copy_from_slice(&VERSION.to_le_bytes());
    page[10..BOARDS].copy_from_slice(&(boards.len() as u16).to_le_bytes());
    for (place, board) in page[BOARDS..BODY].chunks_exact_mut(BOARD).zip(boards) {
        let (width, height) = (board.size.width() as u8, board.size.height() as u8);
        place[..3].copy_from_slice(&[board.rule as u8, width, height]);
        place[4..].copy_from_slice(&board.games.to_le_bytes());
    }
    let sum = crc32fast::hash(&page[..BODY]);
    page[BODY..].copy_from_slice(&sum.to_le_bytes());
    page
}

/// The boards that a header lists.
pub(crate) fn read_header(page: &[u8; PAGE]) -> Result<Vec<BoardGames>, NoHeader> {
    if page[..8] != MAGIC {
        return Err(NoHeader::Foreign);
    }
    let version = u16::from_le_bytes([page[8], page[9]]);
    if version != VERSION {
        return Err(NoHeader::Version(version));
    }
    let sum = crc32fast::hash(&page[..BODY]).to_le_bytes();
    let count = usize::from(u16::from_le_bytes([page[10], page[11]]));
    if sum != page[BODY..] || count > MOST_BOARDS {
        return Err(NoHeader::Damaged);
    }
    let boards = page[BOARDS..BODY].chunks_exact(BOARD).take(count);
    let boards = boards.map(|bytes| {
        let games = bytes[4..].try_into().ok()?;
        Some(BoardGames {
            rule: *Rule::ALL.get(usize::from(bytes[0]))?,
            size: BoardSize::new(bytes[1].into(), bytes[2].into()).ok()?,
            games: u64::from_le_bytes(games),
        })
    });
    boards.collect::<Option<_>>().ok_or(NoHeader::Damaged)
}

fn sum_of_page(number: u64, body: &[u8]) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(body);
    hasher.finalize().to_le_bytes()
}

/// The page of entries with this number, of which there are at most [`PER_PAGE`].
#[cfg(feature = "build")]
pub(crate) fn page(number: u64, entries: &[Entry]) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    page[..2].copy_from_slice(&(entries.len() as u16).to_le_bytes());
    for (place, entry) in page[2..BODY].chunks_exact_mut(Entry::BYTES).zip(entries) {
        place.copy_from_slice(&entry.to_bytes());
    }
    let sum = sum_of_page(number, &page[..BODY]);
    page[BODY..].copy_from_slice(&sum);
    page
}

/// The entries of the page with this number, unless it is damaged.
pub(crate) fn read_page(number: u64, page: &[u8; PAGE]) -> Option<impl Iterator<Item = Entry>> {
    let count = usize::from(u16::from_le_bytes([page[0], page[1]]));
    let is_whole = sum_of_page(number, &page[..BODY]) == page[BODY..] && count <= PER_PAGE;
    let entries = page[2..BODY].chunks_exact(Entry::BYTES).take(count);
    is_whole.then(|| entries.map(Entry::from_bytes))
}

/// The sections behind the pages: the index and the end.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The first key of every page.
    pub(crate) index: Vec<u64>,
    pub(crate) positions: u64,
    /// The number of entries, which only the builder tells.
    #[cfg_attr(not(feature = "build"), allow(dead_code))]
    pub(crate) entries: u64,
}

impl Tail {
    #[cfg(feature = "build")]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let index = self.index.iter();
        let mut bytes: Vec<u8> = index.flat_map(|key| key.to_le_bytes()).collect();
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.entries.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a tail, unless it is damaged.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Tail> {
        let (rest, sum) = bytes.split_last_chunk::<4>()?;
        let (rest, entries) = rest.split_last_chunk::<8>()?;
        let (keys, positions) = rest.split_last_chunk::<8>()?;
        let is_whole = crc32fast::hash(&bytes[..bytes.len() - 4]).to_le_bytes() == *sum;
        let keys = keys.chunks_exact(KEY);
        let keys = keys.map(|key| key.try_into().map(u64::from_le_bytes));
        Some(Tail {
            index: keys.collect::<Result<_, _>>().ok()?,
            positions: u64::from_le_bytes(*positions),
            entries: u64::from_le_bytes(*entries),
        })
        .filter(|_| is_whole)
    }
}
