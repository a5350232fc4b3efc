//! The engine for JavaScript, as one of three modules.
//!
//! For programs: an `Engine` that lives in a worker and searches there until it is done (`js`), and
//! the same on several threads (the feature `threads`).
//! For the board without a server (the feature `board`): a session in the page, which never
//! searches, and a `BackgroundEngine` in a worker, which does its jobs. All of it answers in JSON.

#[cfg(feature = "board")]
mod board;
mod clock;
#[cfg(not(feature = "board"))]
mod engine;
mod stop;
#[cfg(feature = "threads")]
mod threads;
#[cfg(not(feature = "board"))]
mod views;
mod weights;
