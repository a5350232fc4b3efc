//! A board to sit down at: what a page, a terminal or another front shows and asks for,
//! without sockets and without drawing.
//!
//! A [`Session`] is one person's board: a game with variations, two
//! players, an opening dialogue, clocks and analysis. It hears
//! [`ClientMessage`]s and answers with [`ServerMessage`]s. It never searches:
//! [`Session::job`] says what should be searched now, the [`Thinker`] makes the
//! engine do that, and [`Session::report`] hears what was found. Whatever arrives
//! for a job that is no longer wanted is dropped, so an answer that comes after an
//! undo changes nothing.
//!
//! - `message`, `state`, `findings`: all that travels between a front and a session, as JSON.
//! - `session`: the model; `tree`: its moves and variations; `save`: what a page
//!   keeps of a session, to go on after a reload.
//! - `time`: times as people write them.
//! - `transfer`: SGF, PSQ and position text, in and out, and the game as a GIF;
//!   `library`: RenLib; `label`: what stands on points besides stones.
//! - [`gravity`]: four in a row with gravity, the second game of the page.
//! - [`training`]: puzzles that a person solves against the best defence.
//! - `job`, `worker`, `thinker`: what a session wants searched, an engine that does it on the
//!   calling thread, and one that does it in threads of its own (the feature `threads`);
//!   `review_job`, `reviewer`: the same for the review of a game.

mod data_url;
mod error;
mod error_place;
mod explored;
mod findings;
pub mod gravity;
mod job;
mod label;
mod library;
mod lines;
mod look;
mod message;
mod proof;
mod proved;
mod remark;
mod review_job;
#[cfg(feature = "threads")]
mod reviewer;
mod said;
mod save;
mod search_limits;
mod session;
mod setup;
mod state;
#[cfg(feature = "threads")]
mod thinker;
#[cfg(feature = "threads")]
mod threads;
mod time;
pub mod training;
mod transfer;
mod tree;
mod typed;
mod worker;

pub use job::{Job, JobId, Purpose, Report};
pub use message::*;
pub use proved::Proved;
pub use review_job::{Judged, ReviewEnd, ReviewJob, ReviewReport};
#[cfg(feature = "threads")]
pub use reviewer::Reviewer;
pub use session::Session;
pub use session::{LEVELS, forbidden_kind};
#[cfg(feature = "threads")]
pub use thinker::Thinker;
pub use time::ParseTimeError;
pub use worker::Worker;
