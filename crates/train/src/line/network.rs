//! The line network in floats: the loss of a sample and its gradient, and the conversion to
//! the network in integers.

use super::layout::{Embeddings, LineLayout};
use super::normalization::{Moments, Normalization, POOLED};
use super::samples::{Sample, Samples, ValueTarget};
use crate::loss::{cross_entropy, logistic};
use quincunx_engine::eval::InstructionSet;
use quincunx_engine::eval::dense::dot;
use quincunx_engine::eval::line::{
    ColorWeights, HeadLayers, LINE_CHANNELS, LINE_HIDDEN, LINE_INPUTS, LineHead, LineWeights, POOL,
    RELU_CHANNELS, ROW_LIMIT, ROW_SCALE, SCRELU_CLIP, WINDOW_RADIUS, WINDOWS, has_stone,
    swap_colors, window_number,
};
use quincunx_engine::position::LineCodes;
use quincunx_engine::rules::{Color, Direction, Rule};

/// The number of an embedding that is zero: that of the window of nine empty points.
const EMPTY: u32 = 0;

/// The parts of a network that its losses need, by colour or for both colours together.
pub(crate) struct LineModel<'a> {
    /// The embeddings of all windows as the colour sees them.
    pub(crate) embeddings: &'a Embeddings,
    /// The heads.
    pub(crate) heads: &'a [LineHead],
    /// The normalisations of the pooled channels.
    pub(crate) normalizations: &'a [Normalization],
}

/// Losses of samples, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LossSums {
    /// The number of samples.
    pub(crate) samples: usize,
    /// The cross-entropy of the value against the targets.
    pub(crate) target: f64,
    /// The cross-entropy of the value against the results of the games.
    pub(crate) result: f64,
    /// The loss of the classical evaluation against the results.
    pub(crate) classical: f64,
    /// The loss of the search's scores against the results.
    pub(crate) search: f64,
    /// The loss of the teacher's labels against the results.
    pub(crate) label: f64,
}

impl LossSums {
    /// Adds the losses of other samples.
    pub(crate) fn merge(&mut self, other: &LossSums) {
        self.samples += other.samples;
        self.target += other.target;
        self.result += other.result;
        self.classical += other.classical;
        self.search += other.search;
        self.label += other.label;
    }
}

/// A gradient, by colour or for both colours together.
pub(crate) struct LineGradient {
    /// The gradient of the embeddings.
    pub(crate) embeddings: Embeddings,
    /// The gradient of the heads.
    pub(crate) heads: Vec<LineHead>,
    /// The moments of the pooled channels.
    pub(crate) moments: Vec<Moments>,
}

impl LineGradient {
    /// Creates a gradient of zeros.
    pub(crate) fn new(layout: &LineLayout) -> LineGradient {
        LineGradient {
            embeddings: layout.zeros(),
            heads: vec![LineHead::ZERO; layout.colors],
            moments: vec![Moments::ZERO; layout.colors],
        }
    }

    /// Makes all numbers zero.
    pub(crate) fn clear(&mut self) {
        for embeddings in &mut self.embeddings {
            embeddings.fill([0.0; LINE_CHANNELS]);
        }
        self.heads.fill(LineHead::ZERO);
        self.moments.fill(Moments::ZERO);
    }
}

/// The four windows of a point, by the numbers of their embeddings.
type PointWindows = [u32; 4];

/// The buffers of a thread that runs samples. Points are those that see a stone. The view of
/// the side to move comes before that of its opponent.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The windows of each point.
    points: Vec<[PointWindows; 2]>,
    /// The sums of the embeddings of each point, clipped at zero, and above where SCReLU
    /// clips.
    sums: Vec<[[f32; LINE_CHANNELS]; 2]>,
}

