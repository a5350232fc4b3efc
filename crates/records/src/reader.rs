//! The one reader through which all games come in.
//!
//! Bytes are decoded by what they say of themselves, the format is recognised by content
//! and name, and one reader a format makes the games. A reader never drops or invents a
//! move: what is harmless it reads with a warning, what could be another game it refuses.

use super::drawing::{self, DrawingError};
use super::encoding::{AmbiguousError, Encoding, decode};
use super::file_format::{FileFormat, begins_like_a_record, format_of, has_tree};
use super::lines::shown;
use super::lines::{has_last_end, is_blank};
use super::memory::{MemoryError, Meter, expect_memory, push};
use super::other_formats::{OtherFormatError, reject_other_formats, reject_other_formats_of_text};
use super::pgn;
use super::psq::{self, PsqError};
use super::record::{GameRecord, ReplayError};
use super::record_tree::{RecordTree, TreeError};
use super::renlib::{self, LibraryError};
use super::rif::{self, RifError};
use super::sgf::{self, SgfError};
use super::text;
use super::warning::{Warning, WarningKind, first_warnings};
use super::yixin::{self, SavedError};
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::position::notation::{MovesError, ParseLineError, parse_moves};
use quincunx_engine::rules::{BoardSize, Rule};

/// A file, or a text that came another way.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The content of the file.
    pub bytes: &'a [u8],
    /// Its name, if it has one.
    pub name: Option<&'a str>,
    /// The encoding, if it is known from elsewhere.
    pub encoding: Option<Encoding>,
}

/// Defaults for missing values of a file.
#[derive(Clone, Copy, Debug)]
pub struct ReadDefaults {
    /// The rule of files that name none.
    pub rule: Rule,
    /// The rule of files that name one that is not known.
    pub unknown_rule: Rule,
    /// The board of moves alone.
    pub size: BoardSize,
    /// The board of SGF games that name none.
    pub unknown_size: BoardSize,
    /// True if a person has named the rule: a file with the number of another game is Gomoku or
    /// Renju then.
    pub is_rule_named: bool,
}

impl ReadDefaults {
    /// This rule in all cases, and this board.
    pub const fn new(rule: Rule, size: BoardSize) -> ReadDefaults {
        ReadDefaults {
            rule,
            unknown_rule: rule,
            size,
            unknown_size: size,
            is_rule_named: false,
        }
    }

    /// The warning about a file without a rule, where the assumed rule may be the wrong one.
    fn rule_warning(&self) -> Option<Warning> {
        let is_other = self.rule != self.unknown_rule;
        is_other.then(|| WarningKind::NoRule(self.rule).into())
    }
}

/// The games of a file.
#[derive(Debug)]
pub struct GameFile {
    /// The format.
    pub format: FileFormat,
    /// The games, as far as they make sense; there is at least one.
    pub games: Vec<Result<RecordTree, OpenError>>,
    /// Warnings about the file as a whole.
    pub warnings: Vec<Warning>,
}

