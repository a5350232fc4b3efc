//! RenLib's library files: a tree of moves with comments and marks.
//!
//! A header of 20 bytes (`FF RenLib FF`, the major and the minor version, and
//! filling), then the moves, depth first, all that follows a move before its
//! siblings:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the point: the column from 1 in the low four bits, the row from the top from 0 in the high; 0 is a pass, and in front of all others the empty board |
//! | 1 | flags, see `flag` |
//! | 2 | with `flag::MORE`: more flags, those of the higher bits first |
//! | 2n | with a comment: its text, a zero, and another one if that makes an even number of bytes; an 08 ends its first line |
//! | 2n | with a mark: the same |
//!
//! Files from before version 3 have no header and begin with the centre. Their
//! comments end with the byte whose highest bit is set. Text has no declared
//! encoding: what is not UTF-8 is read as Latin-1, or as the reader is told.

use super::encoding::{Encoding, UNNAMED, plain};
use super::memory::{MemoryError, Meter, push};
use super::property::Property;
use super::record::GameRecord;
use super::record::MOST_MOVES;
use super::record_tree::{Notes, RecordNode, RecordTree};
use super::sgf::point_text;
use super::warning::WarningKind;
use quincunx_engine::game::{Game, MoveError};
use quincunx_engine::rules::{BoardSize, Point, Rule};

/// The side of every board.
pub const SIDE: usize = 15;

/// The most characters of a label that a board shows on a point.
pub const LONGEST_LABEL: usize = 3;

const MAGIC: [u8; 8] = *b"\xFFRenLib\xFF";
const HEADER: usize = 20;
const VERSION: [u8; 2] = [3, 4];

/// The error of a line that is longer than any game.
const TOO_MANY: &str = "a line has more than 10000 moves";

/// The byte of the centre, with which files without a header begin.
const CENTRE: u8 = 0x78;

/// The bytes of memory that a label takes, with the notes of its position.
const LABEL: usize = 200;

/// The end of a comment's first line.
const FIRST_LINE: char = '\u{8}';

/// The flags of a move.
mod flag {
    /// The move has a later sibling.
    pub(super) const SIBLING: u32 = 0x80;
    /// The move has no children.
    pub(super) const LEAF: u32 = 0x40;
    pub(super) const OLD_COMMENT: u32 = 0x20;
    pub(super) const COMMENT: u32 = 0x08;
    /// The point has a mark and no move.
    pub(super) const NO_MOVE: u32 = 0x02;
    pub(super) const MORE: u32 = 0x01;
    pub(super) const MARK: u32 = 0x100;
    /// Those, and two more that mean nothing here: 10 for a move to be found
    /// again, and 04 where the library is opened.
    pub(super) const ALL: u32 = 0x1FF;
}

/// Why bytes are not a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// The header is not that of a library.
    #[error("byte 0: no RenLib library begins like this")]
    Header,
    /// The version of the format is unknown.
    #[error("byte 8: RenLib {0}.{1:02} is not known, only up to 3.04")]
    Version(u8, u8),
    /// The moves take too much memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The bytes make no sense from some byte on.
    #[error("byte {at}: {what}")]
    Damaged {
        /// The number of that byte.
        at: usize,
        /// A description of the damage.
        what: &'static str,
    },
}

/// A move of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryMove {
    /// The number of moves from the empty board.
    pub depth: usize,
    /// The point; `None` is a pass, or the empty board.
    pub point: Option<Point>,
    /// The mark that a board shows on the point in the position before.
    pub mark: String,
    /// The comment on the position.
    pub comment: String,
    /// True if the point has a mark but no move.
    pub is_mark: bool,
    /// True if the mark or the comment was decoded as Latin-1, because it is not UTF-8 and no
    /// encoding was given.
    pub is_latin_1: bool,
    /// The byte of the file at which the move begins.
    pub at: usize,
}

/// The moves of a library depth first, beginning with the empty board. Nothing follows an error.
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    reader: Reader<'a>,
    /// The depths of the moves whose siblings come later.
    open: Vec<usize>,
    /// The depth of the next move; nothing behind the last one.
    depth: Option<usize>,
    /// A move that was read before the empty board, which some libraries leave out.
    first: Option<LibraryMove>,
}