impl Scratch {
    /// Finds the windows of a sample, with the stones of the side to move as black.
    #[inline(always)]
    fn read(&mut self, samples: &Samples, sample: &Sample) {
        let (size, moves) = samples.moves(sample);
        let mut codes = LineCodes::new(size);
        for (number, point) in moves.rev().enumerate() {
            // The last stone is the opponent's.
            codes.toggle([Color::White, Color::Black][number % 2], point);
        }
        self.points.clear();
        for point in size.iter() {
            let mut windows = [[EMPTY; 4]; 2];
            for (at, direction) in Direction::ALL.into_iter().enumerate() {
                let window = codes.window(direction, point, WINDOW_RADIUS);
                let is_diagonal = direction.is_diagonal();
                let first = if is_diagonal { WINDOWS } else { 0 };
                if has_stone(window) {
                    windows[0][at] = (first + window_number(window)) as u32;
                    windows[1][at] = (first + window_number(swap_colors(window))) as u32;
                }
            }
            if windows[0] != [EMPTY; 4] {
                self.points.push(windows);
            }
        }
    }

    /// Adds up the embeddings of each point, and all points.
    #[inline(always)]
    fn pool(&mut self, embeddings: [&[[f32; LINE_CHANNELS]]; 2]) -> [f32; POOLED] {
        let mut pooled = [[0.0; LINE_CHANNELS]; 2];
        self.sums.clear();
        for point in &self.points {
            let mut sums = [[0.0; LINE_CHANNELS]; 2];
            for view in 0..2 {
                let (sums, pooled) = (&mut sums[view], &mut pooled[view]);
                let [a, b, c, d] = point[view].map(|number| &embeddings[view][number as usize]);
                for channel in 0..RELU_CHANNELS {
                    let sum = a[channel] + b[channel] + (c[channel] + d[channel]);
                    sums[channel] = sum.max(0.0);
                    pooled[channel] += sums[channel];
                }
                for channel in RELU_CHANNELS..LINE_CHANNELS {
                    let sum = a[channel] + b[channel] + (c[channel] + d[channel]);
                    sums[channel] = sum.clamp(0.0, SCRELU_CLIP);
                    pooled[channel] += sums[channel] * sums[channel];
                }
            }
            self.sums.push(sums);
        }
        let pooled = pooled.as_flattened();
        std::array::from_fn(|channel| pooled[channel] / POOL)
    }
}

impl LineModel<'_> {
    /// Returns the losses of samples, and adds their gradient if `gradient` is given.
    pub(crate) fn run(
        &self,
        samples: &Samples,
        numbers: impl Iterator<Item = usize>,
        mut gradient: Option<&mut LineGradient>,
    ) -> LossSums {
        InstructionSet::best().run(
            #[inline(always)]
            || {
                let mut scratch = Scratch::default();
                let mut sums = LossSums::default();
                for number in numbers {
                    let sample = &samples.samples[number];
                    let gradient = gradient.as_deref_mut();
                    sums.merge(&self.run_one(samples, sample, &mut scratch, gradient));
                }
                sums
            },
        )
    }

    /// Returns the losses of a sample, and adds its gradient if there is a place for it.
    #[inline(always)]
    fn run_one(
        &self,
        samples: &Samples,
        sample: &Sample,
        scratch: &mut Scratch,
        gradient: Option<&mut LineGradient>,
    ) -> LossSums {
        let pass = self.forward(samples, sample, scratch);
        if let Some(gradient) = gradient {
            let slope = logistic(pass.value) - sample.value.target;
            let color = pass.color;
            let slopes = add_head_gradient(
                &self.heads[color],
                &pass,
                slope,
                sample.value.classical,
                &mut gradient.heads[color],
            );
            let scales = &self.normalizations[color].scale;
            let mut pooled = [[0.0; LINE_CHANNELS]; 2];
            for (channel, slope) in pooled.as_flattened_mut().iter_mut().enumerate() {
                *slope = slopes[channel] * scales[channel] / POOL;
            }
            for (view, color) in self.views(color).into_iter().enumerate() {
                let slopes = &pooled[view];
                add_embedding_gradient(scratch, view, slopes, &mut gradient.embeddings[color]);
            }
            gradient.moments[color].add(&pass.pooled);
        }
        losses(pass.value, &sample.value)
    }

    /// Returns whose embeddings the side to move has, and whose its opponent.
    #[inline(always)]
    fn views(&self, color: usize) -> [usize; 2] {
        [color, self.heads.len() - 1 - color]
    }

    #[inline(always)]
    fn forward(&self, samples: &Samples, sample: &Sample, scratch: &mut Scratch) -> ForwardPass {
        // Black moves first, so the colours take turns.
        let stones = usize::from(sample.ply) + usize::from(sample.alternative.is_some());
        let color = stones % self.heads.len();
        let normalization = &self.normalizations[color];
        scratch.read(samples, sample);
        let pooled = scratch.pool(self.views(color).map(|color| &self.embeddings[color][..]));
        let mut inputs = [0.0; LINE_INPUTS];
        for channel in 0..POOLED {
            let shifted = pooled[channel] - normalization.shift[channel];
            inputs[channel] = shifted * normalization.scale[channel];
        }
        inputs[POOLED..].copy_from_slice(&sample.board.inputs());
        let head = &self.heads[color];
        let layers = head.layers(&inputs);
        ForwardPass {
            color,
            pooled,
            inputs,
            value: layers.value + head.classical * sample.value.classical,
            layers,
        }
    }
}

