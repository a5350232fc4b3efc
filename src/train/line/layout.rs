//! Where the parameters of a line network are in one vector, and what they make.
//!
//! The embedding of a window is the sum of three rows of parameters: its own, one
//! for the seven points in its middle, and one for the five. Rare windows get what
//! the shorter ones are worth.

use crate::eval::line::{
    LINE_CHANNELS, LINE_HIDDEN, LINE_INPUTS, LineHead, LineWeights, ROW_SCALE, WINDOW_RADIUS,
    WINDOWS, all_windows, has_stone, swapped_numbers,
};
use crate::rules::{Color, Rule};
use std::collections::BTreeMap;
use std::ops::Range;

/// The channels of a row: those of the side to move, then its opponent's.
pub const ROW: usize = 2 * LINE_CHANNELS;

/// The rows of a table: all windows along rows and columns, then along diagonals.
pub const ROWS: usize = 2 * WINDOWS;

/// The radii of the shorter windows.
const INNER_RADII: [usize; 2] = [3, 2];

/// The spread of the first weights of the shorter windows, and of the output.
const INNER_SPREAD: f32 = 0.2;
const OUTPUT_SPREAD: f32 = 0.05;

/// The layout of the parameters of one rule.
pub struct LineLayout {
    /// How many colours have parameters of their own: two under renju's rule.
    pub colors: usize,
    /// By window: the numbers of the shorter windows in it.
    inner: Vec<[u16; 2]>,
    inner_counts: [usize; 2],
    /// By window: the number of the window with the colours swapped.
    swapped: Vec<u16>,
    has_stone: Vec<bool>,
}

/// The rows of all windows with either colour to move, or with both: what the
/// parameters of the embeddings make, and the gradient of that.
pub type Rows = Vec<Vec<[f32; ROW]>>;

impl LineLayout {
    /// Returns the layout of `rule`.
    pub fn of(rule: Rule) -> LineLayout {
        let windows = all_windows();
        let mut numbers = INNER_RADII.map(|_| BTreeMap::new());
        let mut inner = Vec::with_capacity(WINDOWS);
        for &window in &windows {
            inner.push([0, 1].map(|index| {
                let numbers: &mut BTreeMap<u64, u16> = &mut numbers[index];
                let next = numbers.len() as u16;
                let key = inner_window(window, INNER_RADII[index]);
                *numbers.entry(key).or_insert(next)
            }));
        }
        LineLayout {
            colors: if rule.forbids(Color::Black) { 2 } else { 1 },
            inner,
            inner_counts: numbers.map(|numbers| numbers.len()),
            swapped: swapped_numbers(),
            has_stone: windows.into_iter().map(has_stone).collect(),
        }
    }

    /// Returns the number of embeddings of one colour along one kind of line, those
    /// of shorter windows included.
    fn embeddings(&self) -> usize {
        WINDOWS + self.inner_counts.iter().sum::<usize>()
    }

    /// Returns where the parameters of embeddings are.
    pub fn tables(&self) -> Range<usize> {
        0..self.colors * 2 * self.embeddings() * LINE_CHANNELS
    }

    /// Returns where the parameters of the head of a colour are.
    pub fn head(&self, color: usize) -> Range<usize> {
        let first = self.tables().end + color * LineHead::NUMBERS;
        first..first + LineHead::NUMBERS
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> usize {
        self.tables().end + self.colors * LineHead::NUMBERS
    }

    /// Returns the first parameters of a fit.
    pub fn initial(&self, seed: u64) -> Vec<f32> {
        let mut random = fastrand::Rng::with_seed(seed);
        // Nearly normal: the sum of twelve uniform numbers.
        let mut normal = |spread: f32| {
            let sum: f32 = (0..12).map(|_| random.f32()).sum();
            (sum - 6.0) * spread
        };
        let mut parameters = vec![0.0; self.parameters()];
        let tables = &mut parameters[self.tables()];
        for table in tables.chunks_exact_mut(self.embeddings() * LINE_CHANNELS) {
            let inner = &mut table[WINDOWS * LINE_CHANNELS..];
            inner
                .iter_mut()
                .for_each(|weight| *weight = normal(INNER_SPREAD));
        }
        for color in 0..self.colors {
            let mut head = LineHead::ZERO;
            let spread = |inputs: usize| (2.0 / inputs as f32).sqrt();
            let first = head.first.as_flattened_mut().iter_mut();
            first.for_each(|weight| *weight = normal(spread(LINE_INPUTS)));
            let second = head.second.as_flattened_mut().iter_mut();
            second.for_each(|weight| *weight = normal(spread(LINE_HIDDEN)));
            head.last = head.last.map(|_| normal(OUTPUT_SPREAD));
            head.classical = 1.0;
            let slots = parameters[self.head(color)].iter_mut();
            slots
                .zip(head.numbers())
                .for_each(|(slot, number)| *slot = *number);
        }
        parameters
    }

    /// Returns the parameters that make the network `start`: all of an embedding is in
    /// its own row. Where the layout has more colours, they begin alike.
    pub fn parameters_of(&self, start: &LineWeights) -> Vec<f32> {
        let mut parameters = vec![0.0; self.parameters()];
        for color in 0..self.colors {
            let of_color = &start.colors[color % start.colors.len()];
            for (group, embeddings) in of_color.embeddings.iter().enumerate() {
                for (number, embedding) in embeddings.iter().enumerate() {
                    let [own, ..] = self.parts(color, group, number);
                    let slots = parameters[own..].iter_mut();
                    slots
                        .zip(embedding)
                        .for_each(|(slot, &number)| *slot = f32::from(number) / ROW_SCALE);
                }
            }
            let slots = parameters[self.head(color)].iter_mut();
            slots
                .zip(of_color.head.clone().numbers())
                .for_each(|(slot, number)| *slot = *number);
        }
        parameters
    }

    /// Returns the heads by colour.
    pub fn heads(&self, parameters: &[f32]) -> Vec<LineHead> {
        let head = |color| {
            let mut head = LineHead::ZERO;
            let numbers = head.numbers().zip(&parameters[self.head(color)]);
            numbers.for_each(|(number, weight)| *number = *weight);
            head
        };
        (0..self.colors).map(head).collect()
    }

    /// Returns where the three rows of parameters of an embedding begin.
    fn parts(&self, color: usize, group: usize, number: usize) -> [usize; 3] {
        let first = (color * 2 + group) * self.embeddings();
        let [longer, shorter] = self.inner[number].map(usize::from);
        let inner = first + WINDOWS;
        [
            first + number,
            inner + longer,
            inner + self.inner_counts[0] + shorter,
        ]
        .map(|row| row * LINE_CHANNELS)
    }

    /// Returns the windows with stones: colour to move, number of the row, and
    /// where the parameters of both halves of the row begin.
    fn windows(&self, side: usize) -> impl Iterator<Item = (usize, [[usize; 3]; 2])> + '_ {
        (0..ROWS).filter_map(move |row| {
            let (group, number) = (row / WINDOWS, row % WINDOWS);
            let swapped = usize::from(self.swapped[number]);
            let opponent = self.colors - 1 - side;
            self.has_stone[number].then(|| {
                let own = self.parts(side, group, number);
                (row, [own, self.parts(opponent, group, swapped)])
            })
        })
    }