impl<'a> Moves<'a> {
    /// The moves of a library.
    ///
    /// # Errors
    /// When the bytes do not begin like a library.
    pub fn of(bytes: &'a [u8], encoding: Option<Encoding>) -> Result<Moves<'a>, LibraryError> {
        Ok(Moves {
            reader: Reader::behind_header(bytes, encoding)?,
            open: Vec::new(),
            depth: Some(0),
            first: None,
        })
    }

    /// Reads the move at this depth, and the position of the next one.
    fn read(&mut self, depth: usize) -> Result<LibraryMove, LibraryError> {
        let (mut read, flags) = self.reader.next_move()?;
        // Some libraries begin with the empty board, others with a move.
        let depth = match depth {
            0 if read.point.is_some() => 1,
            depth => depth,
        };
        read.depth = depth;
        // What is followed by moves is one itself.
        read.is_mark = depth > 0
            && read.point.is_some()
            && flags & flag::NO_MOVE != 0
            && flags & flag::LEAF != 0;
        if flags & flag::SIBLING != 0 {
            if depth == 0 {
                return self
                    .reader
                    .damaged(read.at, "the empty board has a sibling");
            }
            self.open.push(depth);
        }
        self.depth = match flags & flag::LEAF {
            0 if depth == MOST_MOVES => {
                return self.reader.damaged(read.at, TOO_MANY);
            }
            0 => Some(depth + 1),
            _ => self.open.pop(),
        };
        let end = self.reader.at;
        if self.depth.is_none() && end < self.reader.bytes.len() {
            return self.reader.damaged(end, "more bytes after the last move");
        }
        Ok(read)
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<LibraryMove, LibraryError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let depth = self.depth.take()?;
        let read = self.read(depth);
        match read {
            Ok(read) if depth == 0 && read.depth > 0 => {
                self.first = Some(read);
                Some(Ok(LibraryMove::default()))
            }
            read => {
                if read.is_err() {
                    self.depth = None;
                }
                Some(read)
            }
        }
    }
}

/// Reads the moves of a library depth first, beginning with the empty board.
///
/// # Errors
/// When the bytes are not a library, or damaged: the error names the byte.
pub fn read(bytes: &[u8], encoding: Option<Encoding>) -> Result<Vec<LibraryMove>, LibraryError> {
    let (mut moves, mut meter) = (Vec::new(), Meter::default());
    for read in Moves::of(bytes, encoding)? {
        let read = read?;
        let texts = read.comment.len() + read.mark.len();
        meter.take(texts)?;
        push(&mut moves, read)?;
    }
    Ok(moves)
}

/// Returns true if bytes begin with a RenLib header.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The game with all variations that the moves of a library are, under this rule, and their
/// marks as SGF's labels, or as comments where they are too long for a point. The board has this
/// size if a library can have it and all moves fit; else it is 15 by 15. Moves after the end of a
/// game are left out, with a warning.
///
/// # Errors
/// When a move is on a stone.
pub fn game(
    moves: impl Iterator<Item = Result<LibraryMove, LibraryError>> + Clone,
    rule: Rule,
    size: BoardSize,
) -> Result<RecordTree, LibraryError> {
    let mut fits = size.width() <= SIDE && size.height() <= SIDE;
    let mut is_latin_1 = false;
    for read in moves.clone() {
        let read = read?;
        fits = fits && read.point.is_none_or(|point| size.has(point));
        is_latin_1 |= read.is_latin_1;
    }
    let size = if fits { size } else { BoardSize::default() };
    let mut meter = Meter::default();
    let mut tree = RecordTree::start(GameRecord::new(Some(rule), size));
    let mut game = Game::new(rule, size);
    // The node before the next move, by its depth.
    let mut path = vec![0];
    let mut left_out = 0;
    for read in moves {
        let read = read?;
        if read.depth > path.len() {
            left_out += usize::from(!read.is_mark);
            continue;
        }
        if read.depth > 0 {
            path.truncate(read.depth);
            let before = path.last().and_then(|&last| tree.nodes.get_mut(last));
            if let (Some(before), Some(point)) = (before, read.point)
                && read.has_label()
            {
                meter.take(LABEL)?;
                label(before, size, point, &read.mark);
            }
        }
        if read.depth > 0 && !read.is_mark {
            while game.ply() + 1 > read.depth {
                game.undo();
            }
            let color = game.side();
            let made = match read.point {
                None => game.pass(),
                Some(point) => game.play_or_lose(point),
            };
            match made {
                // It was made, and lost the game.
                Ok(()) | Err(MoveError::Forbidden(..)) => {}
                Err(MoveError::Over(_)) => {
                    left_out += 1;
                    continue;
                }
                Err(_) => {
                    let (at, what) = (read.at, "a move on a stone");
                    return Err(LibraryError::Damaged { at, what });
                }
            }
            let point = read.point.unwrap_or(Point::NONE);
            path.push(tree.nodes.len());
            let parent = path.get(read.depth - 1).copied();
            let node = RecordNode::new(parent, color, point);
            push(&mut tree.nodes, node)?;
        }
        // What stands beside a mark is said of the position before it.
        let comment = read.comment_with_mark();
        let node = path.last().and_then(|&last| tree.nodes.get_mut(last));
        if let Some(node) = node.filter(|_| !comment.is_empty()) {
            let taken = comment.len() + size_of::<Notes>();
            meter.take(taken)?;
            node.notes().add(&comment);
        }
    }
    if is_latin_1 {
        tree.warnings.push(WarningKind::Latin1(UNNAMED).into());
    }
    if left_out > 0 {
        tree.warnings.push(WarningKind::LeftOut(left_out).into());
    }
    tree.record_main_line();
    tree.record.settle();
    Ok(tree)
}

/// Labels a point of a position as boards show the mark of a move from there.
fn label(node: &mut RecordNode, size: BoardSize, point: Point, mark: &str) {
    if mark.is_empty() {
        return;
    }
    let value = format!("{}:{mark}", point_text(size, point));
    // A library says nothing else that SGF has a property for.
    let properties = &mut node.notes().properties;
    match properties.first_mut() {
        Some(labels) => labels.values.push(value),
        None => properties.push(Property::new("LB", value)),
    }
}

impl LibraryMove {
    /// Returns true if the mark is short enough for a label.
    fn has_label(&self) -> bool {
        self.point.is_some() && self.mark.chars().count() <= LONGEST_LABEL
    }

