//! The options of a fit of a line network.

use super::labels::Labels;
use quincunx_engine::eval::line::LineWeights;
use quincunx_engine::rules::Rule;
use std::sync::Arc;

/// The making of the value targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetOptions {
    /// The share of the rest of the game; the score of the search has the rest.
    pub future_share: f32,
    /// The reach into the rest of the game: the lambda of TD(lambda). One is the
    /// result alone, zero the score of the next position.
    pub lambda: f32,
    /// The share of the label of a position that has one. The target of the game has the rest.
    pub label_share: f32,
}

/// The options of the fit of a line network.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFitOptions {
    /// The rule.
    pub rule: Rule,
    /// The network to start from, of this rule or of another; random weights if there is
    /// none.
    pub start: Option<LineWeights>,
    /// The seed of the first weights and of the order of samples.
    pub seed: u64,
    /// How often every sample is used.
    pub passes: f64,
    /// The samples of a batch.
    pub batch_size: usize,
    /// The largest learning rate of the heads.
    pub head_rate: f32,
    /// The largest learning rate of the embeddings.
    pub embedding_rate: f32,
    /// The epsilon of Adam for embeddings: rows whose gradient is smaller take
    /// smaller steps.
    pub epsilon: f32,
    /// How fast embeddings return to those of the network that the fit starts from, or
    /// to zero: decoupled weight decay, as a factor of the learning rate.
    pub weight_decay: f32,
    /// How the targets of the value are made.
    pub targets: TargetOptions,
    /// A teacher's labels of the searched plies of all games, in the order of the files.
    pub labels: Option<Arc<Labels>>,
}

/// The default options except the rule.
impl LineFitOptions {
    /// Returns the default options for `rule`.
    pub fn of(rule: Rule) -> LineFitOptions {
        LineFitOptions {
            rule,
            start: None,
            seed: 1,
            passes: 2.0,
            batch_size: 2048,
            head_rate: 1e-3,
            embedding_rate: 4e-3,
            epsilon: 3e-6,
            weight_decay: 0.5,
            targets: TargetOptions {
                future_share: 0.6,
                lambda: 0.9,
                label_share: 0.75,
            },
            labels: None,
        }
    }
}
