//! The one door through which games come in.
//!
//! Bytes are decoded by what they say of themselves, the format is recognised by content
//! and name, and one reader a format makes the games. A reader never drops or invents a
//! move: what is harmless it reads and remarks on, what could be another game it refuses.

use super::encoding::{AmbiguousError, Encoding, decode};
use super::foreign::{ForeignFileError, expect_no_foreign};
use super::memory::{MemoryError, expect_memory};
use super::place::shown;
use super::psq::{self, PsqError};
use super::record::{GameRecord, ReplayError};
use super::record_tree::{RecordTree, TreeError};
use super::remark::{Remark, RemarkKind, first_remarks};
use super::renlib::{self, LibraryError};
use super::scanner::{has_last_end, is_blank};
use super::sgf::{self, SgfError, Tree};
use super::text::{self, LineError, MovesError};
use super::yixin::{self, SavedError};
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use std::fmt;

/// The bytes of a file that show whether it begins like a record.
const START: usize = 200;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The game records that most programs read.
    Sgf,
    /// The files of piskvork.
    Psq,
    /// The files of piskvork's predecessor.
    Rec,
    /// The positions of Yixin.
    Sav,
    /// The positions of older Renju programs.
    Pos,
    /// The libraries of RenLib.
    RenLib,
    /// Lines `SIZE RULE MOVES`, or moves.
    Text,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 7] = [
        FileFormat::Sgf,
        FileFormat::Psq,
        FileFormat::Rec,
        FileFormat::Sav,
        FileFormat::Pos,
        FileFormat::RenLib,
        FileFormat::Text,
    ];

    /// The end of the names of such files.
    pub const fn extension(self) -> &'static str {
        match self {
            FileFormat::Sgf => "sgf",
            FileFormat::Psq => "psq",
            FileFormat::Rec => "rec",
            FileFormat::Sav => "sav",
            FileFormat::Pos => "pos",
            FileFormat::RenLib => "lib",
            FileFormat::Text => "txt",
        }
    }

    /// The format that the name of a file tells, in capitals or not.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        let (_, extension) = name.rsplit_once('.')?;
        let is = |format: &FileFormat| extension.eq_ignore_ascii_case(format.extension());
        FileFormat::ALL.into_iter().find(is)
    }
}

/// The name by which people know the format.
impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Sgf => "SGF",
            FileFormat::Psq => "PSQ",
            FileFormat::Rec => "REC",
            FileFormat::Sav => "SAV",
            FileFormat::Pos => "POS",
            FileFormat::RenLib => "RenLib",
            FileFormat::Text => "text",
        })
    }
}

/// A file, or a text that came another way.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What it holds.
    pub bytes: &'a [u8],
    /// Its name, if it has one.
    pub name: Option<&'a str>,
    /// How it is encoded, where that is known better than from the file itself.
    pub encoding: Option<Encoding>,
}

/// What is taken where a file does not say it.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// The rule of files that name none.
    pub rule: Rule,
    /// The rule of files that name one that is not known.
    pub unknown_rule: Rule,
    /// The board of moves alone.
    pub size: BoardSize,
    /// The board of SGF games that name none.
    pub unknown_size: BoardSize,
}

impl Expected {
    /// This rule in all cases, and this board.
    pub const fn new(rule: Rule, size: BoardSize) -> Expected {
        Expected {
            rule,
            unknown_rule: rule,
            size,
            unknown_size: size,
        }
    }

    /// What is said of a file without a rule, where another may be meant than the one that is
    /// taken.
    fn rule_remark(&self) -> Option<Remark> {
        let is_other = self.rule != self.unknown_rule;
        is_other.then(|| RemarkKind::NoRule(self.rule).into())
    }
}

/// The games of a file.
#[derive(Debug)]
pub struct GameFile {
    /// The format.
    pub format: FileFormat,
    /// The games, as far as they make sense; there is at least one.
    pub games: Vec<Result<RecordTree, OpenError>>,
    /// What was noticed about the file as a whole.
    pub remarks: Vec<Remark>,
}

