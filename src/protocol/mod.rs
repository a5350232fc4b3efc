//! The Gomocup protocol: text in, text out.
//!
//! The grammar is [`quincunx_engine::gomocup`]'s. A session translates commands
//! to calls of the [engine](quincunx_engine::engine), and its events to replies; it is the
//! only writer of the output. `protocol.md` describes every command with an
//! example.

mod input;
mod live;
mod open_database;
mod output;
mod rule_codes;
mod session;
mod shared;

pub use shared::run;
