//! Curves as SVG: two axes, a few lines, nothing to install.

use std::fmt::Write as _;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 24.0;

/// A drawing in progress, `x` from zero.
pub(super) struct Chart {
    svg: String,
    right: f64,
    low: f64,
    high: f64,
}

impl Chart {
    /// Empty axes with a title.
    pub(super) fn new(title: &str, right: f64, low: f64, high: f64) -> Chart {
        let mut chart = Chart {
            svg: format!(
                "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
                 aria-label=\"{title}\"><text class=\"title\" x=\"{LEFT}\" y=\"16\">{title}</text>"
            ),
            right: right.max(1.0),
            low,
            high,
        };
        chart.axes();
        chart
    }

    fn axes(&mut self) {
        let step = round_step((self.high - self.low) / 5.0);
        let mut tick = (self.low / step).ceil() * step;
        while tick <= self.high {
            let y = self.y(tick);
            // Adding up steps leaves a zero that is not quite one.
            let tick_value = if tick.abs() < step / 2.0 { 0.0 } else { tick };
            let decimals = usize::from(step < 1.0);
            let shown = format!("{tick_value:.decimals$}");
            let _ = write!(
                self.svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
            );
            tick += step;
        }
        let step = round_step(self.right / 6.0).max(1.0);
        let mut tick = 0.0;
        while tick <= self.right {
            let _ = write!(
                self.svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.0}</text>",
                self.x(tick),
                HEIGHT - 8.0
            );
            tick += step;
        }
    }

    fn x(&self, x: f64) -> f64 {
        LEFT + x / self.right * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, y: f64) -> f64 {
        let share = ((y - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (i, (x, y)) in points.enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", self.x(x), self.y(y));
        }
        path
    }

    /// A curve through these points.
    pub(super) fn line(&mut self, points: &[(f64, f64)]) {
        let path = self.path(points.iter().copied());
        let _ = write!(self.svg, "<path class=\"line\" d=\"{path}\"/>");
    }

    /// The space between two curves.
    pub(super) fn band(&mut self, low: &[(f64, f64)], high: &[(f64, f64)]) {
        if low.is_empty() {
            return;
        }
        let path = self.path(low.iter().chain(high.iter().rev()).copied());
        let _ = write!(self.svg, "<path class=\"band\" d=\"{path}Z\"/>");
    }

    /// A level line.
    pub(super) fn level(&mut self, y: f64) {
        let _ = write!(
            self.svg,
            "<path class=\"level\" d=\"M{LEFT} {:.1}H{:.1}\"/>",
            self.y(y),
            WIDTH - RIGHT
        );
    }

    /// A value with its error and a name (which is HTML already).
    pub(super) fn bar(&mut self, x: f64, y: f64, error: f64, name: &str) {
        let (x, middle) = (self.x(x), self.y(y));
        let _ = write!(
            self.svg,
            "<path class=\"line\" d=\"M{x:.1} {:.1}V{:.1}\"/>\
             <circle class=\"dot\" cx=\"{x:.1}\" cy=\"{middle:.1}\" r=\"4\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            self.y(y - error),
            self.y(y + error),
            x + 8.0,
            middle + 4.0
        );
    }

    /// The drawing.
    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

/// The next of 1, 2, 5, 10, 20 and so on.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let rounded = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|&factor| factor * power >= step * 0.999);
    rounded.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (step, expected) in [(0.3, 0.5), (1.0, 1.0), (7.0, 10.0), (120.0, 200.0)] {
            assert!((round_step(step) - expected).abs() < 1e-9, "{step}");
        }
    }

    #[test]
    fn what_lies_outside_stays_in_the_frame() {
        let mut chart = Chart::new("t", 10.0, -1.0, 1.0);
        chart.line(&[(0.0, -9.0), (10.0, 9.0)]);
        let svg = chart.finish();
        assert!(svg.contains("M52.0 216.0L548.0 28.0"), "{svg}");
    }
}