/// The file is no game that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The file is of a kind that has no moves.
    #[error(transparent)]
    Foreign(#[from] ForeignFileError),
    /// The encoding is not known, and decides.
    #[error(transparent)]
    Encoding(#[from] AmbiguousError),
    /// The games take too much memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The text is not SGF, or no game.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// The text is not PSQ.
    #[error(transparent)]
    Psq(#[from] PsqError),
    /// The file is no saved position.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// The file is no library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The line is no position.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The text is no list of moves.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The main line is no game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The moves are no game.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A line of several is no position.
    #[error("line {line}: {error}")]
    OfLine {
        /// The line, from one.
        line: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// The file has no such game.
    #[error("there is no game {number}, only {count}")]
    NoGame {
        /// The number of the game, from one.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// Nothing of any known format.
    #[error("this is neither SGF, PSQ, RenLib nor any other file of a game, nor a list of moves")]
    Unknown,
}

impl GameFile {
    /// The game of this number, from one, and all remarks on it.
    ///
    /// # Errors
    /// When the file has no such game, or it makes no sense.
    pub fn game(mut self, number: usize) -> Result<RecordTree, OpenError> {
        let count = self.games.len();
        if number == 0 || number > count {
            return Err(OpenError::NoGame { number, count });
        }
        let mut game = self.games.swap_remove(number - 1)?;
        if count > 1 {
            self.remarks.push(RemarkKind::Game { number, count }.into());
        }
        game.remarks.splice(..0, self.remarks);
        game.remarks = first_remarks(game.remarks);
        Ok(game)
    }
}

/// Opens a file.
///
/// # Errors
/// When no game of it can be read.
pub fn open(source: Source<'_>, expected: Expected) -> Result<GameFile, OpenError> {
    let content = recognise(source)?;
    let text = content.text.as_str();
    let format = content.format.ok_or(OpenError::Unknown)?;
    expect_memory(source.bytes.len(), memory(format, source.bytes))?;
    let mut file = match format {
        FileFormat::RenLib => {
            let moves = renlib::read(source.bytes, source.encoding)?;
            let mut game = renlib::game(&moves, expected.rule, expected.size)?;
            game.remarks.extend(expected.rule_remark());
            GameFile::of(FileFormat::RenLib, Ok(game))
        }
        FileFormat::Pos => {
            let read = yixin::read_pos(source.bytes);
            GameFile::of(FileFormat::Pos, tree_of(read, expected))
        }
        FileFormat::Sgf => open_sgf(text, expected)?,
        FileFormat::Psq => {
            let mut file = GameFile::of(FileFormat::Psq, tree_of(psq::read(text), expected));
            file.remarks
                .extend(cut_remark(psq::ends_with_a_stone(text)));
            file
        }
        FileFormat::Rec => {
            let read = psq::read_rec(text, expected.size);
            let mut file = GameFile::of(FileFormat::Rec, tree_of(read, expected));
            if let Some(Ok(game)) = file.games.first() {
                let remark = RemarkKind::NoBoard(game.record.size);
                file.remarks.push(remark.into());
            }
            file.remarks
                .extend(cut_remark(psq::ends_with_a_stone(text)));
            file
        }
        FileFormat::Sav => {
            let mut file = GameFile::of(FileFormat::Sav, tree_of(yixin::read_sav(text), expected));
            let has_lines = text.trim().contains(['\n', '\r']);
            file.remarks
                .extend(cut_remark(has_lines && !has_last_end(text)));
            file
        }
        FileFormat::Text => open_text(&content, expected)?,
    };
    file.remarks.splice(..0, content.remarks.iter().cloned());
    file.remarks = first_remarks(file.remarks);
    // A file of one game that makes no sense is none.
    match file.games.first() {
        Some(Err(error)) if file.games.len() == 1 => Err(error.clone()),
        _ => Ok(file),
    }
}

/// The bytes of memory that the games of a file take, no less than measured.
fn memory(format: FileFormat, bytes: &[u8]) -> usize {
    let bytes_each = |signs: &[u8], each: usize| {
        let count = bytes.iter().filter(|byte| signs.contains(byte)).count();
        count.saturating_mul(each)
    };
    let games = match format {
        // A node and a value.
        FileFormat::Sgf => bytes_each(b";[", 300),
        // Their readers keep a board of moves.
        FileFormat::Sav | FileFormat::Pos => 0,
        FileFormat::Psq | FileFormat::Rec => bytes_each(b"\r\n", 100),
        FileFormat::RenLib | FileFormat::Text => bytes.len().saturating_mul(100),
    };
    games.saturating_add(bytes.len().saturating_mul(8))
}

/// What is said of a file whose last line is not the one that such files end with.
fn cut_remark(may_be_cut: bool) -> Option<Remark> {
    may_be_cut.then(|| RemarkKind::Cut.into())
}

/// What a file holds, as far as that shows before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The format; nothing for an empty file.
    pub format: Option<FileFormat>,
    /// The text, unless the format is one of bytes.
    pub text: String,
    /// What was noticed.
    pub remarks: Vec<Remark>,
}

impl Content {
    /// The positions of a text that begins with a line `SIZE RULE MOVES`. The moves of one
    /// may go on over the next lines.
    fn lines(&self) -> Vec<PositionText> {
        let mut positions: Vec<PositionText> = Vec::new();
        for (number, line) in super::place::lines(&self.text) {
            let line = line.trim_matches(is_blank);
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            match positions.last_mut() {
                Some(last) if !text::is_line(line) => {
                    last.text.push(' ');
                    last.text.push_str(line);
                    last.to = number;
                }
                _ => positions.push(PositionText {
                    from: number,
                    to: number,
                    text: line.to_owned(),
                }),
            }
        }
        positions
    }
}

/// A position of a text, and its lines from one.
struct PositionText {
    from: usize,
    to: usize,
    text: String,
}

impl PositionText {
    /// The position, which is one of `count`, and what is to be said of it.
    fn read(&self, count: usize) -> Result<(Position, Option<Remark>), OpenError> {
        let &PositionText { from, to, ref text } = self;
        let remark = (from < to).then(|| RemarkKind::Joined { from, to }.into());
        match text::line(text) {
            Ok(position) => Ok((position, remark)),
            Err(error) if count == 1 => Err(error.into()),
            Err(error) => Err(OpenError::OfLine { line: from, error }),
        }
    }
}

/// Decodes a file and recognises its format.
///
/// # Errors
/// When the file is of a kind that has no moves, or the encoding is not known, and decides.
pub fn recognise(source: Source<'_>) -> Result<Content, OpenError> {
    let Source { bytes, name, .. } = source;
    let named = name.and_then(FileFormat::of_name);
    let is_pos = named == Some(FileFormat::Pos) && yixin::read_pos(bytes).is_ok();
    if !is_pos {
        expect_no_foreign(bytes)?;
    }
    // The text, and copies of it on the way.
    expect_memory(bytes.len(), bytes.len().saturating_mul(4))?;
    let of_bytes = |format| Content {
        format: Some(format),
        text: String::new(),
        remarks: Vec::new(),
    };
    if renlib::is_library(bytes) {
        return Ok(of_bytes(FileFormat::RenLib));
    }
    // Other programs save text under the same name.
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    match named {
        Some(FileFormat::Pos) if is_pos => return Ok(of_bytes(FileFormat::Pos)),
        _ if begins_like_a_record(bytes) => {}
        Some(FileFormat::RenLib) => return Ok(of_bytes(FileFormat::RenLib)),
        Some(FileFormat::Pos) if !bytes.iter().all(is_text) => {
            return Ok(of_bytes(FileFormat::Pos));
        }
        _ => {}
    }
    let decoded = decode(bytes, source.encoding)?;
    Ok(Content {
        format: format_of(&decoded.text, named),
        text: decoded.text,
        remarks: decoded.remarks,
    })
}

/// Whether a file begins like SGF or PSQ, whatever its name is.
fn begins_like_a_record(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(START)]);
    let start = start.trim_start_matches(is_blank);
    psq::is_psq(start) || begins_with_a_tree(start)
}

fn begins_with_a_tree(text: &str) -> bool {
    text.starts_with('(') && sgf::opens_a_tree(text, 0)
}

/// The format of a text, by its content first.
fn format_of(text: &str, named: Option<FileFormat>) -> Option<FileFormat> {
    let inside = text.trim_matches(is_blank);
    let has_tree = || {
        let mut opened = inside.match_indices('(');
        opened.any(|(at, _)| sgf::opens_a_tree(inside, at))
    };
    Some(if psq::is_psq(inside) {
        FileFormat::Psq
    } else if begins_with_a_tree(inside) {
        FileFormat::Sgf
    } else if named == Some(FileFormat::Rec) {
        FileFormat::Rec
    } else if named == Some(FileFormat::Sav) || yixin::is_sav(inside) {
        FileFormat::Sav
    } else if named == Some(FileFormat::Sgf) || has_tree() {
        FileFormat::Sgf
    } else if named == Some(FileFormat::Psq) {
        FileFormat::Psq
    } else if inside.is_empty() {
        return None;
    } else {
        FileFormat::Text
    })
}

impl GameFile {
    fn of(format: FileFormat, game: Result<RecordTree, OpenError>) -> GameFile {
        GameFile {
            format,
            games: vec![game],
            remarks: Vec::new(),
        }
    }
}

fn open_sgf(text: &str, expected: Expected) -> Result<GameFile, OpenError> {
    let collection = Tree::parse(text).map_err(SgfError::from)?;
    let game = |tree| {
        let game = sgf::game(tree, expected.unknown_size)?;
        checked(game, expected)
    };
    Ok(GameFile {
        format: FileFormat::Sgf,
        games: collection.trees.iter().map(game).collect(),
        remarks: collection.remarks,
    })
}

/// One line of `SIZE RULE MOVES` or several, or moves.
fn open_text(content: &Content, expected: Expected) -> Result<GameFile, OpenError> {
    let text = content.text.as_str();
    let game = |position: Position| {
        let record = GameRecord::of(&Game::from_position(position));
        checked(RecordTree::of(record), expected)
    };
    if !text::is_line(without_comments(text)) {
        let position = text::position(expected.rule, expected.size, text)?;
        let mut file = GameFile::of(FileFormat::Text, game(position));
        if text::may_be_several(text) {
            file.remarks.push(RemarkKind::OneGame.into());
        }
        return Ok(file);
    }
    let lines = content.lines();
    let games = lines.iter().map(|line| {
        let (position, remark) = line.read(lines.len())?;
        let mut game = game(position)?;
        game.remarks.extend(remark);
        Ok(game)
    });
    Ok(GameFile {
        format: FileFormat::Text,
        games: games.collect(),
        remarks: Vec::new(),
    })
}

/// A text from its first line on that is no comment.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches(is_blank);
    while rest.starts_with('#') {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        rest = rest[end..].trim_start_matches(is_blank);
    }
    rest
}

