//! The losses in the loss curve of a line network.

use super::network::LossSums;
use crate::curve::{LossKind, LossPoint, LossSeries};
use serde::{Deserialize, Serialize};

/// The mean losses after a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepLoss {
    /// The number of steps so far.
    pub step: usize,
    /// The training loss since the previous point.
    pub training: f64,
    /// The validation loss against the targets.
    pub target: f64,
    /// The validation loss against the results of the games.
    pub result: f64,
    /// The loss of the classical evaluation against the results.
    pub classical: f64,
    /// The loss of the search's scores against the results.
    pub search: f64,
    /// The loss of the teacher's labels against the results, if a fit has labels. For positions
    /// without a label it is that of the scores.
    pub label: Option<f64>,
}

impl StepLoss {
    pub(super) fn new(
        step: usize,
        training: &LossSums,
        validation: &LossSums,
        has_labels: bool,
    ) -> StepLoss {
        let mean = |sum: f64| sum / validation.samples.max(1) as f64;
        StepLoss {
            step,
            training: training.target / training.samples.max(1) as f64,
            target: mean(validation.target),
            result: mean(validation.result),
            classical: mean(validation.classical),
            search: mean(validation.search),
            label: has_labels.then(|| mean(validation.label)),
        }
    }
}

impl LossPoint for StepLoss {
    const UNIT: &'static str = "step";
    const LOSSES: &'static [LossSeries] = &[
        LossSeries::new("training", "#999", LossKind::Training),
        LossSeries::new("targets", "#06c", LossKind::Validation),
        LossSeries::new("results", "#c60", LossKind::Validation),
        LossSeries::new("classical", "#363", LossKind::Reference),
        LossSeries::new("search", "#939", LossKind::Reference),
        LossSeries::new("labels", "#066", LossKind::Reference),
    ];

    fn number(&self) -> usize {
        self.step
    }

    fn losses(&self) -> Vec<f64> {
        let StepLoss {
            training,
            target,
            result,
            classical,
            search,
            label,
            ..
        } = *self;
        let always = [training, target, result, classical, search];
        always.into_iter().chain(label).collect()
    }
}
