//! Openings in files: lists of text, and the games of SGF and PSQ files.

use super::psq::{self, PsqError};
use super::record::GameRecord;
use super::sgf::{self, SgfError, SyntaxError, Tree};
use quincunx_engine::game::opening::{Opening, OpeningError, OpeningFileError, read_openings};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// A form in which files hold openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningFormat {
    /// An opening a line.
    Text,
    /// The main line of every game of an SGF file.
    Sgf,
    /// The game of a PSQ file.
    Psq,
}

/// The file holds something that is no opening of the rule and board.
#[derive(Debug, thiserror::Error)]
pub enum OpeningFormatError {
    /// A line of a list is no opening.
    #[error(transparent)]
    Line(#[from] OpeningFileError),
    /// The file is not SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A game of an SGF file makes no sense.
    #[error("game {number}: {source}")]
    Sgf {
        /// The number of the game in the file, from one.
        number: usize,
        /// What is wrong with it.
        source: SgfError,
    },
    /// The file is not PSQ.
    #[error(transparent)]
    Psq(#[from] PsqError),
    /// A game is played on another board.
    #[error("game {number}: the board is {found}, not {expected}")]
    Size {
        /// The number of the game in the file, from one.
        number: usize,
        /// Its board.
        found: BoardSize,
        /// The board that is asked for.
        expected: BoardSize,
    },
    /// A game has stones that are not put in turn.
    #[error("game {number}: the stones are not black and white in turn")]
    OutOfTurn {
        /// The number of the game in the file, from one.
        number: usize,
    },
    /// No game can go on from the stones.
    #[error("game {number}: {source}")]
    Opening {
        /// The number of the game in the file, from one.
        number: usize,
        /// What is wrong with it.
        source: OpeningError,
    },
}

impl OpeningFormat {
    /// The format of files with this extension, if openings are kept in such.
    pub fn of_extension(extension: &str) -> Option<OpeningFormat> {
        match extension.to_ascii_lowercase().as_str() {
            "txt" => Some(OpeningFormat::Text),
            "sgf" => Some(OpeningFormat::Sgf),
            "psq" => Some(OpeningFormat::Psq),
            _ => None,
        }
    }

    /// Every opening of a file's text, no longer than `plies` stones.
    ///
    /// # Errors
    /// Names the first line or game that is no opening of this rule and board.
    pub fn read(
        self,
        rule: Rule,
        size: BoardSize,
        plies: Option<usize>,
        text: &str,
    ) -> Result<Vec<Opening>, OpeningFormatError> {
        let records = match self {
            OpeningFormat::Text => return Ok(read_openings(rule, size, plies, text)?),
            OpeningFormat::Psq => vec![psq::read(text)?],
            OpeningFormat::Sgf => {
                let trees = Tree::parse(text)?;
                let read = |(index, tree)| {
                    let number = index + 1;
                    sgf::record(tree).map_err(|source| OpeningFormatError::Sgf { number, source })
                };
                let records = trees.iter().enumerate().map(read);
                records.collect::<Result<Vec<GameRecord>, _>>()?
            }
        };
        let openings = records.iter().enumerate().map(|(index, record)| {
            let number = index + 1;
            let expected = size;
            if record.size != size {
                let found = record.size;
                return Err(OpeningFormatError::Size {
                    number,
                    found,
                    expected,
                });
            }
            let mut points = stones(record).ok_or(OpeningFormatError::OutOfTurn { number })?;
            points.truncate(plies.unwrap_or(usize::MAX));
            Opening::new(rule, size, points)
                .map_err(|source| OpeningFormatError::Opening { number, source })
        });
        openings.collect()
    }
}

/// The stones of a game in turn, black first, those of its set-up included.
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
    for (color, point) in moves {
        let turn = if points.len() % 2 == 0 {
            Color::Black
        } else {
            Color::White
        };
        if color != turn {
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

    fn read(format: OpeningFormat, plies: Option<usize>, text: &str) -> Result<String, String> {
        let openings = format.read(Rule::Renju, SIZE, plies, text);
        let openings = openings.map_err(|error| error.to_string())?;
        let texts: Vec<String> = openings.iter().map(ToString::to_string).collect();
        Ok(texts.join(" "))
    }

    #[test]
    fn games_of_all_formats_are_openings() {
        let sgf = "(;GM[4]SZ[15];B[hh];W[ig];B[gf](;W[aa])(;W[bb]))(;GM[4]AB[hh][gf]AW[ig];W[aa])";
        let expected = Ok("h8i9g10a15 h8g10".to_owned());
        assert_ne!(read(OpeningFormat::Sgf, None, sgf), expected);
        assert_eq!(
            read(OpeningFormat::Sgf, None, sgf),
            Ok("h8i9g10a15 h8i9g10a15".into())
        );
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,6,12\nA\nB\n0\n";
        assert_eq!(read(OpeningFormat::Psq, None, psq), Ok("h8i9g10".into()));
        assert_eq!(read(OpeningFormat::Psq, Some(2), psq), Ok("h8i9".into()));
        assert_eq!(
            read(OpeningFormat::Text, Some(1), "h8i9\nj10 # one\n"),
            Ok("h8 j10".into())
        );
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
            let opening = read(OpeningFormat::Text, Some(3), text);
            assert_eq!(opening, Ok(expected.into()), "{text}");
            assert!(read(OpeningFormat::Text, None, text).is_err(), "{text}");
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
            ("(;GM[4];B[hh];W[hh])", "game 2: h8 is taken"),
            ("(;GM[4];B[hh];W[])", "game 2: an opening has no passes"),
            ("(;GM[1];B[hh])", "game 2: node 1: GM[1]"),
            (
                "(;GM[4];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])",
                "game 2: the opening is won already",
            ),
        ] {
            let error = read(OpeningFormat::Sgf, None, &format!("{first}{second}")).unwrap_err();
            assert!(error.starts_with(complaint), "{second}: {error}");
        }
        let won = "(;GM[4];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])";
        assert_eq!(read(OpeningFormat::Sgf, Some(3), won), Ok("a1a15b1".into()));
        assert!(read(OpeningFormat::Psq, None, "h8").is_err());
        assert!(read(OpeningFormat::Sgf, None, "(;").is_err());
    }
}