fn tree_of<E>(read: Result<GameRecord, E>, expected: Expected) -> Result<RecordTree, OpenError>
where
    OpenError: From<E>,
{
    checked(RecordTree::of(read?), expected)
}

/// A tree that is a game, under the rule that its record then names.
fn checked(mut tree: RecordTree, expected: Expected) -> Result<RecordTree, OpenError> {
    let rule = match (&tree.record.rule, &tree.record.unknown_rule) {
        (Some(rule), _) => *rule,
        (None, Some(name)) => {
            let rule = expected.unknown_rule;
            let name = shown(name);
            tree.remarks
                .push(RemarkKind::UnknownRule { name, rule }.into());
            rule
        }
        (None, None) => {
            tree.remarks.extend(expected.rule_remark());
            expected.rule
        }
    };
    tree.check(rule)?;
    if tree.record.rule.replace(rule).is_none() {
        tree.settle();
    }
    Ok(tree)
}

/// The position at the end of a game, under the rule it has, and remarks. A text
/// is a diagram: the order of its stones means nothing, and may go over the end of a game.
///
/// # Errors
/// When the file has no such game, or it makes no sense.
pub fn open_position(
    source: Source<'_>,
    expected: Expected,
    number: usize,
) -> Result<(Position, Vec<Remark>), OpenError> {
    let content = recognise(source)?;
    if content.format == Some(FileFormat::Text) && !text::is_line(without_comments(&content.text)) {
        if number != 1 {
            return Err(OpenError::NoGame { number, count: 1 });
        }
        let position = text::position(expected.rule, expected.size, &content.text)?;
        let several = text::may_be_several(&content.text);
        let remark = several.then(|| RemarkKind::OneGame.into());
        return Ok((
            position,
            content.remarks.into_iter().chain(remark).collect(),
        ));
    }
    if content.format == Some(FileFormat::Text) {
        let mut lines = content.lines();
        let count = lines.len();
        if number == 0 || number > count {
            return Err(OpenError::NoGame { number, count });
        }
        let (position, remark) = lines.swap_remove(number - 1).read(count)?;
        let which = (count > 1).then(|| RemarkKind::Position { number, count }.into());
        let remarks = content.remarks.into_iter().chain(which).chain(remark);
        return Ok((position, remarks.collect()));
    }
    let game = open(source, expected)?.game(number)?;
    let played = game.record.replay(expected.rule)?;
    Ok((played.position().clone(), game.remarks))
}
