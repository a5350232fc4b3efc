//! Training the line network: [`samples`] of games, a [`network`] in floats with
//! its gradient, the [`layout`] of its parameters, and the [`fit`](mod@fit).
//!
//! The network corrects the classical evaluation, so it learns what that leaves
//! over. It has a row for each of 44,286 windows, most of them rare, and would soon
//! know its games by heart. Four things keep it from that: a row is the sum of its
//! own numbers and those of the shorter windows in it; rare rows take small steps;
//! the weights are averaged; and the targets are smoothed along each game.

pub mod fit;
pub mod layout;
pub mod network;
pub mod samples;
