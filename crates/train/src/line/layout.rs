//! The layout of the parameters of a line network in one vector.
//!
//! There are three tables of parameters: one for rows and columns, one for diagonals,
//! and one for both kinds of lines. The embedding of a window is the sum of six rows. From
//! the table of its kind and from that of both it takes its own row, one for the seven points in
//! its middle, and one for the five. So rare windows get the values of similar ones.

use quincunx_engine::eval::EvalTables;
use quincunx_engine::eval::line::{
    LINE_CHANNELS, LINE_HIDDEN, LINE_INPUTS, LineHead, LineWeights, Middles, ROW_SCALE, WINDOWS,
    all_windows, has_stone,
};
use quincunx_engine::rules::Rule;
use rayon::prelude::*;
use std::ops::Range;

/// The embeddings of a colour: all windows along rows and columns, then along diagonals.
pub(crate) const EMBEDDINGS: usize = 2 * WINDOWS;

/// The tables of a colour: of each kind of line, and of both.
const TABLES: usize = 3;

/// The radii of the shorter windows.
const INNER_RADII: [usize; 2] = [3, 2];

/// The spread of the first weights of the shorter windows, and of the output.
const INNER_SPREAD: f32 = 0.15;
const OUTPUT_SPREAD: f32 = 0.05;

/// The layout of the parameters of one rule.
pub(crate) struct LineLayout {
    /// The number of colours with parameters of their own: two under renju, otherwise one.
    pub(crate) colors: usize,
    /// The rows of each window in a table. `None` if the window has no stones.
    rows: Vec<Option<[usize; 3]>>,
    /// The numbers of shorter windows.
    inner_counts: [usize; 2],
}

/// The embeddings of all windows as each colour sees them, with its own stones as black, or as
/// both see them. Gradients of embeddings have the same type.
pub(crate) type Embeddings = Vec<Vec<[f32; LINE_CHANNELS]>>;

impl LineLayout {
    /// Returns the layout of `rule`.
    pub(crate) fn of(rule: Rule) -> LineLayout {
        let [seven, five] = INNER_RADII.map(Middles::new);
        let inner_counts = [seven.count, five.count];
        let inner = seven.numbers.into_iter().zip(five.numbers);
        let rows = all_windows().into_iter().zip(inner);
        let rows = rows.enumerate().map(|(number, (window, (seven, five)))| {
            let rows = [number, WINDOWS + seven, WINDOWS + inner_counts[0] + five];
            has_stone(window).then_some(rows)
        });
        LineLayout {
            colors: EvalTables::colors(rule),
            rows: rows.collect(),
            inner_counts,
        }
    }

    /// Returns the number of parameters of a table.
    fn table(&self) -> usize {
        (WINDOWS + self.inner_counts.iter().sum::<usize>()) * LINE_CHANNELS
    }

    /// Returns the range of the parameters of embeddings.
    pub(crate) fn tables(&self) -> Range<usize> {
        0..self.colors * TABLES * self.table()
    }

    /// Returns the range of the parameters of the head of a colour.
    pub(crate) fn head(&self, color: usize) -> Range<usize> {
        let first = self.tables().end + color * LineHead::NUMBERS;
        first..first + LineHead::NUMBERS
    }

    /// Returns the number of parameters.
    pub(crate) fn parameters(&self) -> usize {
        self.tables().end + self.colors * LineHead::NUMBERS
    }

    /// Returns the first parameters of a fit.
    pub(crate) fn initial(&self, seed: u64) -> Vec<f32> {
        let mut random = fastrand::Rng::with_seed(seed);
        // Nearly normal: the sum of twelve uniform numbers.
        let mut normal = |spread: f32| {
            let sum: f32 = (0..12).map(|_| random.f32()).sum();
            (sum - 6.0) * spread
        };
        let mut parameters = vec![0.0; self.parameters()];
        let tables = &mut parameters[self.tables()];
        for table in tables.chunks_exact_mut(self.table()) {
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
            self.write_head(color, &mut head, &mut parameters);
        }
        parameters
    }

    /// Returns parameters of the network `start`. An embedding is entirely in its own row of its
    /// kind. If the layout has more colours than `start`, they begin equal.
    pub(crate) fn parameters_of(&self, start: &LineWeights) -> Vec<f32> {
        let mut parameters = vec![0.0; self.parameters()];
        let tables = parameters.chunks_exact_mut(self.table());
        for (index, table) in tables.enumerate().take(self.colors * TABLES) {
            let (color, kind) = (index / TABLES, index % TABLES);
            let of_color = &start.colors[color % start.colors.len()];
            if let Some(embeddings) = of_color.embeddings.get(kind) {
                let slots = table.iter_mut().zip(embeddings.as_flattened());
                slots.for_each(|(slot, &number)| *slot = f32::from(number) / ROW_SCALE);
            }
        }
        for color in 0..self.colors {
            let mut head = start.colors[color % start.colors.len()].head.clone();
            self.write_head(color, &mut head, &mut parameters);
        }
        parameters
    }

    /// Writes the numbers of the head of a colour into a vector of parameters.
    pub(crate) fn write_head(&self, color: usize, head: &mut LineHead, parameters: &mut [f32]) {
        let slots = parameters[self.head(color)].iter_mut();
        slots
            .zip(head.numbers())
            .for_each(|(slot, number)| *slot = *number);
    }

