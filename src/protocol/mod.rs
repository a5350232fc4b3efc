//! The Gomocup protocol: text in, text out.
//!
//! Floor 8. The grammar is [`crate::gomocup`]'s. A session translates commands
//! to calls of the [engine](crate::engine), and its events to replies; it is the
//! only writer of the output. `protocol.md` describes every command with an
//! example.

mod input;
mod live;
mod output;
mod rule_codes;
mod session;
mod shared;

pub use shared::run;
