//! The game itself: which lines win, whose turn it is, how points are named.
//!
//! Layer 1: nothing here knows about patterns, search or text protocols.

mod board;
mod offset_table;
mod point;
mod set;
#[cfg(feature = "serde")]
mod text;

pub use board::{BoardSize, ParseSizeError, SizeError, Symmetry};
pub(crate) use offset_table::OffsetTable;
pub use point::{Direction, ParsePointError, Point};
pub use set::PointSet;

use std::fmt;
use std::str::FromStr;

/// The smallest side of a board.
pub const MIN_SIDE: usize = 5;
/// The largest side of a board.
pub const MAX_SIDE: usize = 22;
/// The most points a board can have.
pub const MAX_POINTS: usize = MAX_SIDE * MAX_SIDE;

/// One of the two players. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Color {
    /// The player of the first stone; in renju the one with forbidden points.
    Black = 0,
    /// The player of the second stone.
    White = 1,
}

impl Color {
    /// Both colours, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The index of this colour in a two-element array.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// The rule of the game: the lines that win, and those that black must not make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Rule {
    /// Five or more in a row win.
    #[default]
    Freestyle = 0,
    /// Exactly five in a row win, for both sides (Gomocup's "standard").
    Standard = 1,
    /// Black wins with exactly five and may not make an overline, a double
    /// four or a double three; white wins with five or more.
    Renju = 2,
    /// Exactly five in a row win, unless the opponent's stones stand at both
    /// ends (the edge of the board closes nothing). Gomocup's rule 9.
    Caro = 3,
    /// As [`Rule::Caro`], but six or more always win. Gomocup's rule 8.
    CaroOverline = 4,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 5] = [
        Rule::Freestyle,
        Rule::Standard,
        Rule::Renju,
        Rule::Caro,
        Rule::CaroOverline,
    ];

    /// The rule's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroOverline => "caro-overline",
        }
    }

    /// Returns whether a run of `length` stones of `color` wins, where `closed` says
    /// that stones of the opponent stand at both of its ends.
    ///
    /// This is the definition that everything faster is tested against.
    pub const fn run_wins(self, color: Color, length: usize, closed: bool) -> bool {
        match self {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => match color {
                Color::Black => length == 5,
                Color::White => length >= 5,
            },
            Rule::Caro => length == 5 && !closed,
            Rule::CaroOverline => length > 5 || (length == 5 && !closed),
        }
    }

    /// Returns whether stones at both ends of a five keep it from winning, so that a five
    /// can be prevented without taking its last point.
    #[inline]
    pub const fn fives_can_be_closed(self) -> bool {
        matches!(self, Rule::Caro | Rule::CaroOverline)
    }

    /// Returns whether `color` has forbidden points under this rule.
    #[inline]
    pub const fn forbids(self, color: Color) -> bool {
        matches!(self, Rule::Renju) && matches!(color, Color::Black)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}': expected freestyle, standard, renju, caro or caro-overline")]
pub struct ParseRuleError(String);

impl FromStr for Rule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseRuleError(text.to_owned()))
    }
}
