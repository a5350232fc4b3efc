//! Openings: the stones a game starts from, read from the common text forms.
//!
//! There is one opening per line. `#` starts a comment, and anything after a tab is a
//! remark. There are two notations: moves with letters (`h8i9g10`, `h8, i9`), and
//! Gomocup's offsets to the right of and below the middle (`0,0, 1,1, 2,-3`). A text
//! without letters is read as offsets.

use crate::position::Position;
use crate::position::notation::{MovesError, parse_moves};
use crate::rules::{BoardSize, Point, Rule, Symmetry};
use std::fmt;

/// The stones of an opening in the order they were played, black first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Opening {
    points: Vec<Point>,
}

/// The text is not an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Letters and numbers that are not a list of moves.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// Offsets that are not pairs of numbers.
    #[error("expected offsets such as '0,0, 1,-2', found '{0}'")]
    Offsets(String),
    /// An offset that leaves the board.
    #[error("the offset {0},{1} is off the {2} board")]
    OffBoard(i64, i64, BoardSize),
    /// Two stones on one point.
    #[error("{0} is taken")]
    Taken(Point),
    /// A pass is not allowed in an opening.
    #[error("an opening has no passes")]
    Pass,
    /// The game is over before it starts.
    #[error("the opening is won already")]
    Won,
    /// Black would have lost in renju.
    #[error("{0} is forbidden to black")]
    Forbidden(Point),
}

/// A line of a file of openings that is not an opening.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct OpeningFileError {
    /// The number of the line, from one.
    pub line: usize,
    /// The error in the line.
    #[source]
    pub error: OpeningError,
}

impl Opening {
    /// Reads one opening in either notation and checks that a game can start
    /// from it.
    ///
    /// # Errors
    /// When the text is not an opening of this rule and board.
    pub fn parse(rule: Rule, size: BoardSize, text: &str) -> Result<Opening, OpeningError> {
        Opening::parse_first(rule, size, None, text)
    }

    /// Reads the first stones of an opening or a whole game, at most `plies`.
    fn parse_first(
        rule: Rule,
        size: BoardSize,
        plies: Option<usize>,
        text: &str,
    ) -> Result<Opening, OpeningError> {
        let has_letters = text.contains(|c: char| c.is_alphabetic());
        let mut points = if text.contains(',') && !has_letters {
            parse_offsets(size, text)?
        } else {
            parse_moves(size, text)?
        };
        points.truncate(plies.unwrap_or(usize::MAX));
        Opening::new(rule, size, points)
    }

    /// Creates an opening of these stones.
    ///
    /// # Errors
    /// When no game can start from it.
    pub fn new(rule: Rule, size: BoardSize, points: Vec<Point>) -> Result<Opening, OpeningError> {
        let mut position = Position::new(rule, size);
        for &point in &points {
            if point == Point::NONE {
                return Err(OpeningError::Pass);
            }
            if !position.is_empty(point) {
                return Err(OpeningError::Taken(point));
            }
            if position.forbidden(point).is_some() {
                return Err(OpeningError::Forbidden(point));
            }
            position.play(point);
            if position.won() {
                return Err(OpeningError::Won);
            }
        }
        Ok(Opening { points })
    }

    /// The stones in the order they were played.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The stones as Gomocup's offsets to the right of and below the middle.
    pub fn offsets(&self, size: BoardSize) -> String {
        let offset = |at: usize, side: usize| at as i64 - (side / 2) as i64;
        let offsets = self.points.iter().map(|point| {
            let x = offset(point.x(), size.width());
            let y = offset(size.height() - 1 - point.y(), size.height());
            format!("{x},{y}")
        });
        offsets.collect::<Vec<String>>().join(", ")
    }

    /// The same opening turned or mirrored.
    pub fn turned(&self, size: BoardSize, symmetry: Symmetry) -> Opening {
        let turn = |&point: &Point| symmetry.apply(size, point);
        Opening {
            points: self.points.iter().map(turn).collect(),
        }
    }
}

