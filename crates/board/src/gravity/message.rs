//! The messages between a page and a session of four in a row. Columns and rows
//! count from zero, from the left and from below.

use crate::message::Player;
use serde::{Deserialize, Serialize};

/// A request of a page.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GravityMessage {
    /// The first message.
    Hello {
        /// The version of the messages, [`VERSION`](crate::VERSION).
        version: u32,
        /// The `save` of the last state, to restore the session.
        #[serde(default)]
        save: Option<String>,
    },
    /// Begins another game.
    NewGame {
        /// Columns of the board.
        columns: usize,
        /// Rows of the board.
        rows: usize,
        /// The player who begins.
        first: Player,
        /// The other player.
        second: Player,
        /// The strength of the engine, from 0 to 10.
        level: u8,
    },
    /// Drops a stone.
    Drop {
        /// The column.
        column: usize,
        /// The number of stones that the page showed.
        ply: usize,
    },
    /// Takes back the last move, and the engine's answer to it.
    Undo,
    /// Redoes the last undone move.
    Redo,
    /// Finds the exact value of every column, now and after every move, or ends
    /// that.
    Analyse {
        /// True if it is on.
        on: bool,
    },
    /// Ends the program that serves the page.
    StopServer,
}

/// A message of a session.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GravityReply {
    /// Everything that is to be shown.
    State(GravityState),
    /// The progress of the search for the values; the board has not changed.
    Progress {
        /// Positions visited.
        nodes: u64,
        /// The time of the search in milliseconds.
        elapsed_ms: u64,
    },
    /// A message could not be followed. Nothing has changed.
    Error {
        /// The kind of error.
        code: &'static str,
        /// The error in English.
        text: String,
    },
}

/// One of the players.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player who begins.
    First,
    /// The other player.
    Second,
}

/// All that a page shows.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GravityState {
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// The stones in the order they were dropped.
    pub stones: Vec<StoneAt>,
    /// The columns that a stone may be dropped into.
    pub open: Vec<usize>,
    /// Whose turn it is, or would be.
    pub turn: Side,
    /// The player who acts next; none once the game is over.
    pub actor: Option<Player>,
    /// True if the game is over.
    pub over: bool,
    /// The winner, if there is one.
    pub winner: Option<Side>,
    /// The points of the lines that won, as column and row.
    pub line: Vec<(usize, usize)>,
    /// The player who begins, and the other one.
    pub players: [Player; 2],
    /// The strength of the engine.
    pub level: u8,
    /// True if the engine is searching for its move.
    pub thinking: bool,
    /// The values of the columns so far, while the analysis is on.
    pub values: Option<Vec<Option<ColumnValue>>>,
    /// The chances of the columns for the side to move in thousandths, by a short search;
    /// while the analysis is on.
    pub chances: Option<Vec<Option<u16>>>,
    /// True if a move can be undone.
    pub can_undo: bool,
    /// True if a move can be redone.
    pub can_redo: bool,
    /// A text that restores this session in [`GravityMessage::Hello`].
    pub save: String,
}

/// A stone on the board.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StoneAt {
    /// Its column.
    pub column: usize,
    /// Its row.
    pub row: usize,
    /// Whose it is.
    pub side: Side,
}

/// The value of a column for the side to move under perfect play.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "plies", rename_all = "snake_case")]
pub enum ColumnValue {
    /// The move wins in this number of plies.
    Win(u32),
    /// The board fills up.
    Draw,
    /// The move loses in this number of plies.
    Loss(u32),
}