    /// The comment of a position, with its mark if that is too long for a label.
    fn comment_with_mark(&self) -> String {
        let mark = match self.point {
            _ if self.has_label() => String::new(),
            Some(point) if self.is_mark => format!("{point}: {}", self.mark),
            _ => self.mark.clone(),
        };
        let texts = [mark.as_str(), self.comment.as_str()].into_iter();
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        texts.join("\n")
    }
}

/// The bytes of a library with these moves, depth first, the empty board in
/// front, each at most one deeper than the one before.
pub fn write(moves: &[LibraryMove]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION);
    bytes.resize(HEADER, 0xFF);
    let siblings = siblings(moves);
    for (index, (written, sibling)) in moves.iter().zip(siblings).enumerate() {
        let next = moves.get(index + 1).map_or(0, |next| next.depth);
        let texts = [
            (&written.comment, flag::COMMENT),
            (&written.mark, flag::MARK),
        ];
        let mut flags = texts
            .iter()
            .filter(|(text, _)| !text.is_empty())
            .fold(0, |flags, (_, flag)| flags | flag);
        for (holds, flag) in [
            (sibling, flag::SIBLING),
            (next <= written.depth, flag::LEAF),
            (flags & flag::MARK != 0, flag::MORE),
            (written.is_mark, flag::NO_MOVE),
        ] {
            flags |= if holds { flag } else { 0 };
        }
        let point = written.point;
        bytes.push(point.map_or(0, |point| {
            (BoardSize::default().row_from_top(point) << 4 | (point.x() + 1)) as u8
        }));
        bytes.push(flags as u8);
        if flags & flag::MORE != 0 {
            bytes.extend(((flags >> 8) as u16).to_be_bytes());
        }
        if !written.comment.is_empty() {
            // As the text below the first line, which may have any length.
            let comment = written.comment.replace('\n', "\r\n");
            write_text(&format!("{FIRST_LINE}{comment}"), &mut bytes);
        }
        if !written.mark.is_empty() {
            write_text(&written.mark, &mut bytes);
        }
    }
    bytes
}