/// What the network makes of a sample on the way to its value.
struct ForwardPass {
    color: usize,
    pooled: [f32; POOLED],
    inputs: [f32; LINE_INPUTS],
    layers: HeadLayers,
    /// In logits, with the classical evaluation.
    value: f32,
}

/// Returns the binary cross-entropies of a value.
#[inline(always)]
fn losses(logit: f32, value: &ValueTarget) -> LossSums {
    let of_chance = |chance: f32| {
        let chance = chance.clamp(1e-6, 1.0 - 1e-6);
        cross_entropy((chance / (1.0 - chance)).ln(), value.result)
    };
    LossSums {
        samples: 1,
        target: cross_entropy(logit, value.target),
        result: cross_entropy(logit, value.result),
        classical: cross_entropy(value.classical, value.result),
        search: of_chance(value.search),
        label: of_chance(value.label),
    }
}

/// Adds the gradient of a head for an output with this slope, and returns the slopes
/// of the inputs.
#[inline(always)]
fn add_head_gradient(
    head: &LineHead,
    pass: &ForwardPass,
    slope: f32,
    classical: f32,
    gradient: &mut LineHead,
) -> [f32; LINE_INPUTS] {
    gradient.bias += slope;
    gradient.classical += slope * classical;
    for (sum, unit) in gradient.last.iter_mut().zip(pass.layers.second) {
        *sum += slope * unit;
    }
    let second = rectified(head.last.map(|weight| weight * slope), &pass.layers.second);
    add(&mut gradient.second_bias, &second);
    let slopes = add_layer_gradient(
        &head.second,
        &pass.layers.first,
        &second,
        &mut gradient.second,
    );
    let first = rectified(slopes, &pass.layers.first);
    add(&mut gradient.first_bias, &first);
    add_layer_gradient(&head.first, &pass.inputs, &first, &mut gradient.first)
}

/// Returns the slopes of units before their activation function, which is ReLU.
#[inline(always)]
fn rectified<const UNITS: usize>(
    mut slopes: [f32; UNITS],
    activations: &[f32; UNITS],
) -> [f32; UNITS] {
    for (slope, &activation) in slopes.iter_mut().zip(activations) {
        if activation <= 0.0 {
            *slope = 0.0;
        }
    }
    slopes
}

#[inline(always)]
fn add(sums: &mut [f32], slopes: &[f32]) {
    sums.iter_mut()
        .zip(slopes)
        .for_each(|(sum, slope)| *sum += slope);
}

/// Adds the gradient of the weights of a layer whose units have these slopes, and
/// returns the slopes of its inputs.
#[inline(always)]
fn add_layer_gradient<const INPUTS: usize>(
    weights: &[[f32; LINE_HIDDEN]; INPUTS],
    inputs: &[f32; INPUTS],
    slopes: &[f32; LINE_HIDDEN],
    gradient: &mut [[f32; LINE_HIDDEN]; INPUTS],
) -> [f32; INPUTS] {
    let mut input_slopes = [0.0; INPUTS];
    for input in 0..INPUTS {
        for unit in 0..LINE_HIDDEN {
            gradient[input][unit] += inputs[input] * slopes[unit];
        }
        input_slopes[input] = dot(&weights[input], slopes);
    }
    input_slopes
}

