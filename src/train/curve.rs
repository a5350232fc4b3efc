//! Loss curves as text and as a picture.

use super::adam::EpochLoss;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 50.0;

/// Writes the curves as lines of text: the name of the fit, the epoch, the training
/// loss and the validation loss.
pub fn text(curves: &[(&str, Vec<EpochLoss>)]) -> String {
    let mut text = String::from("# fit epoch training validation\n");
    for (name, epochs) in curves {
        for epoch in epochs {
            // Writing to a string can't fail.
            let _ = writeln!(
                text,
                "{name} {} {:.6} {:.6}",
                epoch.number, epoch.training, epoch.validation
            );
        }
    }
    text
}

/// Draws the curves as an SVG picture with a panel for each: training losses thin,
/// validation losses thick.
pub fn svg(curves: &[(&str, Vec<EpochLoss>)]) -> String {
    let height = (HEIGHT + MARGIN) * curves.len() as f64;
    let width = WIDTH + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, (name, epochs)) in curves.iter().enumerate() {
        let top = index as f64 * (HEIGHT + MARGIN);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({MARGIN} {})\">",
            top + MARGIN / 2.0
        );
        panel(&mut svg, name, epochs);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, name: &str, epochs: &[EpochLoss]) {
    let losses = epochs.iter().flat_map(|e| [e.training, e.validation]);
    let (low, high) = losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| {
        (low.min(loss), high.max(loss))
    });
    let span = (high - low).max(1e-9);
    let across = WIDTH / (epochs.len().max(2) - 1) as f64;
    let line = |loss: fn(&EpochLoss) -> f64| {
        epochs
            .iter()
            .enumerate()
            .map(|(index, epoch)| {
                let y = HEIGHT * (high - loss(epoch)) / span;
                format!("{:.1},{y:.1} ", index as f64 * across)
            })
            .collect::<String>()
    };
    let _ = write!(
        svg,
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#bbb\"/>\n\
         <text x=\"4\" y=\"-6\">{name}: loss by epoch, thick on the validation set</text>\n\
         <text x=\"-4\" y=\"10\" text-anchor=\"end\">{high:.4}</text>\n\
         <text x=\"-4\" y=\"{HEIGHT}\" text-anchor=\"end\">{low:.4}</text>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#999\"/>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>\n",
        line(|epoch| epoch.training),
        line(|epoch| epoch.validation),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
