//! Openings in files: lists of text, and the games of every other format.

use super::file_format::FileFormat;
use super::lines::is_blank;
use super::lines::{lines, shown};
use super::memory::expect_memory;
use super::reader::{OpenError, ReadDefaults, Source, open, recognise};
use super::record::GameRecord;
use super::warning::{Warning, first_warnings};
use quincunx_engine::game::opening::{self, Opening, OpeningError};
use quincunx_engine::position::notation::{MovesError, MovesProblem, parse_moves};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// The bytes of memory that an opening of a list takes, no less than measured.
const MEMORY: usize = 300;

/// A file contains something other than openings of the rule and board.
#[derive(Debug, thiserror::Error)]
pub enum OpeningFileError {
    /// A line of a list is not an opening.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from one.
        line: usize,
        /// The error.
        error: LineProblem,
    },
    /// The file can't be read.
    #[error(transparent)]
    File(#[from] OpenError),
    /// A game of the file makes no sense.
    #[error("game {number}: {error}")]
    Game {
        /// The number of the game in the file, from one.
        number: usize,
        /// The error.
        error: GameProblem,
    },
}

/// An error in a line of a list of openings.
#[derive(Debug, thiserror::Error)]
pub enum LineProblem {
    /// No moves and no offsets.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// No game can go on from the stones.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The comment behind a tab looks like moves.
    #[error("a tab ends the moves, and '{}' behind it looks like more", shown(.0))]
    BehindTab(String),
    /// Two numbers a stone, which other files have for columns and rows.
    #[error(
        "without a minus in the list '{}' may be offsets from the middle, or columns and rows: \
         write the stones as h8i9",
        shown(.0)
    )]
    NoOffsets(String),
}

/// The reason that a game is not an opening.
#[derive(Debug, thiserror::Error)]
pub enum GameProblem {
    /// It can't be read.
    #[error(transparent)]
    Unreadable(OpenError),
    /// It is played on another board.
    #[error("the board is {found}, not {expected}")]
    Size {
        /// Its board.
        found: BoardSize,
        /// The board that is asked for.
        expected: BoardSize,
    },
    /// It has stones that are not put in turn.
    #[error("the stones are not black and white in turn")]
    OutOfTurn,
    /// No game can go on from the stones.
    #[error(transparent)]
    Opening(OpeningError),
}

/// Every opening of a file, no longer than `plies` stones, with warnings in words: the main
/// line of every game, or an opening a line of a text.
///
/// # Errors
/// Names the first line or game that is no opening of this rule and board.
pub fn read_openings(
    source: Source<'_>,
    rule: Rule,
    size: BoardSize,
    plies: Option<usize>,
) -> Result<(Vec<Opening>, Vec<String>), OpeningFileError> {
    let content = recognise(source)?;
    if matches!(content.format, None | Some(FileFormat::Text)) {
        let ends = source.bytes.iter().filter(|byte| b"\r\n".contains(byte));
        let needed = ends.count().saturating_mul(MEMORY);
        expect_memory(needed).map_err(OpenError::from)?;
        let openings = read_list(&content.text, rule, size, plies)?;
        return Ok((openings, in_words(content.warnings)));
    }
    let expected = ReadDefaults {
        is_rule_named: true,
        ..ReadDefaults::new(rule, size)
    };
    let file = open(source, expected)?;
    let mut warnings = in_words(file.warnings);
    let mut openings = Vec::new();
    let mut others = Vec::new();
    for (number, game) in (1..).zip(file.games) {
        let wrong = |error| OpeningFileError::Game { number, error };
        let game = game.map_err(|error| wrong(GameProblem::Unreadable(error)))?;
        warnings.extend(in_words(game.warnings));
        let record = &game.record;
        if record.size != size {
            return Err(wrong(GameProblem::Size {
                found: record.size,
                expected: size,
            }));
        }
        others.extend(record.rule.filter(|&of| of != rule).map(|of| (number, of)));
        let mut points = stones(record).ok_or(wrong(GameProblem::OutOfTurn))?;
        points.truncate(plies.unwrap_or(usize::MAX));
        let opening = Opening::new(rule, size, points);
        openings.push(opening.map_err(|error| wrong(GameProblem::Opening(error)))?);
    }
    if let Some((number, of)) = others.first() {
        let more = match others.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        warnings.push(format!(
            "game {number}{more}: an opening for {of}, not {rule}"
        ));
    }
    Ok((openings, first_warnings(warnings)))
}

fn in_words(warnings: Vec<Warning>) -> Vec<String> {
    warnings.into_iter().map(String::from).collect()
}