/// Adds the gradient of the embeddings in a view of a position whose pooled channels have
/// these slopes.
#[inline(always)]
fn add_embedding_gradient(
    scratch: &Scratch,
    view: usize,
    pooled: &[f32; LINE_CHANNELS],
    gradient: &mut [[f32; LINE_CHANNELS]],
) {
    for (point, sums) in scratch.points.iter().zip(&scratch.sums) {
        let sums = &sums[view];
        let mut slopes = [0.0; LINE_CHANNELS];
        for channel in 0..RELU_CHANNELS {
            if sums[channel] > 0.0 {
                slopes[channel] = pooled[channel];
            }
        }
        for channel in RELU_CHANNELS..LINE_CHANNELS {
            // Where the sum was clipped, nothing depends on it.
            if sums[channel] < SCRELU_CLIP {
                slopes[channel] = 2.0 * sums[channel] * pooled[channel];
            }
        }
        for number in point[view] {
            if number != EMPTY {
                add(&mut gradient[number as usize], &slopes);
            }
        }
    }
}

/// Returns the network in integers. The normalisation becomes part of the heads.
pub(crate) fn quantize(rule: Rule, model: &LineModel<'_>) -> LineWeights {
    let embedding = |weights: &[f32; LINE_CHANNELS]| {
        let mut embedding = [0; LINE_CHANNELS];
        for (number, weight) in embedding.iter_mut().zip(weights) {
            let limit = f32::from(ROW_LIMIT);
            *number = (weight * ROW_SCALE).round().clamp(-limit, limit) as i8;
        }
        embedding
    };
    let color = |(color, head): (usize, &LineHead)| {
        let (straight, diagonal) = model.embeddings[color].split_at(WINDOWS);
        let normalization = &model.normalizations[color];
        let mut head = head.clone();
        for channel in 0..POOLED {
            for unit in 0..LINE_HIDDEN {
                let weight = head.first[channel][unit] * normalization.scale[channel];
                head.first[channel][unit] = weight;
                head.first_bias[unit] -= normalization.shift[channel] * weight;
            }
        }
        ColorWeights {
            embeddings: [straight, diagonal].map(|kind| kind.iter().map(embedding).collect()),
            head,
        }
    };
    LineWeights {
        rule,
        colors: model.heads.iter().enumerate().map(color).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::TargetOptions;
    use super::super::samples::{LabelledGame, SampleSets};
    use super::*;
    use crate::record::random_game;
    use fastrand::Rng;
    use quincunx_engine::eval::line::LineNetwork;
    use quincunx_engine::eval::{Evaluator, Hybrid, HybridWeights, WeightSet};
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::BoardSize;
    use quincunx_engine::score::Score;
    use std::sync::Arc;

    /// Samples of random games with random scores.
    fn samples(rule: Rule, random: &mut Rng) -> Samples {
        let mut games = Vec::new();
        for number in 0..12 {
            let size = BoardSize::new(random.usize(9..17), random.usize(9..17));
            let size = size.expect("a board");
            games.push(LabelledGame {
                game: random_game(number, size, 20, random),
                labels: None,
            });
        }
        let targets = TargetOptions {
            future_share: 0.5,
            lambda: 0.9,
            label_share: 0.0,
        };
        let mut sets = SampleSets::default();
        let classical = &WeightSet::<Hybrid>::default().of(rule).classical.clone();
        let added = sets.add(rule, classical, &targets, &games);
        added.expect("moves to empty points");
        sets.training
    }

    /// A network of random parameters with a random normalisation.
    struct RandomNetwork {
        layout: LineLayout,
        parameters: Vec<f32>,
        normalizations: Vec<Normalization>,
    }

    impl RandomNetwork {
        fn new(rule: Rule, random: &mut Rng) -> RandomNetwork {
            let layout = LineLayout::of(rule);
            let mut parameters = layout.initial(random.u64(..));
            for parameter in &mut parameters[layout.tables()] {
                *parameter += 0.2 * (random.f32() - 0.5);
            }
            for color in 0..layout.colors {
                let head = &mut parameters[layout.head(color)];
                head.iter_mut()
                    .for_each(|p| *p += 0.1 * (random.f32() - 0.5));
            }
            let mut normalizations = vec![Normalization::none(); layout.colors];
            for normalization in &mut normalizations {
                normalization.shift.fill_with(|| random.f32());
                (normalization.scale).fill_with(|| 0.5 + random.f32());
            }
            RandomNetwork {
                layout,
                parameters,
                normalizations,
            }
        }

        fn with<T>(&self, with: impl FnOnce(&LineModel<'_>) -> T) -> T {
            with(&LineModel {
                embeddings: &self.layout.embeddings(&self.parameters),
                heads: &self.layout.heads(&self.parameters),
                normalizations: &self.normalizations,
            })
        }

        fn loss(&self, samples: &Samples) -> f64 {
            self.with(|model| {
                let numbers = 0..samples.samples.len();
                model.run(samples, numbers, None).target
            })
        }
    }

    #[test]
    fn gradients_are_slopes_of_the_loss() {
        let mut random = Rng::with_seed(11);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let samples = samples(rule, &mut random);
            let mut network = RandomNetwork::new(rule, &mut random);
            let mut sums = LineGradient::new(&network.layout);
            network.with(|model| {
                let numbers = 0..samples.samples.len();
                model.run(&samples, numbers, Some(&mut sums));
            });
            let mut gradient = vec![0.0; network.layout.parameters()];
            network
                .layout
                .write_gradient(&sums.embeddings, &mut gradient);
            for (color, head) in sums.heads.iter_mut().enumerate() {
                network.layout.write_head(color, head, &mut gradient);
            }
            let heads = network.layout.head(0).start..network.layout.parameters();
            let used = (0..heads.start).filter(|&index| gradient[index].abs() > 0.5);
            let used: Vec<usize> = used.collect();
            for number in 0..40 {
                let index = match number % 2 {
                    0 => used[random.usize(..used.len())],
                    _ => random.usize(heads.clone()),
                };
                let value = network.parameters[index];
                let losses = [-2e-3, 2e-3].map(|step: f32| {
                    network.parameters[index] = value + step;
                    network.loss(&samples)
                });
                network.parameters[index] = value;
                let slope = (losses[1] - losses[0]) / 4e-3;
                let error = (slope - f64::from(gradient[index])).abs();
                assert!(
                    error < 0.05 + 0.03 * slope.abs(),
                    "{index}: {slope}, {}",
                    gradient[index]
                );
            }
        }
    }

    #[test]
    fn a_fit_starts_from_the_network_it_is_given() {
        let mut random = Rng::with_seed(13);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let start = RandomNetwork::new(rule, &mut random).with(|model| quantize(rule, model));
            let layout = LineLayout::of(rule);
            let parameters = layout.parameters_of(&start);
            let model = LineModel {
                embeddings: &layout.embeddings(&parameters),
                heads: &layout.heads(&parameters),
                normalizations: &vec![Normalization::none(); layout.colors],
            };
            assert!(quantize(rule, &model) == start, "{rule}");
        }
    }

    #[test]
    fn integers_give_the_value_of_floats() {
        let mut random = Rng::with_seed(12);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let samples = samples(rule, &mut random);
            let network = RandomNetwork::new(rule, &mut random);
            let line = network.with(|model| LineNetwork::new(&quantize(rule, model)));
            let classical = WeightSet::<Hybrid>::default().of(rule).classical.clone();
            let weights = HybridWeights::new(classical, Some(Arc::new(line)));
            let mut differences = Vec::new();
            for sample in &samples.samples {
                let (size, moves) = samples.moves(sample);
                let mut position = Position::new(rule, size);
                moves.for_each(|point| position.play(point));
                let score = Hybrid::new(&weights, &position).evaluate(&position);
                let mut scratch = Scratch::default();
                let value =
                    network.with(|model| model.forward(&samples, sample, &mut scratch).value);
                let units = f64::from(value * Score::LOGIT);
                differences.push((f64::from(score.units()) - units).abs());
            }
            let mean = differences.iter().sum::<f64>() / differences.len() as f64;
            assert!(differences.len() > 50 && mean < 4.0, "{mean}");
        }
    }
}
