//! Training the line network: `samples` of games, a `network` in floats with
//! its gradient, the `normalization` of its inputs, the `layout` of its parameters, the
//! optimizer that makes the steps, and the [`fit`](mod@fit) with its [`options`] and its losses
//! ([`step_loss`]). The [`labels`] of a teacher may give the values of the positions.
//!
//! The network corrects the classical evaluation, so it learns the error of that. It has an
//! embedding for each of 44,286 windows, most of them rare, and would soon overfit. Five
//! measures prevent that: an embedding is a sum of parameters, some of which it shares with
//! other windows; rare embeddings take small steps; weight decay pulls embeddings to where they
//! began; the weights are averaged; and the targets are smoothed along each game.

pub mod fit;
pub mod labels;
mod layout;
mod network;
mod normalization;
mod optimizer;
pub mod options;
mod samples;
pub mod step_loss;