/// Letters and numbers, as [`Opening::parse`] reads them.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points.iter().try_for_each(|point| point.fmt(f))
    }
}

/// Reads every opening of a file's text, with at most `plies` stones.
///
/// # Errors
/// Names the first line that is not an opening.
pub fn read_openings(
    rule: Rule,
    size: BoardSize,
    plies: Option<usize>,
    text: &str,
) -> Result<Vec<Opening>, OpeningFileError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split(['#', '\t']).next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let at_line = |error| OpeningFileError {
            line: index + 1,
            error,
        };
        let opening = Opening::parse_first(rule, size, plies, line);
        openings.push(opening.map_err(at_line)?);
    }
    Ok(openings)
}

fn parse_offsets(size: BoardSize, text: &str) -> Result<Vec<Point>, OpeningError> {
    let bad = || OpeningError::Offsets(text.to_owned());
    // A number is missing between two commas.
    let mut pieces = text.trim_end_matches([',', ' ']).split(',');
    if pieces.any(|piece| piece.trim().is_empty()) {
        return Err(bad());
    }
    let numbers: Vec<i64> = text
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| bad()))
        .collect::<Result<_, _>>()?;
    if !numbers.len().is_multiple_of(2) {
        return Err(bad());
    }
    numbers
        .chunks_exact(2)
        .map(|pair| {
            let from_middle = |offset: i64, side: usize| {
                let middle = i64::try_from(side / 2).ok()?;
                usize::try_from(offset.checked_add(middle)?).ok()
            };
            from_middle(pair[0], size.width())
                .zip(from_middle(pair[1], size.height()))
                .and_then(|(x, row)| size.point_from_top(x, row))
                .ok_or(OpeningError::OffBoard(pair[0], pair[1], size))
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SIZE: BoardSize = match BoardSize::square(15) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    fn parse(text: &str) -> Result<Opening, OpeningError> {
        Opening::parse(Rule::Renju, SIZE, text)
    }

    #[test]
    fn both_notations_name_the_same_stones() {
        let letters = parse("h8i9g10").unwrap();
        assert_eq!(parse("0,0, 1,-1, -1,-2").unwrap(), letters);
        assert_eq!(parse("0,0,1,-1,-1,-2").unwrap(), letters);
        assert_eq!(letters.offsets(SIZE), "0,0, 1,-1, -1,-2");
        assert_eq!(parse("h8, i9, g10").unwrap(), letters);
        assert_eq!(letters.to_string(), "h8i9g10");
    }

    #[test]
    fn files_have_comments_and_columns() {
        let text = "# pos\tplies\n\nh8i9g10\t3\tw\t+5 # no\r\n0,0, 1,1 # two\n";
        let openings = read_openings(Rule::Freestyle, SIZE, None, text).unwrap();
        let lengths: Vec<usize> = openings.iter().map(|o| o.points().len()).collect();
        assert_eq!(lengths, [3, 2]);
        let error = read_openings(Rule::Freestyle, SIZE, None, "h8\nh8h8\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn openings_no_game_can_start_from_are_refused() {
        assert!(parse("h8h8").is_err());
        assert!(matches!(parse("0,0, 9,0"), Err(OpeningError::OffBoard(..))));
        assert!(matches!(parse("0,0, 1"), Err(OpeningError::Offsets(_))));
        assert!(matches!(parse("0,0, 0,0"), Err(OpeningError::Taken(_))));
        assert!(matches!(parse("h8--"), Err(OpeningError::Pass)));
        let five = parse("a1a15b1b15c1c15d1d15e1");
        assert!(matches!(five, Err(OpeningError::Won)));
        let overline = parse("a1a15b1b15c1c15e1e15f1f15d1");
        assert!(matches!(overline, Err(OpeningError::Forbidden(_))));
    }

    #[test]
    fn turning_keeps_a_game_possible() {
        let opening = parse("a1b1c3").unwrap();
        for symmetry in SIZE.symmetries() {
            let turned = opening.turned(SIZE, symmetry);
            assert!(Opening::new(Rule::Renju, SIZE, turned.points).is_ok());
        }
    }
}
