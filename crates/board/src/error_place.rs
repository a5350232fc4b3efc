//! The location of an error in a file, for fronts that say it in other languages.

use serde::Serialize;

/// The location of an error in a file.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ErrorPlace {
    /// In a line, from one; at a character of it, from one, where that is known.
    Line {
        /// The line.
        line: usize,
        /// The character.
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<usize>,
    },
    /// At a byte, from zero.
    Byte {
        /// The byte.
        byte: usize,
    },
    /// At a move, from one.
    Move {
        /// The move.
        number: usize,
    },
}
