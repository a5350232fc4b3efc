//! Charts: curves over two axes.

use super::page::page;
use super::{Area, Place};
use serde::Serialize;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("chart.svg");

/// The size of a chart, and its frame, in pixels.
const SIZE: (f64, f64) = (560.0, 240.0);
const FRAME: Area = Area {
    left: 52.0,
    top: 28.0,
    right: 548.0,
    bottom: 216.0,
};

/// The frame of a chart, and the values at its edges.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// The frame in pixels.
    pub frame: Area,
    /// The values at the left and right.
    pub x: [f64; 2],
    /// The values at the bottom and top. Values beyond them are drawn at the edge.
    pub y: [f64; 2],
}

impl Axes {
    /// The place of a point of a curve.
    pub fn place(&self, (x, y): (f64, f64)) -> Place {
        let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        let (frame, up) = (self.frame, share(y, self.y).clamp(0.0, 1.0));
        let right = frame.left + share(x, self.x) * frame.width();
        (right, frame.bottom - up * frame.height())
    }

    /// The line through these points, as the data of an SVG path.
    pub fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points.into_iter().map(|point| self.place(point)) {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            // Writing to a string can't fail.
            let _ = write!(path, "{letter}{x:.1} {y:.1}");
        }
        path
    }
}

/// A chart. The style sheet of its page has the colours and line widths.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    title: String,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    rows: Vec<Tick>,
    columns: Vec<Tick>,
    curves: Vec<Curve>,
    bars: Vec<Bar>,
    legend: Vec<(&'static str, &'static str)>,
    #[serde(skip)]
    axes: Axes,
}

#[derive(Clone, Debug, Serialize)]
struct Tick {
    at: String,
    label: String,
}

#[derive(Clone, Debug, Serialize)]
struct Curve {
    class: &'static str,
    color: Option<&'static str>,
    path: String,
}

#[derive(Clone, Debug, Serialize)]
struct Bar {
    x: String,
    y: String,
    name: String,
    path: String,
}

impl Chart {
    /// Creates a chart without curves.
    pub fn new(title: &str, x: [f64; 2], y: [f64; 2]) -> Chart {
        let wide = |[low, high]: [f64; 2], least: f64| [low, high.max(low + least)];
        let axes = Axes {
            frame: FRAME,
            x: wide(x, 1.0),
            y: wide(y, 1e-9),
        };
        let steps = |[low, high]: [f64; 2], count: f64, least: f64| {
            let step = round_step((high - low) / count).max(least);
            let decimals = (-step.log10().floor()).max(0.0) as usize;
            let first = (low / step).ceil() as i64;
            let ticks = (first..).map(move |index| index as f64 * step);
            ticks
                .take_while(move |&tick| tick <= high)
                .map(move |tick| (tick, format!("{tick:.decimals$}")))
        };
        let rows = steps(axes.y, 5.0, 0.0).map(|(tick, label)| Tick {
            at: format!("{:.1}", axes.place((axes.x[0], tick)).1),
            label,
        });
        let columns = steps(axes.x, 6.0, 1.0).map(|(tick, label)| Tick {
            at: format!("{:.1}", axes.place((tick, axes.y[0])).0),
            label,
        });
        Chart {
            title: title.to_owned(),
            width: SIZE.0,
            height: SIZE.1,
            left: FRAME.left,
            right: FRAME.right,
            rows: rows.collect(),
            columns: columns.collect(),
            curves: Vec::new(),
            bars: Vec::new(),
            legend: Vec::new(),
            axes,
        }
    }

    /// Adds a curve of a class.
    pub fn line(&mut self, class: &'static str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.curves.push(Curve {
            class,
            color: None,
            path: self.axes.path(points),
        });
    }

    /// Adds a curve of a class with a colour of its own, which has a name in the legend.
    pub fn named(
        &mut self,
        class: &'static str,
        (name, color): (&'static str, &'static str),
        points: impl IntoIterator<Item = (f64, f64)>,
    ) {
        self.line(class, points);
        if let Some(curve) = self.curves.last_mut() {
            curve.color = Some(color);
        }
        self.legend.push((name, color));
    }

    /// Adds the space between two curves.
    pub fn band(&mut self, low: &[(f64, f64)], high: &[(f64, f64)]) {
        self.line("band", low.iter().chain(high.iter().rev()).copied());
    }

    /// Adds a level line.
    pub fn level(&mut self, y: f64) {
        let [left, right] = self.axes.x;
        self.line("level", [(left, y), (right, y)]);
    }

    /// Adds a value with its error and a name.
    pub fn bar(&mut self, x: f64, y: f64, error: f64, name: &str) {
        let middle = self.axes.place((x, y));
        self.bars.push(Bar {
            x: format!("{:.1}", middle.0),
            y: format!("{:.1}", middle.1),
            name: name.to_owned(),
            path: self.axes.path([(x, y - error), (x, y + error)]),
        });
    }

    /// The chart as SVG, for a page of HTML.
    pub fn svg(&self) -> String {
        page(TEMPLATE, self)
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
    fn values_beyond_the_axes_stay_in_the_frame() {
        let mut chart = Chart::new("a < b", [0.0, 10.0], [-1.0, 1.0]);
        chart.line("line", [(0.0, -9.0), (10.0, 9.0)]);
        let svg = chart.svg();
        assert!(svg.contains("M52.0 216.0L548.0 28.0"), "{svg}");
        assert!(
            svg.contains("<text class=\"title\" x=\"52.0\" y=\"16\">a &lt; b</text>"),
            "{svg}"
        );
        assert!(
            svg.contains(">-0.5</text>") && svg.contains(">10</text>"),
            "{svg}"
        );
    }
}