    /// Writes the rows of all windows. Windows without stones have rows of zeros.
    pub fn write_rows(&self, parameters: &[f32], rows: &mut Rows) {
        rows.resize(self.colors, vec![[0.0; ROW]; ROWS]);
        for (side, rows) in rows.iter_mut().enumerate() {
            for (number, halves) in self.windows(side) {
                let row = rows[number].chunks_exact_mut(LINE_CHANNELS);
                for (half, parts) in row.zip(halves) {
                    for (channel, sum) in half.iter_mut().enumerate() {
                        *sum = parts.iter().map(|first| parameters[first + channel]).sum();
                    }
                }
            }
        }
    }

    /// Adds the gradient of rows to that of the parameters.
    pub fn add_gradient(&self, rows: &Rows, gradient: &mut [f32]) {
        for (side, rows) in rows.iter().enumerate() {
            for (number, halves) in self.windows(side) {
                let row = rows[number].chunks_exact(LINE_CHANNELS);
                for (half, parts) in row.zip(halves) {
                    for first in parts {
                        let slots = gradient[first..].iter_mut();
                        slots.zip(half).for_each(|(sum, slope)| *sum += slope);
                    }
                }
            }
        }
    }
}

/// Returns the middle of a window, or its mirror image: the one that is the smaller
/// number.
fn inner_window(window: u64, radius: usize) -> u64 {
    let points = 2 * radius + 1;
    let inner = window >> (2 * (WINDOW_RADIUS - radius)) & ((1 << (2 * points)) - 1);
    let mirrored = (0..points).fold(0, |bits, at| bits << 2 | inner >> (2 * at) & 3);
    inner.min(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_rows() {
        // The sum of all rows weighted with random numbers is linear in the
        // parameters, so the gradient gives its value exactly.
        let mut random = fastrand::Rng::with_seed(5);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let layout = LineLayout::of(rule);
            let mut parameters = layout.initial(3);
            parameters.iter_mut().for_each(|p| *p = random.f32() - 0.5);
            let mut rows = Rows::new();
            layout.write_rows(&parameters, &mut rows);
            let mut slopes = rows.clone();
            let mut direct = 0.0;
            for (row, slopes) in rows.iter().flatten().zip(slopes.iter_mut().flatten()) {
                for (number, slope) in row.iter().zip(slopes) {
                    *slope = random.f32();
                    direct += f64::from(number * *slope);
                }
            }
            let mut gradient = vec![0.0; layout.parameters()];
            layout.add_gradient(&slopes, &mut gradient);
            let products = gradient
                .iter()
                .zip(&parameters)
                .map(|(g, p)| f64::from(g * p));
            let by_gradient: f64 = products.sum();
            assert!((direct - by_gradient).abs() < 1.0, "{direct} {by_gradient}");
            assert!(direct.abs() > 100.0);
        }
    }

    #[test]
    fn shorter_windows_are_counted() {
        let layout = LineLayout::of(Rule::Freestyle);
        // Three centres, and the unordered pairs of 40 and of 13 halves.
        assert_eq!(layout.inner_counts, [3 * 40 * 41 / 2, 3 * 13 * 14 / 2]);
    }
}
