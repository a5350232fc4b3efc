//! Loss curves as text and as a picture.

use super::adam::EpochLoss;
use quincunx_drawing::{Chart, page};
use std::collections::BTreeMap;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("curve.svg");

/// A point of the loss curves of a fit: mean losses after some epochs or steps.
pub trait LossPoint {
    /// What is counted: epochs or steps.
    const UNIT: &'static str;
    /// The losses that can be measured.
    const LOSSES: &'static [LossSeries];
    /// Returns the number of epochs or steps so far.
    fn number(&self) -> usize;
    /// Returns the values of [`LOSSES`](Self::LOSSES), of which the last may not be measured.
    fn losses(&self) -> Vec<f64>;
}

/// A loss that is measured during a fit, and how its curve looks.
pub struct LossSeries {
    name: &'static str,
    color: &'static str,
    kind: LossKind,
}

impl LossSeries {
    /// Creates a loss with a name of one word and the colour of its curve.
    pub const fn new(name: &'static str, color: &'static str, kind: LossKind) -> LossSeries {
        LossSeries { name, color, kind }
    }
}

/// What a loss is the loss of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// The model, on the training samples. Its curve is thin.
    Training,
    /// The model, on the validation samples. Its curve is thick.
    Validation,
    /// Something that isn't fitted, on the validation samples. Its curve is dashed.
    Reference,
}

impl LossKind {
    /// The class of the curve in the picture.
    fn class(self) -> &'static str {
        match self {
            LossKind::Training => "training",
            LossKind::Validation => "validation",
            LossKind::Reference => "reference",
        }
    }
}

impl LossPoint for EpochLoss {
    const UNIT: &'static str = "epoch";
    const LOSSES: &'static [LossSeries] = &[
        LossSeries::new("training", "#999", LossKind::Training),
        LossSeries::new("validation", "#06c", LossKind::Validation),
    ];

    fn number(&self) -> usize {
        self.number
    }

    fn losses(&self) -> Vec<f64> {
        vec![self.training, self.validation]
    }
}

/// Writes the curves as lines of text: the name of the fit, the epoch or step, and
/// the losses.
pub fn text<P: LossPoint>(curves: &[(&str, Vec<P>)]) -> String {
    let mut text = format!("# fit {}", P::UNIT);
    let points = curves.iter().flat_map(|(_, points)| points);
    // Writing to a string can't fail.
    for loss in measured(points) {
        let _ = write!(text, " {}", loss.name);
    }
    text.push('\n');
    for (name, points) in curves {
        for point in points {
            let _ = write!(text, "{name} {}", point.number());
            for loss in point.losses() {
                let _ = write!(text, " {loss:.6}");
            }
            text.push('\n');
        }
    }
    text
}

/// The losses that all of these points have.
fn measured<'p, P: LossPoint + 'p>(points: impl Iterator<Item = &'p P>) -> &'static [LossSeries] {
    let counts = points.map(|point| point.losses().len());
    &P::LOSSES[..counts.min().unwrap_or(P::LOSSES.len())]
}

/// Draws the curves as an SVG picture with a chart for each fit.
pub fn svg<P: LossPoint>(curves: &[(&str, Vec<P>)]) -> String {
    let charts = curves
        .iter()
        .map(|(name, points)| chart(name, points).svg());
    let charts: Vec<String> = charts.collect();
    page(TEMPLATE, BTreeMap::from([("charts", charts)]))
}

fn chart<P: LossPoint>(name: &str, points: &[P]) -> Chart {
    let losses = points.iter().flat_map(P::losses);
    let range = losses.fold(None, |range: Option<[f64; 2]>, loss| {
        let [low, high] = range.unwrap_or([loss; 2]);
        Some([low.min(loss), high.max(loss)])
    });
    let ends = [points.first(), points.last()];
    let ends = ends.map(|point| point.map_or(0.0, |point| point.number() as f64));
    let title = format!("{name}: loss by {}", P::UNIT);
    let mut chart = Chart::new(&title, ends, range.unwrap_or([0.0, 1.0]));
    for (index, loss) in measured(points.iter()).iter().enumerate() {
        let points = points.iter();
        let points = points.map(|point| (point.number() as f64, point.losses()[index]));
        chart.named(loss.kind.class(), (loss.name, loss.color), points);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::step_loss::StepLoss;

    #[test]
    fn curves_are_drawn_within_their_panels() {
        let epoch = |number, training, validation| EpochLoss {
            number,
            training,
            validation,
        };
        let curves = [
            ("values", vec![epoch(1, 0.7, 0.69), epoch(2, 0.5, 0.6)]),
            ("moves", Vec::new()),
        ];
        assert!(text(&curves).contains("values 2 0.500000 0.600000"));
        let svg = svg(&curves);
        assert!(svg.contains("d=\"M52.0 28.0L548.0 216.0\""), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
        assert!(svg.contains(">validation</tspan>"), "{svg}");
    }

    #[test]
    fn reference_losses_are_dashed() {
        let step = |step, training, label| StepLoss {
            step,
            training,
            target: 0.6,
            result: 0.5,
            classical: 0.55,
            search: 0.4,
            label,
        };
        let curves = [(
            "network",
            [
                step(10, 0.7, Some(0.45)),
                step(30, 0.6, Some(0.45)),
                step(50, 0.6, Some(0.45)),
            ]
            .to_vec(),
        )];
        let text = text(&curves);
        assert!(text.starts_with("# fit step training targets results classical search labels\n"));
        assert!(
            text.ends_with("network 50 0.600000 0.600000 0.500000 0.550000 0.400000 0.450000\n")
        );
        let svg = svg(&curves);
        let level = "class=\"reference\" d=\"M52.0 122.0L300.0 122.0L548.0 122.0\"";
        let dashed = format!("{level} style=\"stroke: #363\"/>");
        assert!(svg.contains(&dashed), "{svg}");
        assert!(svg.contains(">classical</tspan>"), "{svg}");
        // A fit without labels has no loss of them.
        let curves = [("network", vec![step(10, 0.7, None), step(30, 0.6, None)])];
        let text = super::text(&curves);
        assert!(text.starts_with("# fit step training targets results classical search\n"));
        assert!(text.ends_with("network 30 0.600000 0.600000 0.500000 0.550000 0.400000\n"));
        assert!(!super::svg(&curves).contains("labels"));
    }
}
