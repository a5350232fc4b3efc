//! `quincunx play`: what it shows, and the program itself in a terminal of its own.

#![allow(clippy::unwrap_used)]

#[cfg(unix)]
mod endings;
#[cfg(unix)]
mod games;
#[cfg(unix)]
mod pty;
mod view;
