//! The engine: what a program embeds.
//!
//! Layer 6. An [`Engine`] holds a position, options, an opening book and what
//! earlier searches have found. It turns a [`Request`] into a [`Search`], which
//! reports typed [`Event`]s. Time management, pondering and the policy of the
//! openings are here. Nothing here reads or prints text.
//!
//! # How a request travels
//!
//! 1. `handle`: the [`Engine`] answers at once (`unsearched`, with the `book`), or makes a
//!    `task` of the `request`, the `options` and the limits of `time`.
//! 2. `prepared`: the task is a [`Search`], which `thread` runs. It gets weights (`loading`), a
//!    table and a searcher from the `memory`.
//! 3. `runner`: one or more searches make the answer. The best move takes one; `lines`, `balance`
//!    and `swap2` take several. Below full strength a `level` limits it, and `strength` may do
//!    without it.
//! 4. `reporter`: the searches ask it whether to stop, which the `clock` decides, and it passes on
//!    what they find.
//! 5. `handle`: [`Engine::finish`] plays the answer and may ponder.
//!
//! `stones` sets up and takes back, `dialogue` fits requests and answers to the steps of an
//! opening rule, `table_file` saves the table, and `openings` makes balanced openings.
//!
//! # A game against itself
//!
//! [`Engine::answer`] searches on the calling thread:
//!
//! ```
//! use quincunx_engine::engine::{MonotonicClock, Engine, Event, Request};
//! use quincunx_engine::rules::{BoardSize, Rule};
//!
//! let mut engine = Engine::new(MonotonicClock::system());
//! engine.set_rule(Rule::Renju);
//! engine.new_game(BoardSize::square(15)?);
//! engine.options_mut().max_node = Some(2_000);
//! for _ in 0..6 {
//!     let answer = engine.answer(Request::Move, &mut |event| {
//!         if let Event::Info(info) = event {
//!             println!("depth {}: {} {:?}", info.depth, info.score, info.pv);
//!         }
//!     })?;
//!     engine.finish(&answer)?;
//! }
//! assert_eq!(engine.position().ply(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searching in the background
//!
//! [`Engine::start`] prepares a search and returns at once. An [`EngineThread`]
//! runs it, while the engine can still be used:
//!
#![cfg_attr(feature = "threads", doc = "```")]
#![cfg_attr(not(feature = "threads"), doc = "```ignore")]
//! use quincunx_engine::engine::{MonotonicClock, Engine, Event, Request, EngineThread, Started};
//! use std::sync::mpsc::channel;
//! use std::time::Duration;
//!
//! let (sender, events) = channel();
//! let thread = EngineThread::start(move |id, event| {
//!     let _ = sender.send((id, event));
//! })?;
//! let mut engine = Engine::new(MonotonicClock::system());
//! engine.options_mut().timeout_turn = Some(Duration::from_secs(60));
//! engine.play("h8".parse()?)?;
//! let Started::Searching(search) = engine.start(Request::Move, engine.clock().now())? else {
//!     unreachable!("only the first move of a game is obvious");
//! };
//! thread.run(search);
//! engine.stop();
//! let answer = events.iter().find_map(|(_, event)| match event {
//!     Event::Answer(answer) => Some(answer),
//!     _ => None,
//! });
//! engine.finish(&answer.expect("every search answers"))?;
//! assert_eq!(engine.position().ply(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod balance;
mod book;
mod clock;
mod dialogue;
mod handle;
mod level;
mod lines;
mod loading;
mod memory;
pub mod openings;
mod options;
mod prepared;
mod reporter;
mod request;
mod runner;
mod stones;
mod strength;
mod swap2;
mod table_file;
mod task;
#[cfg(feature = "threads")]
mod thread;
mod time;
mod unsearched;

pub use crate::search::{Line, Lines};
pub use book::{Book, BookMoves};
pub use clock::MonotonicClock;
pub use dialogue::Part;
pub use handle::{Engine, Started};
pub use options::Options;
pub use prepared::{Preparation, Search};
pub use request::{Answer, BestMove, Event, Request, RequestError, SearchId, Swap2Step};
pub use stones::{PlayError, Stone};
pub use table_file::{TableFileError, is_table_file};
#[cfg(feature = "threads")]
pub use thread::EngineThread;

#[cfg(test)]
mod tests;
