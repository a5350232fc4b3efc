//! SGF, the format of game records that most programs read: FF\[3\] and FF\[4\],
//! game number 4 (Gomoku and Renju).
//!
//! [`Tree`] is the syntax. This module knows what the properties mean: points
//! are two letters, column from the left and row from the top.

mod info;
mod lost;
mod outside;
mod parse;
mod read;
mod tree;
mod word;

pub use crate::property::Property;
pub use info::parse_result;
pub(crate) use outside::opens_a_tree;
pub(crate) use parse::each_tree;
pub use parse::{Collection, SyntaxError, SyntaxProblem};
pub(crate) use read::read_tree;
pub use read::{game, point, read};
pub use tree::{Children, Tree};

use super::lines::{TextPosition, shown};
use super::memory::MemoryError;
use super::record::GameRecord;
use super::record::MOST_MOVES;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Point};

/// The number of Gomoku and Renju.
const GAME: u32 = 4;

/// The text is not a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The text is not SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The games take more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A property makes no sense.
    #[error("{place}: {}[{}]: {problem}", shown(.name), shown(.value))]
    Property {
        /// The text position of the property.
        place: TextPosition,
        /// The property.
        name: String,
        /// Its value.
        value: String,
        /// The error.
        problem: PropertyProblem,
    },
}

/// An error in a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropertyProblem {
    /// The file is about another game.
    #[error("this is not Gomoku or Renju, which is GM[4]")]
    Game,
    /// Not a size, or one that is not supported.
    #[error("expected a board of 5 to 22, such as 15 or 20:15")]
    Size,
    /// Not a point of the board.
    #[error("there is no such point on the {0} board")]
    Point(BoardSize),
    /// Neither black nor white.
    #[error("expected B or W")]
    Color,
    /// The point has a stone.
    #[error("{0} is taken")]
    Taken(Point),
    /// A node has two moves, and which comes first is not clear.
    #[error("this is another move of the same node")]
    TwoMoves,
    /// There are more moves before this one than any game has.
    #[error("a line has more than {MOST_MOVES} moves")]
    TooMany,
    /// Stones are set up after the first move.
    #[error("set-up is only understood before the first move")]
    LateSetup,
    /// Stones are set up in one variation of several.
    #[error("set-up is not understood in variations")]
    SetupInVariation,
    /// The board changes within a game.
    #[error("there is another board already")]
    OtherSize,
    /// It may be a stone with a wrong name.
    #[error("this may be a stone, which is B, W, AB or AW")]
    OtherName,
}

/// The game as a tree of one branch.
pub fn write(record: &GameRecord) -> String {
    tree(record).to_string()
}

/// The game as a tree of one branch, to which variations can be added.
pub fn tree(record: &GameRecord) -> Tree {
    let mut tree = Tree::default();
    let mut last = tree.add(None, root(record));
    for played in &record.moves {
        let comment = Some(&played.comment).filter(|comment| !comment.is_empty());
        let mut properties = vec![move_property(record.size, played.color, played.point)];
        properties.extend(comment.map(|comment| Property::new("C", comment)));
        last = tree.add(Some(last), properties);
    }
    tree
}

/// The properties of the root: game information and set-up.
pub fn root(record: &GameRecord) -> Vec<Property> {
    let size = record.size;
    let size_text = if size.width() == size.height() {
        size.width().to_string()
    } else {
        format!("{}:{}", size.width(), size.height())
    };
    let mut properties = vec![
        Property::new("FF", "4"),
        Property::new("GM", GAME.to_string()),
        Property::new("CA", "UTF-8"),
        Property::new("AP", "Quincunx"),
        Property::new("SZ", size_text),
    ];
    let texts = [
        ("RU", record.rule.map(|rule| rule.name().to_owned())),
        ("PB", Some(record.black.clone())),
        ("PW", Some(record.white.clone())),
        ("RE", record.result.map(result_text)),
        ("DT", record.date.map(|date| date.to_string())),
        ("GN", Some(record.name.clone())),
        ("GC", Some(record.comment.clone())),
    ];
    for (name, text) in texts {
        let text = text.filter(|text| !text.is_empty());
        properties.extend(text.map(|text| Property::new(name, text)));
    }
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let stones = record.setup.iter().filter(|stone| stone.0 == color);
        let values: Vec<String> = stones.map(|stone| point_text(size, stone.1)).collect();
        if !values.is_empty() {
            let name = name.to_owned();
            properties.push(Property { name, values });
        }
    }
    if !record.setup.is_empty() || record.first == Color::White {
        properties.push(Property::new("PL", color_letter(record.first)));
    }
    properties
}

/// A move as a property; a pass has no point.
pub fn move_property(size: BoardSize, color: Color, point: Point) -> Property {
    Property::new(color_letter(color), point_text(size, point))
}

const fn color_letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// A point as properties have it: column and row as letters; nothing for a pass.
pub fn point_text(size: BoardSize, point: Point) -> String {
    if point == Point::NONE {
        return String::new();
    }
    let letter = |number: usize| char::from(b'a' + number as u8);
    [letter(point.x()), letter(size.row_from_top(point))]
        .iter()
        .collect()
}

/// `B+`, `W+T`, `0` and so on. Whatever the rules forbid is a forfeit.
pub fn result_text(result: GameResult) -> String {
    let Some(winner) = result.winner else {
        return "0".to_owned();
    };
    let suffix = match result.termination {
        Termination::Time => "T",
        Termination::Resignation => "R",
        Termination::Forbidden(_) | Termination::IllegalMove | Termination::Forfeit => "F",
        _ => "",
    };
    format!("{}+{suffix}", color_letter(winner))
}
