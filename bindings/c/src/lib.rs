//! The engine for C: a handle is a game and an engine that knows it.
//!
//! `engine` is what a handle does, in safe Rust. `ffi` is the border: pointers become
//! references there and errors become numbers.

mod engine;
mod ffi;

pub use engine::QuincunxEngine;
pub use ffi::*;
