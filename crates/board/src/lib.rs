//! A board to sit down at: what a page, a terminal or another front shows and asks for,
//! without sockets and without drawing.
//!
//! A [`Session`] is one person's board: a game with variations, two
//! players, an opening dialogue, clocks and analysis. It handles [`ClientMessage`]s and replies with
//! [`ServerMessage`]s. It never searches: like every [`HostedSession`] it says which [`Job`]s are to
//! be done, a [`Worker`] does them, in the [`Background`] where there are threads, and the session
//! takes their [`Report`]s. Reports of other jobs are dropped, so an answer that comes after an undo
//! changes nothing.
//!
//! - `hosted`: what sessions of all kinds have in common, for their hosts.
//! - `message`, `state`, `findings`: all that travels between a front and a session, as JSON.
//! - `session`: the model; `tree`: its moves and variations; `save`: what a page
//!   keeps of a session, to go on after a reload.
//! - `time`: times as people write them.
//! - `transfer`: SGF, PSQ and position text, in and out, and the game as a GIF;
//!   `library`: RenLib; `label`: what stands on points besides stones.
//! - [`gravity`]: four in a row with gravity, the second game of the page.
//! - [`training`]: puzzles that a person solves against the best defence.
//! - `job`: what a session asks for, and its reports: a `search_job`, a `review_job` or a
//!   `gravity_job`; `worker`: does a job on the calling thread; `background`: threads that do the
//!   jobs of a session (the feature `threads`).

#[cfg(feature = "threads")]
mod background;
mod data_url;
mod error;
mod explored;
mod findings;
pub mod gravity;
mod gravity_job;
mod gravity_search;
mod hosted;
mod input;
mod job;
mod job_id;
mod label;
mod library;
mod message;
mod opening_event;
mod opening_record;
mod picture_options;
mod proof;
mod remark;
mod review_job;
mod save;
mod search_job;
mod search_limits;
mod session;
mod setup;
mod solver_report;
mod state;
#[cfg(feature = "threads")]
mod threads;
mod time;
pub mod training;
mod transfer;
mod tree;
mod worker;

#[cfg(feature = "threads")]
pub use background::Background;
pub use hosted::HostedSession;
pub use job::{Job, Report};
pub use job_id::JobId;
pub use message::*;
pub use review_job::{ReviewJob, ReviewReport};
pub use search_job::{Purpose, SearchJob, SearchReport};
pub use session::LEVELS;
pub use session::Session;
pub use solver_report::SolverReport;
pub use time::ParseTimeError;
pub use worker::Worker;