/// The error of a file that can't be read as games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The file is of a kind that has no moves.
    #[error(transparent)]
    OtherFormat(#[from] OtherFormatError),
    /// The encoding is ambiguous, and the moves depend on it.
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
    /// A saved position is invalid.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// A library is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The text has no games in XML.
    #[error(transparent)]
    Rif(#[from] RifError),
    /// A drawing is invalid.
    #[error(transparent)]
    Drawing(#[from] DrawingError),
    /// A line is not a position.
    #[error(transparent)]
    Line(#[from] ParseLineError),
    /// A text is not a list of moves.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The main line is not a game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The moves are not a game.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// One of several lines is not a position.
    #[error("line {line}: {error}")]
    OfLine {
        /// The line, from one.
        line: usize,
        /// The error.
        error: ParseLineError,
    },
    /// The file has no such game.
    #[error("there is no game {number}, only {count}")]
    NoGame {
        /// The number of the game, from one.
        number: usize,
        /// The number of games.
        count: usize,
    },
    /// Nothing of any known format.
    #[error("this is neither SGF, PSQ, RenLib nor any other file of a game, nor a list of moves")]
    Unknown,
}

impl GameFile {
    /// The game of this number, from one, and all warnings on it.
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
            self.warnings
                .push(WarningKind::Game { number, count }.into());
        }
        game.warnings.splice(..0, self.warnings);
        game.warnings = first_warnings(game.warnings);
        Ok(game)
    }
}

/// Opens a file.
///
/// # Errors
/// When no game of it can be read.
pub fn open(source: Source<'_>, expected: ReadDefaults) -> Result<GameFile, OpenError> {
    let content = recognise(source)?;
    let text = content.text.as_str();
    let format = content.format.ok_or(OpenError::Unknown)?;
    let mut file = match format {
        FileFormat::RenLib => {
            let moves = renlib::Moves::of(source.bytes, source.encoding)?;
            let mut game = renlib::game(moves, expected.rule, expected.size)?;
            game.warnings.extend(expected.rule_warning());
            GameFile::of(FileFormat::RenLib, Ok(game))
        }
        FileFormat::Pos => {
            let read = yixin::read_pos(source.bytes);
            GameFile::of(FileFormat::Pos, tree_of(read, expected))
        }
        FileFormat::Sgf => open_sgf(text, expected)?,
        FileFormat::Psq => {
            let mut file = GameFile::of(FileFormat::Psq, tree_of(psq::read(text), expected));
            file.warnings
                .extend(cut_warning(psq::ends_with_a_stone(text)));
            file
        }
        FileFormat::Rec => {
            let read = psq::read_rec(text, expected.size);
            let mut file = GameFile::of(FileFormat::Rec, tree_of(read, expected));
            if let Some(Ok(game)) = file.games.first() {
                let warning = WarningKind::NoBoard(game.record.size);
                file.warnings.push(warning.into());
            }
            file.warnings
                .extend(cut_warning(psq::ends_with_a_stone(text)));
            file
        }
        FileFormat::Sav => {
            let mut file = GameFile::of(FileFormat::Sav, tree_of(yixin::read_sav(text), expected));
            let has_lines = text.trim().contains(['\n', '\r']);
            file.warnings
                .extend(cut_warning(has_lines && !has_last_end(text)));
            file
        }
        FileFormat::Rif => open_rif(text, expected)?,
        FileFormat::Pgn => open_pgn(text, expected)?,
        FileFormat::Drawing => {
            let (record, warnings) = drawing::read(text)?;
            let game = checked(RecordTree::of(record), expected);
            let mut file = GameFile::of(FileFormat::Drawing, game);
            file.warnings.extend(warnings);
            file
        }
        FileFormat::Text => open_text(&content, expected)?,
    };
    file.warnings.splice(..0, content.warnings.iter().cloned());
    file.warnings = first_warnings(file.warnings);
    // A file of one game that makes no sense is none.
    match file.games.first() {
        Some(Err(error)) if file.games.len() == 1 => Err(error.clone()),
        _ => Ok(file),
    }
}

/// The warning about a file whose last line is not the usual one.
fn cut_warning(may_be_cut: bool) -> Option<Warning> {
    may_be_cut.then(|| WarningKind::Cut.into())
}

/// A summary of a file, made without reading its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSummary {
    /// The format; nothing for an empty file.
    pub format: Option<FileFormat>,
    /// The text, unless the format is one of bytes.
    pub text: String,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

impl FileSummary {
    /// The positions of a text that begins with a line `SIZE RULE MOVES`. The moves of one
    /// may go on over the next lines.
    fn lines(&self) -> Result<Vec<PositionText>, MemoryError> {
        let (mut positions, mut meter) = (Vec::<PositionText>::new(), Meter::default());
        for (number, line) in super::lines::lines(&self.text) {
            let line = line.trim_matches(is_blank);
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            meter.take(line.len())?;
            match positions.last_mut() {
                Some(last) if !text::is_line(line) => {
                    last.text.push(' ');
                    last.text.push_str(line);
                    last.to = number;
                }
                _ => {
                    let position = PositionText {
                        from: number,
                        to: number,
                        text: line.to_owned(),
                    };
                    push(&mut positions, position)?;
                }
            }
        }
        Ok(positions)
    }
}

/// A position of a text, and its lines from one.
struct PositionText {
    from: usize,
    to: usize,
    text: String,
}

impl PositionText {
    /// Reads the position, one of `count`, with a warning.
    fn read(&self, count: usize) -> Result<(Position, Option<Warning>), OpenError> {
        let &PositionText { from, to, ref text } = self;
        let warning = (from < to).then(|| WarningKind::Joined { from, to }.into());
        match text::line(text) {
            Ok(position) => Ok((position, warning)),
            Err(error) if count == 1 => Err(error.into()),
            Err(error) => Err(OpenError::OfLine { line: from, error }),
        }
    }
}

/// Decodes a file and recognises its format.
///
/// # Errors
/// When the file is of a kind that has no moves, or the encoding is not known, and decides.
pub fn recognise(source: Source<'_>) -> Result<FileSummary, OpenError> {
    let Source { bytes, name, .. } = source;
    let named = name.and_then(FileFormat::of_name);
    let is_pos = named == Some(FileFormat::Pos) && yixin::read_pos(bytes).is_ok();
    if !is_pos {
        reject_other_formats(bytes)?;
    }
    // The text, and copies of it on the way.
    expect_memory(bytes.len().saturating_mul(4))?;
    if u32::try_from(bytes.len()).is_err() {
        // Places and nodes are numbers of 32 bits.
        return Err(MemoryError.into());
    }
    let of_bytes = |format| FileSummary {
        format: Some(format),
        text: String::new(),
        warnings: Vec::new(),
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
    let format = format_of(&decoded.text, named);
    let has_moves =
        || parse_moves(BoardSize::default(), &decoded.text).is_ok_and(|it| !it.is_empty());
    match format {
        None | Some(FileFormat::Text)
            if named == Some(FileFormat::Pos)
                && !text::is_line(without_comments(&decoded.text))
                && !has_moves() =>
        {
            return Ok(of_bytes(FileFormat::Pos));
        }
        Some(FileFormat::Sgf) if has_tree(&decoded.text) => {}
        Some(FileFormat::Psq | FileFormat::Rif | FileFormat::Pgn | FileFormat::Drawing) => {}
        _ => reject_other_formats_of_text(&decoded.text, name)?,
    }
    Ok(FileSummary {
        format,
        text: decoded.text,
        warnings: decoded.warnings,
    })
}

impl GameFile {
    fn of(format: FileFormat, game: Result<RecordTree, OpenError>) -> GameFile {
        GameFile {
            format,
            games: vec![game],
            warnings: Vec::new(),
        }
    }
}

fn open_sgf(text: &str, expected: ReadDefaults) -> Result<GameFile, OpenError> {
    let mut games = Games::default();
    let warnings = sgf::each_tree(text, &mut |tree| {
        let read = sgf::read_tree(&tree, expected.unknown_size, expected.is_rule_named);
        drop(tree);
        games.add(
            read.map_err(OpenError::from)
                .and_then(|game| checked(game, expected)),
        )
    });
    Ok(GameFile {
        format: FileFormat::Sgf,
        warnings: warnings.map_err(SgfError::from)?,
        games: games.read,
    })
}

fn open_rif(text: &str, expected: ReadDefaults) -> Result<GameFile, OpenError> {
    let mut games = Games::default();
    let is_cut = rif::each_game(text, &mut |read| {
        games.add(
            read.map_err(OpenError::from)
                .and_then(|game| checked(game, expected)),
        )
    })?;
    Ok(GameFile {
        format: FileFormat::Rif,
        games: games.read,
        warnings: cut_warning(is_cut).into_iter().collect(),
    })
}

fn open_pgn(text: &str, expected: ReadDefaults) -> Result<GameFile, OpenError> {
    let mut games = Games::default();
    for read in pgn::Games::of(text) {
        let game = read
            .map_err(OpenError::from)
            .and_then(|(record, warnings)| {
                let mut game = RecordTree::of(record);
                game.settle();
                game.warnings.extend(warnings);
                checked(game, expected)
            });
        games.add(game)?;
    }
    Ok(GameFile {
        format: FileFormat::Pgn,
        games: games.read,
        warnings: Vec::new(),
    })
}

/// The games of a file so far.
#[derive(Default)]
struct Games {
    read: Vec<Result<RecordTree, OpenError>>,
    meter: Meter,
}

impl Games {
    fn add(&mut self, game: Result<RecordTree, OpenError>) -> Result<(), MemoryError> {
        let taken = game.as_ref().map_or(ERROR, RecordTree::small_memory);
        self.meter.take(taken)?;
        push(&mut self.read, game)
    }
}

/// The bytes of memory that an error takes with its texts.
const ERROR: usize = 200;

/// One line of `SIZE RULE MOVES` or several, or moves.
fn open_text(content: &FileSummary, expected: ReadDefaults) -> Result<GameFile, OpenError> {
    let text = content.text.as_str();
    let game = |position: Position| {
        let record = GameRecord::of(&Game::from_position(position));
        checked(RecordTree::of(record), expected)
    };
    if !text::is_line(without_comments(text)) {
        let position = moves_alone(text, expected)?;
        let mut file = GameFile::of(FileFormat::Text, game(position));
        if text::may_be_several(text) {
            file.warnings.push(WarningKind::OneGame.into());
        }
        return Ok(file);
    }
    let lines = content.lines()?;
    let mut games = Games::default();
    for line in &lines {
        let read = line.read(lines.len()).and_then(|(position, warning)| {
            let mut game = game(position)?;
            game.warnings.extend(warning);
            Ok(game)
        });
        games.add(read)?;
    }
    Ok(GameFile {
        format: FileFormat::Text,
        games: games.read,
        warnings: Vec::new(),
    })
}

/// The position after the moves of a text, of which there is one at least.
fn moves_alone(text: &str, expected: ReadDefaults) -> Result<Position, OpenError> {
    let position = Position::from_moves(expected.rule, expected.size, text)?;
    match position.ply() {
        0 => Err(OpenError::Unknown),
        _ => Ok(position),
    }
}

/// A text without its leading comment lines.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches(is_blank);
    while rest.starts_with('#') {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        rest = rest[end..].trim_start_matches(is_blank);
    }
    rest
}

fn tree_of<E>(read: Result<GameRecord, E>, expected: ReadDefaults) -> Result<RecordTree, OpenError>
where
    OpenError: From<E>,
{
    checked(RecordTree::of(read?), expected)
}

/// A tree that is a game, under the rule that its record then names.
fn checked(mut tree: RecordTree, expected: ReadDefaults) -> Result<RecordTree, OpenError> {
    let rule = match (&tree.record.rule, &tree.record.unknown_rule) {
        (Some(rule), _) => *rule,
        (None, Some(name)) => {
            let rule = expected.unknown_rule;
            let name = shown(name);
            tree.warnings
                .push(WarningKind::UnknownRule { name, rule }.into());
            rule
        }
        (None, None) => {
            tree.warnings.extend(expected.rule_warning());
            expected.rule
        }
    };
    tree.check(rule)?;
    if tree.record.rule.replace(rule).is_none() {
        tree.settle();
    }
    Ok(tree)
}

/// The position at the end of a game, under the rule it has, and warnings. A text
/// is a diagram: the order of its stones means nothing, and may go over the end of a game.
///
/// # Errors
/// When the file has no such game, or it makes no sense.
pub fn open_position(
    source: Source<'_>,
    expected: ReadDefaults,
    number: usize,
) -> Result<(Position, Vec<Warning>), OpenError> {
    let content = recognise(source)?;
    if content.format == Some(FileFormat::Text) && !text::is_line(without_comments(&content.text)) {
        if number != 1 {
            return Err(OpenError::NoGame { number, count: 1 });
        }
        let position = moves_alone(&content.text, expected)?;
        let several = text::may_be_several(&content.text);
        let warning = several.then(|| WarningKind::OneGame.into());
        return Ok((
            position,
            content.warnings.into_iter().chain(warning).collect(),
        ));
    }
    if content.format == Some(FileFormat::Text) {
        let mut lines = content.lines()?;
        let count = lines.len();
        if number == 0 || number > count {
            return Err(OpenError::NoGame { number, count });
        }
        let (position, warning) = lines.swap_remove(number - 1).read(count)?;
        let which = (count > 1).then(|| WarningKind::Position { number, count }.into());
        let warnings = content.warnings.into_iter().chain(which).chain(warning);
        return Ok((position, warnings.collect()));
    }
    drop(content);
    let game = open(source, expected)?.game(number)?;
    let played = game.record.replay(expected.rule)?;
    Ok((played.position().clone(), game.warnings))
}
