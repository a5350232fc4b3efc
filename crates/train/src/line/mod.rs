//! Training the line network: [`samples`] of games, a [`network`] in floats with
//! its gradient, the [`normalization`] of its inputs, the [`layout`] of its parameters, the
//! optimizer that makes the steps, and the [`fit`](mod@fit) with its [`options`] and its losses
//! ([`step_loss`]). The [`labels`] of a teacher may say what the positions are worth.
//!
//! The network corrects the classical evaluation, so it learns what that leaves
//! over. It has an embedding for each of 44,286 windows, most of them rare, and would soon
//! know its games by heart. Five things keep it from that: an embedding is a sum of
//! parameters, some of which other windows share; rare embeddings take small steps and
//! return to where they began; the weights are averaged; and the targets are smoothed along
//! each game.

pub mod fit;
pub mod labels;
pub mod layout;
pub mod network;
pub mod normalization;
mod optimizer;
pub mod options;
pub mod samples;
pub mod step_loss;