/// An opening a line. `#` starts a comment, and anything after a tab is a comment.
fn read_list(
    text: &str,
    rule: Rule,
    size: BoardSize,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningFileError> {
    let mut openings = Vec::new();
    // The first line of numbers that may be columns and rows, and whether one can't be.
    let (mut unclear, mut are_offsets) = (None, false);
    for (number, line) in lines(text) {
        let line = line.split('#').next().unwrap_or_default();
        let mut fields = line.split('\t');
        let line = fields.next().unwrap_or_default();
        let line = line.trim_matches(is_blank);
        let at_line = |error| OpeningFileError::Line {
            line: number,
            error,
        };
        if let Some(moves) = fields.find(|field| looks_like_moves(size, field)) {
            return Err(at_line(LineProblem::BehindTab(moves.to_owned())));
        }
        if line.is_empty() {
            continue;
        }
        let has_letters = line.contains(|c: char| c.is_alphabetic());
        if line.contains(',') && !has_letters {
            unclear = unclear.or(are_far(size, line).then_some((number, line)));
            are_offsets |= has_offsets(line);
            let read = opening::read_openings(rule, size, plies, line);
            openings.extend(read.map_err(|error| at_line(error.error.into()))?);
            continue;
        }
        let mut points = parse_moves(size, line).map_err(|error| at_line(error.into()))?;
        points.truncate(plies.unwrap_or(usize::MAX));
        let opening = Opening::new(rule, size, points);
        openings.push(opening.map_err(|error| at_line(error.into()))?);
    }
    match unclear.filter(|_| !are_offsets) {
        Some((line, numbers)) => Err(OpeningFileError::Line {
            line,
            error: LineProblem::NoOffsets(numbers.to_owned()),
        }),
        None => Ok(openings),
    }
}

fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ' ']).filter(|number| !number.is_empty())
}

/// Returns true if some numbers are too large for offsets, so that they are columns and rows.
fn are_far(size: BoardSize, line: &str) -> bool {
    let least = size.width().min(size.height()) / 3;
    numbers(line).any(|number| number.parse().is_ok_and(|number: usize| number >= least))
}

/// Returns true if the numbers must be offsets: one is negative, or a stone is in the middle, where
/// columns and rows have a corner.
fn has_offsets(line: &str) -> bool {
    let numbers: Vec<&str> = numbers(line).collect();
    let is_offset = |pair: &[&str]| pair == ["0", "0"] || pair.concat().contains('-');
    numbers.chunks(2).any(is_offset)
}

/// Returns true if a comment consists of moves or offsets only, on the board or not.
fn looks_like_moves(size: BoardSize, comment: &str) -> bool {
    let are_offsets = comment.contains(',') && !comment.contains(|c: char| c.is_alphabetic());
    are_offsets
        || match parse_moves(size, comment) {
            Ok(moves) => !moves.is_empty(),
            Err(error) => !matches!(error.problem, MovesProblem::Syntax(_)),
        }
}

