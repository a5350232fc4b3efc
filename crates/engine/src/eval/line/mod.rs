//! The line network: an evaluation that sees the stones.
//!
//! The window through a point in each of four directions has an embedding, as each
//! colour sees it. The four embeddings of a point are added up and activated, half of
//! the channels by ReLU and half by SCReLU. The points are summed over the board, and
//! a small network makes a value of the sums and of how many points make threats. So the
//! network learns shapes without names, and knows which of them meet in a point.
//!
//! The value is a correction: it is added to the classical evaluation, which knows
//! the shapes that have names.

mod accumulator;
mod board_features;
mod built_in;
mod evaluator;
mod format;
mod head;
mod network;
mod row;
mod window;

pub use board_features::BoardFeatures;
pub(super) use evaluator::LineEvaluator;
pub use format::{ColorWeights, LINE_VERSION, LineError, LineWeights};
pub use head::{HeadLayers, LINE_HIDDEN, LINE_INPUTS, LineHead, POOL};
pub use network::LineNetwork;
pub use row::{LINE_CHANNELS, RELU_CHANNELS, ROW_LIMIT, ROW_SCALE, SCRELU_CLIP, WindowEmbeddings};
pub use window::{
    Middles, WINDOW_RADIUS, WINDOWS, all_windows, has_stone, swap_colors, window_number,
};
