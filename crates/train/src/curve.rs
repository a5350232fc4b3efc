//! Loss curves as text and as a picture.

use super::adam::EpochLoss;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 50.0;

/// A point of the loss curves of a fit: mean losses after some epochs or steps.
pub trait LossPoint {
    /// What is counted: epochs or steps.
    const UNIT: &'static str;
    /// The losses that can be measured.
    const LOSSES: &'static [Loss];
    /// Returns the number of epochs or steps so far.
    fn number(&self) -> usize;
    /// Returns the values of [`LOSSES`](Self::LOSSES), of which the last may not be measured.
    fn losses(&self) -> Vec<f64>;
}

/// A loss that is measured during a fit, and how its curve looks.
pub struct Loss {
    name: &'static str,
    color: &'static str,
    kind: LossKind,
}

impl Loss {
    /// Creates a loss with a name of one word and the colour of its curve.
    pub const fn new(name: &'static str, color: &'static str, kind: LossKind) -> Loss {
        Loss { name, color, kind }
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

impl LossPoint for EpochLoss {
    const UNIT: &'static str = "epoch";
    const LOSSES: &'static [Loss] = &[
        Loss::new("training", "#999", LossKind::Training),
        Loss::new("validation", "#06c", LossKind::Validation),
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
fn measured<'p, P: LossPoint + 'p>(points: impl Iterator<Item = &'p P>) -> &'static [Loss] {
    let counts = points.map(|point| point.losses().len());
    &P::LOSSES[..counts.min().unwrap_or(P::LOSSES.len())]
}

/// Draws the curves as an SVG picture with a panel for each fit.
pub fn svg<P: LossPoint>(curves: &[(&str, Vec<P>)]) -> String {
    let height = (HEIGHT + MARGIN) * curves.len() as f64;
    let width = WIDTH + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, (name, points)) in curves.iter().enumerate() {
        let top = index as f64 * (HEIGHT + MARGIN);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({MARGIN} {})\">",
            top + MARGIN / 2.0
        );
        panel(&mut svg, name, points);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel<P: LossPoint>(svg: &mut String, name: &str, points: &[P]) {
    let losses = points.iter().flat_map(P::losses);
    let (low, high) = losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    let span = (high - low).max(1e-9);
    let [first, last] = [points.first(), points.last()].map(|point| point.map_or(0, P::number));
    let across = WIDTH / (last - first).max(1) as f64;
    let _ = write!(
        svg,
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#bbb\"/>\n\
         <text x=\"4\" y=\"-6\">{name}: loss by {unit}, thick on the validation set</text>\n\
         <text x=\"-4\" y=\"10\" text-anchor=\"end\">{high:.4}</text>\n\
         <text x=\"-4\" y=\"{HEIGHT}\" text-anchor=\"end\">{low:.4}</text>\n",
        unit = P::UNIT,
    );
    let measured = measured(points.iter());
    for (index, Loss { color, kind, .. }) in measured.iter().enumerate() {
        svg.push_str("<polyline points=\"");
        for point in points {
            let x = (point.number() - first) as f64 * across;
            let y = HEIGHT * (high - point.losses()[index]) / span;
            let _ = write!(svg, "{x:.1},{y:.1} ");
        }
        let stroke = match kind {
            LossKind::Training => "",
            LossKind::Validation => " stroke-width=\"2\"",
            LossKind::Reference => " stroke-dasharray=\"4\"",
        };
        let _ = writeln!(svg, "\" fill=\"none\" stroke=\"{color}\"{stroke}/>");
    }
    legend(svg, measured);
}

/// Draws the legend of a panel: the losses in their colours.
fn legend(svg: &mut String, losses: &[Loss]) {
    let _ = write!(svg, "<text x=\"4\" y=\"{}\">", HEIGHT + 16.0);
    for Loss { name, color, .. } in losses {
        let _ = write!(svg, "<tspan fill=\"{color}\">{name} </tspan>");
    }
    svg.push_str("</text>\n");
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
        assert!(svg.contains("points=\"0.0,0.0 480.0,240.0 \""), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
        assert!(svg.contains(">validation </tspan>"), "{svg}");
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
        let level = "points=\"0.0,120.0 240.0,120.0 480.0,120.0 \"";
        let dashed = format!("{level} fill=\"none\" stroke=\"#363\" stroke-dasharray=\"4\"/>");
        assert!(svg.contains(&dashed), "{svg}");
        assert!(svg.contains(">classical </tspan>"), "{svg}");
        // A fit without labels has no loss of them.
        let curves = [("network", vec![step(10, 0.7, None), step(30, 0.6, None)])];
        let text = super::text(&curves);
        assert!(text.starts_with("# fit step training targets results classical search\n"));
        assert!(text.ends_with("network 30 0.600000 0.600000 0.500000 0.550000 0.400000\n"));
        assert!(!super::svg(&curves).contains("labels"));
    }
}