/// For each move, true if it has a later sibling.
fn siblings(moves: &[LibraryMove]) -> Vec<bool> {
    // By depth: whether there is one under the same parent.
    let mut later: Vec<bool> = Vec::new();
    let mut siblings: Vec<bool> = moves
        .iter()
        .rev()
        .map(|one| {
            later.resize(one.depth + 1, false);
            std::mem::replace(&mut later[one.depth], true)
        })
        .collect();
    siblings.reverse();
    siblings
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    let text = text.bytes().filter(|&byte| byte != 0);
    let start = bytes.len();
    bytes.extend(text);
    bytes.push(0);
    if (bytes.len() - start) % 2 == 1 {
        bytes.push(0);
    }
}

/// Bytes, and how many of them were read.
#[derive(Clone, Debug)]
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    encoding: Option<Encoding>,
}

impl<'a> Reader<'a> {
    fn behind_header(
        bytes: &'a [u8],
        encoding: Option<Encoding>,
    ) -> Result<Reader<'a>, LibraryError> {
        let at = |at| Reader {
            bytes,
            at,
            encoding,
        };
        if bytes.first() == Some(&CENTRE) {
            return Ok(at(0));
        }
        if bytes.len() < HEADER || !bytes.starts_with(&MAGIC) {
            return Err(LibraryError::Header);
        }
        let version = [bytes[8], bytes[9]];
        if version > VERSION {
            return Err(LibraryError::Version(version[0], version[1]));
        }
        Ok(at(HEADER))
    }

    fn damaged<T>(&self, at: usize, what: &'static str) -> Result<T, LibraryError> {
        Err(LibraryError::Damaged { at, what })
    }

    fn pair(&mut self) -> Result<[u8; 2], LibraryError> {
        match self.bytes[self.at..].first_chunk() {
            Some(&pair) => {
                self.at += 2;
                Ok(pair)
            }
            None => self.damaged(self.bytes.len(), "the file ends too early"),
        }
    }

    /// The next move, its depth aside, and its flags.
    fn next_move(&mut self) -> Result<(LibraryMove, u32), LibraryError> {
        let at = self.at;
        let [place, low] = self.pair()?;
        let mut flags = u32::from(low);
        if flags & flag::MORE != 0 {
            flags |= u32::from(u16::from_be_bytes(self.pair()?)) << 8;
        }
        if flags & !flag::ALL != 0 {
            return self.damaged(at + 2, "flags of no known version");
        }
        let (column, row) = (usize::from(place & 15), usize::from(place >> 4));
        let point = match column.checked_sub(1) {
            None if row == 0 => None,
            x => match x.and_then(|x| BoardSize::default().point_from_top(x, row)) {
                Some(point) => Some(point),
                None => return self.damaged(at, "no point of a board"),
            },
        };
        let comment = if flags & flag::OLD_COMMENT != 0 {
            self.old_text()?
        } else if flags & flag::COMMENT != 0 {
            self.text()?
        } else {
            Vec::new()
        };
        let mark = if flags & flag::MARK != 0 {
            self.text()?
        } else {
            Vec::new()
        };
        let is_utf_8 = |text: &[u8]| std::str::from_utf8(text).is_ok();
        let read = LibraryMove {
            depth: 0,
            point,
            mark: plain(&mark, self.encoding),
            comment: in_one_piece(&plain(&comment, self.encoding)),
            is_mark: false,
            is_latin_1: self.encoding.is_none() && !(is_utf_8(&mark) && is_utf_8(&comment)),
            at,
        };
        Ok((read, flags))
    }

    /// Up to a zero.
    fn text(&mut self) -> Result<Vec<u8>, LibraryError> {
        let mut text = Vec::new();
        loop {
            for byte in self.pair()? {
                if byte == 0 {
                    return Ok(text);
                }
                text.push(byte);
            }
        }
    }

    /// Up to a byte with the highest bit set.
    fn old_text(&mut self) -> Result<Vec<u8>, LibraryError> {
        let mut text = Vec::new();
        loop {
            for byte in self.pair()? {
                text.push(byte & 0x7F);
                if byte & 0x80 != 0 {
                    return Ok(text);
                }
            }
        }
    }
}

/// A comment's first line and the others, as one text.
fn in_one_piece(comment: &str) -> String {
    let comment = comment.replace("\r\n", "\n");
    match comment.strip_prefix(FIRST_LINE) {
        Some(others) => others.to_owned(),
        None => comment.replacen(FIRST_LINE, "\n", 1),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