/// The stones of a game in turn, black first, those of its set-up included. Whose turn it is
/// follows from them.
fn stones(record: &GameRecord) -> Option<Vec<Point>> {
    let set_up = |color: Color| {
        let own = record.setup.iter().filter(move |stone| stone.0 == color);
        own.copied()
    };
    let (mut black, mut white) = (set_up(Color::Black), set_up(Color::White));
    let moves = record
        .moves
        .iter()
        .map(|played| (played.color, played.point));
    let mut points = Vec::new();
    for index in 0..record.setup.len() {
        let next = if index % 2 == 0 {
            black.next()
        } else {
            white.next()
        };
        points.push(next?.1);
    }
    let turn = |stones: &[Point]| match stones.len() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    if record.first != turn(&points) {
        return None;
    }
    for (color, point) in moves {
        if color != turn(&points) {
            return None;
        }
        points.push(point);
    }
    Some(points)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SIZE: BoardSize = match BoardSize::square(15) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    fn read(plies: Option<usize>, text: &str) -> Result<String, String> {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        let openings = read_openings(source, Rule::Renju, SIZE, plies);
        let (openings, _) = openings.map_err(|error| error.to_string())?;
        let texts: Vec<String> = openings.iter().map(ToString::to_string).collect();
        Ok(texts.join(" "))
    }

    #[test]
    fn games_of_all_formats_are_openings() {
        let sgf = "(;GM[4]SZ[15];B[hh];W[ig];B[gf](;W[aa])(;W[bb]))(;GM[4]AB[hh][gf]AW[ig];W[aa])";
        assert_eq!(read(None, sgf), Ok("h8i9g10a15 h8i9g10a15".into()));
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,6,12\nA\nB\n0\n";
        assert_eq!(read(None, psq), Ok("h8i9g10".into()));
        assert_eq!(read(Some(2), psq), Ok("h8i9".into()));
        assert_eq!(read(Some(1), "h8i9\nj10 # one\n"), Ok("h8 j10".into()));
    }

    #[test]
    fn openings_for_another_rule_have_a_warning() {
        let games = "(;GM[4]RU[renju];B[hh])(;GM[4]RU[renju];B[ii])(;GM[4]RU[gomoku];B[gg])";
        let source = Source {
            bytes: games.as_bytes(),
            name: None,
            encoding: None,
        };
        let (_, warnings) = read_openings(source, Rule::Freestyle, SIZE, None).unwrap();
        let last = warnings.last().unwrap();
        assert_eq!(
            last,
            "game 1, and 1 more: an opening for renju, not freestyle"
        );
    }

    /// A list whose moves stand between tabs once lost all but the first of each line.
    #[test]
    fn what_follows_a_tab_is_a_comment() {
        let own = "h8i9g10\t-33\tdepth 8\nh8h9\tD1 direct\n\tremark\n";
        assert_eq!(read(None, own), Ok("h8i9g10 h8h9".into()));
        for text in ["h8\ti9\tg10", "0,0\t1,1", "0,0\t-1,2", "\th8i9", "h8i9\tp3"] {
            let error = read(None, text).unwrap_err();
            assert!(error.starts_with("line 1: a tab ends the moves"), "{error}");
        }
    }

    /// `7,7` is the middle for other readers of the same file, and was a corner here.
    #[test]
    fn numbers_are_offsets_only_where_they_can_be_nothing_else() {
        for (text, expected) in [
            ("0,0, 1,1", "h8i7"),
            ("1,1, 2,2\n-1,1 2,2", "i7j6 g7j6"),
            ("6,3\n0,0", "n5 h8"),
            ("0,1, 2,1", "h7j7"),
        ] {
            assert_eq!(read(None, text), Ok(expected.into()), "{text}");
        }
        let long = "7,7,".repeat(100);
        for text in ["7,7, 6,6", "# list\n1,0 0,1\n7,7 6,5", "5,1", &long] {
            let error = read(Some(1), text).unwrap_err();
            assert!(error.contains("may be offsets from the middle"), "{error}");
            assert!(error.len() < 300, "{error}");
        }
        assert!(read(None, "0,,0,1,-1").is_err());
    }

    /// Only what is taken of a game has to be an opening.
    #[test]
    fn texts_of_whole_games_are_cut() {
        let won = "a1a15b1b15c1c15d1d15e1";
        for (text, expected) in [
            (won, "a1a15b1"),
            ("h8i9g10--", "h8i9g10"),
            ("0,0, 1,-1, -1,-2, 0,0", "h8i9g10"),
        ] {
            let opening = read(Some(3), text);
            assert_eq!(opening, Ok(expected.into()), "{text}");
            assert!(read(None, text).is_err(), "{text}");
        }
    }

    #[test]
    fn games_that_are_no_openings_are_refused_by_number() {
        let first = "(;GM[4];B[hh])";
        for (second, complaint) in [
            ("(;GM[4]SZ[19];B[hh])", "game 2: the board is 19, not 15"),
            ("(;GM[4];B[hh];B[ii])", "game 2: the stones are not black"),
            (
                "(;GM[4]AB[hh][ii];W[aa])",
                "game 2: the stones are not black",
            ),
            (
                "(;GM[4]AB[hh]AW[ii]PL[W])",
                "game 2: the stones are not black",
            ),
            (
                "(;GM[4];B[hh];W[hh])",
                "game 2: line 1, column 29: W[hh]: h8 is taken",
            ),
            ("(;GM[4];B[hh];W[])", "game 2: an opening has no passes"),
            ("(;GM[1];B[hh])", "game 2: line 1, column 17: GM[1]"),
            (
                "(;GM[4];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])",
                "game 2: the opening is won already",
            ),
        ] {
            let error = read(None, &format!("{first}{second}")).unwrap_err();
            assert!(error.starts_with(complaint), "{second}: {error}");
        }
        let won = "(;GM[4];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])";
        assert_eq!(read(Some(3), won), Ok("a1a15b1".into()));
        assert!(read(None, "(;").is_err());
    }
}