    /// Returns the heads by colour.
    pub(crate) fn heads(&self, parameters: &[f32]) -> Vec<LineHead> {
        let head = |color| {
            let mut head = LineHead::ZERO;
            let numbers = head.numbers().zip(&parameters[self.head(color)]);
            numbers.for_each(|(number, weight)| *number = *weight);
            head
        };
        (0..self.colors).map(head).collect()
    }

    /// Returns the embeddings. Those of windows without stones are zero.
    pub(crate) fn embeddings(&self, parameters: &[f32]) -> Embeddings {
        let mut embeddings = self.zeros();
        self.write_embeddings(parameters, &mut embeddings);
        embeddings
    }

    /// Returns embeddings of zeros.
    pub(crate) fn zeros(&self) -> Embeddings {
        vec![vec![[0.0; LINE_CHANNELS]; EMBEDDINGS]; self.colors]
    }

    /// Writes the embeddings of all windows with stones.
    pub(crate) fn write_embeddings(&self, parameters: &[f32], embeddings: &mut Embeddings) {
        let colors = parameters[self.tables()].chunks_exact(TABLES * self.table());
        for (embeddings, tables) in embeddings.iter_mut().zip(colors) {
            let (kinds, both) = tables.split_at(2 * self.table());
            let kinds = kinds.chunks_exact(self.table());
            for (embeddings, kind) in embeddings.chunks_exact_mut(WINDOWS).zip(kinds) {
                let rows = embeddings.par_iter_mut().zip(&self.rows);
                rows.for_each(|(embedding, rows)| {
                    let Some(rows) = rows else { return };
                    *embedding = [0.0; LINE_CHANNELS];
                    for row in rows {
                        let row = row * LINE_CHANNELS..(row + 1) * LINE_CHANNELS;
                        let parts = kind[row.clone()].iter().zip(&both[row]);
                        let sums = embedding.iter_mut().zip(parts);
                        sums.for_each(|(sum, (kind, both))| *sum += kind + both);
                    }
                });
            }
        }
    }

    /// Writes the gradient of the parameters of embeddings from that of the embeddings.
    pub(crate) fn write_gradient(&self, slopes: &Embeddings, gradient: &mut [f32]) {
        let colors = gradient[self.tables()].chunks_exact_mut(TABLES * self.table());
        for (slopes, tables) in slopes.iter().zip(colors) {
            let (kinds, both) = tables.split_at_mut(2 * self.table());
            let of_kinds = kinds.par_chunks_exact_mut(self.table());
            of_kinds
                .zip(slopes.par_chunks_exact(WINDOWS))
                .for_each(|(kind, slopes)| {
                    kind.fill(0.0);
                    for (slopes, rows) in slopes.iter().zip(&self.rows) {
                        for row in rows.iter().flatten() {
                            let sums = kind[row * LINE_CHANNELS..].iter_mut();
                            sums.zip(slopes).for_each(|(sum, slope)| *sum += slope);
                        }
                    }
                });
            // The same rows are parts of the embeddings of both kinds.
            let (straight, diagonal) = kinds.split_at(self.table());
            let sums = both.iter_mut().zip(straight.iter().zip(diagonal));
            sums.for_each(|(sum, (straight, diagonal))| *sum = straight + diagonal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_embeddings() {
        // The sum of all embeddings weighted with random numbers is linear in the
        // parameters, so the gradient gives its value exactly.
        let mut random = fastrand::Rng::with_seed(5);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let layout = LineLayout::of(rule);
            let mut parameters = layout.initial(3);
            parameters.iter_mut().for_each(|p| *p = random.f32() - 0.5);
            let embeddings = layout.embeddings(&parameters);
            let mut slopes = layout.zeros();
            let mut direct = 0.0;
            let all = embeddings.iter().zip(&mut slopes);
            for (embeddings, slopes) in all {
                let numbers = embeddings.as_flattened().iter();
                for (number, slope) in numbers.zip(slopes.as_flattened_mut()) {
                    *slope = if *number == 0.0 { 0.0 } else { random.f32() };
                    direct += f64::from(number * *slope);
                }
            }
            let mut gradient = vec![1.0; layout.parameters()];
            layout.write_gradient(&slopes, &mut gradient);
            let products = gradient[layout.tables()]
                .iter()
                .zip(&parameters)
                .map(|(g, p)| f64::from(g * p));
            let by_gradient: f64 = products.sum();
            assert!((direct - by_gradient).abs() < 1.0, "{direct} {by_gradient}");
            assert!(direct.abs() > 100.0);
        }
    }

    #[test]
    fn windows_without_stones_have_embeddings_of_zeros() {
        let layout = LineLayout::of(Rule::Freestyle);
        let parameters = vec![0.25; layout.parameters()];
        let embeddings = layout.embeddings(&parameters);
        for (number, window) in all_windows().into_iter().enumerate() {
            let expected = if has_stone(window) { 1.5 } else { 0.0 };
            for embedding in [number, WINDOWS + number] {
                assert_eq!(embeddings[0][embedding], [expected; LINE_CHANNELS]);
            }
        }
    }
}
