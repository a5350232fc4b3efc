//! The program: the command line and the protocol that managers speak.
//!
//! What they stand on has crates of its own; the engine to embed is
//! `quincunx-engine`.

// What several commands share is of no use to a program without them.
#![cfg_attr(not(all(feature = "arena", feature = "train")), allow(dead_code))]

pub mod cli;
pub mod protocol;

/// The version. That of a build between releases ends with its commit.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("QUINCUNX_COMMIT"));

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
