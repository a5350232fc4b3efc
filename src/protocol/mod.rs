//! The Gomocup protocol: text in, text out.
//!
//! Floor 7. [`message`] holds what is said, [`parser`] turns bytes that arrive
//! in any pieces into commands, [`session`] obeys them and is the only writer
//! of the output. `protocol.md` describes every command with an example.

mod dialect;
mod input;
mod live;
pub mod message;
mod output;
pub mod parser;
pub mod session;
