//! The grammar of the Gomocup protocol: commands and replies as values that parse
//! and print.
//!
//! Layer 2. Only the grammar is here: no session, no engine and no board.
//! Coordinates may lie anywhere; only a session knows the size of the board.

mod command;
mod coordinates;
mod database;
mod info;
mod parser;
mod reply;
mod sweep;
mod table;
mod text;

pub use command::{Command, OpeningStones, Placement, Sides, StoneOwner};
pub use coordinates::Coordinates;
pub use database::{Comment, DatabaseCommand, Mark, Query, Transfer};
pub use info::{Info, InfoKey};
pub use parser::{CommandParser, Parsed};
pub use reply::{About, Reply};
pub use sweep::{Filter, Sweep};
pub use table::CommandExtent;
pub use text::ParseError;
