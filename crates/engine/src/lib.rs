#![doc = include_str!("../README.md")]

pub mod engine;
pub mod eval;
pub mod game;
pub mod gomocup;
pub mod pattern;
pub mod position;
mod prefetch;
pub mod rules;
pub mod score;
pub mod search;
#[doc(hidden)]
pub mod splitmix;
pub mod text;
pub mod threats;
