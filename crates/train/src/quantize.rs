//! From the integers of evaluation tables to the parameters of a fit, and back.

use super::layout::ParameterLayout;
use fastrand::Rng;
use quincunx_engine::eval::{
    EMBEDDING_DIM, EMBEDDING_LIMIT, EMBEDDING_SCALE, Embedding, EvalTables, HEAD_INPUTS,
    HEAD_SCALE, HEAD_WEIGHTS, HIDDEN_UNITS, OPPONENT, SIDE_TO_MOVE, THREAT_SETS,
};
use quincunx_engine::pattern::{ClassPair, Code};
use quincunx_engine::rules::Color;
use quincunx_engine::score::Score;

/// The largest absolute value of a set of threats, in units.
const THREAT_LIMIT: i16 = 2_000;

/// The largest absolute value of a part of a move score, in units.
const MOVE_LIMIT: i16 = 3_000;

/// How parameters in logits are scaled to integers when a logit of value is a
/// number of units.
#[derive(Clone, Copy)]
struct ValueScale {
    value_units: f32,
}

impl ValueScale {
    /// Returns the scale of embeddings.
    fn embedding(self) -> f32 {
        self.value_units * EMBEDDING_SCALE as f32
    }

    /// Returns the scale of a weight of a value head. The evaluation takes the sums
    /// of embeddings to be at [`Score::LOGIT`] units a logit; weights make up for
    /// the difference.
    fn head(self, index: usize) -> f32 {
        let stretch = self.value_units / Score::LOGIT;
        HEAD_SCALE
            * match index / HIDDEN_UNITS {
                input if input < 2 * EMBEDDING_DIM => 1.0 / stretch,
                HEAD_INPUTS => stretch,
                _ => 1.0,
            }
    }
}

/// Returns the value's parameters for `tables`, in logits of `value_units`.
pub fn value_parameters(tables: &EvalTables, value_units: f32) -> Vec<f32> {
    let layout = ParameterLayout::of(tables.rule);
    let scale = ValueScale { value_units };
    let mut parameters = vec![0.0; layout.value_factors().parameters()];
    for color in Color::ALL {
        let index = color.index();
        for (number, embedding) in embeddings(layout, color, tables) {
            let first = number * EMBEDDING_DIM;
            for (parameter, &part) in parameters[first..].iter_mut().zip(embedding) {
                *parameter = f32::from(part) / scale.embedding();
            }
        }
        for set in 0..THREAT_SETS {
            let value = tables.threats[index][set];
            parameters[layout.threats(color, set)] = f32::from(value) / value_units;
        }
        for (number, &weight) in tables.heads[index].iter().enumerate() {
            parameters[layout.head(color) + number] = f32::from(weight) / scale.head(number);
        }
    }
    parameters
}

/// Returns the embeddings of `color` that are fitted, with their numbers in the
/// layout.
fn embeddings(
    layout: ParameterLayout,
    color: Color,
    tables: &EvalTables,
) -> impl Iterator<Item = (usize, &Embedding)> {
    let index = color.index();
    let codes = Code::all().map(move |code| {
        let embedding = &tables.code_embeddings[index][code.index()];
        (layout.code_embedding(color, code), embedding)
    });
    let pairs = ClassPair::informative().map(move |pair| {
        let embedding = &tables.pair_embeddings[index][pair.index()];
        (layout.pair_embedding(color, pair), embedding)
    });
    codes.chain(pairs)
}

/// Replaces the value's parameters for a value head of zeros by small random
/// numbers. Without them the gradient of the network would be zero.
pub(crate) fn randomize_zero_head(tables: &EvalTables, seed: u64, parameters: &mut [f32]) {
    let mut weights = tables.heads.iter().flat_map(|head| head.iter());
    if weights.any(|&weight| weight != 0) {
        return;
    }
    let layout = ParameterLayout::of(tables.rule);
    let mut rng = Rng::with_seed(seed);
    let mut uniform = |width: f32| (rng.f32() - 0.5) * width;
    let linear = [SIDE_TO_MOVE, OPPONENT];
    for &color in &Color::ALL[..layout.colors()] {
        for code in Code::all().skip(1) {
            let first = layout.code_embedding(color, code) * EMBEDDING_DIM;
            for dimension in (0..EMBEDDING_DIM).filter(|dimension| !linear.contains(dimension)) {
                parameters[first + dimension] = uniform(0.05);
            }
        }
        let head = &mut parameters[layout.head(color)..][..HEAD_WEIGHTS];
        let (hidden_weights, output_weights) = head.split_at_mut(HEAD_INPUTS * HIDDEN_UNITS);
        hidden_weights.fill_with(|| uniform(0.5));
        output_weights.fill_with(|| uniform(0.2));
    }
}

/// Writes the value's parameters, in logits of `value_units`, to `tables`.
pub(crate) fn store_value(parameters: &[f32], value_units: f32, tables: &mut EvalTables) {
    let layout = ParameterLayout::of(tables.rule);
    let scale = ValueScale { value_units };
    for color in Color::ALL {
        let index = color.index();
        let store = |number: usize, embedding: &mut Embedding| {
            let first = number * EMBEDDING_DIM;
            for (part, parameter) in embedding.iter_mut().zip(&parameters[first..]) {
                *part = quantize(parameter * scale.embedding(), EMBEDDING_LIMIT);
            }
        };
        for code in Code::all() {
            let embedding = &mut tables.code_embeddings[index][code.index()];
            store(layout.code_embedding(color, code), embedding);
        }
        for pair in ClassPair::informative() {
            let embedding = &mut tables.pair_embeddings[index][pair.index()];
            store(layout.pair_embedding(color, pair), embedding);
        }
        for set in 0..THREAT_SETS {
            let parameter = parameters[layout.threats(color, set)];
            tables.threats[index][set] = quantize(parameter * value_units, THREAT_LIMIT);
        }
        for (number, weight) in tables.heads[index].iter_mut().enumerate() {
            let parameter = parameters[layout.head(color) + number];
            *weight = quantize(parameter * scale.head(number), i16::MAX);
        }
    }
}

/// Returns the policy's parameters for `tables`, in logits of `move_units`.
pub(crate) fn policy_parameters(tables: &mut EvalTables, move_units: f32) -> Vec<f32> {
    let layout = ParameterLayout::of(tables.rule);
    let mut parameters = vec![0.0; layout.policy_factors().parameters()];
    for_each_move_weight(tables, |index, weight| {
        parameters[index] = f32::from(*weight) / move_units;
    });
    parameters
}

/// Writes the policy's parameters, in logits of `move_units`, to `tables`.
pub(crate) fn store_policy(parameters: &[f32], move_units: f32, tables: &mut EvalTables) {
    for_each_move_weight(tables, |index, weight| {
        *weight = quantize(parameters[index] * move_units, MOVE_LIMIT);
    });
}

/// Calls `visit` with every weight of move scores and the index of its parameter.
fn for_each_move_weight(tables: &mut EvalTables, mut visit: impl FnMut(usize, &mut i16)) {
    let layout = ParameterLayout::of(tables.rule);
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            let attack = &mut tables.attack[index][code.index()];
            visit(layout.attack(color, code), attack);
            let defence = &mut tables.defence[index][code.index()];
            visit(layout.defence(color, code), defence);
        }
        for pair in ClassPair::all() {
            let bonus = &mut tables.attack_defence[index][pair.index()];
            visit(layout.attack_defence(color, pair), bonus);
        }
        for (whose, weights) in tables.distance[index].iter_mut().enumerate() {
            for (bucket, weight) in weights.iter_mut().enumerate() {
                visit(layout.distance(color, whose, bucket), weight);
            }
        }
    }
}

fn quantize(number: f32, limit: i16) -> i16 {
    let limit = f32::from(limit);
    number.round().clamp(-limit, limit) as i16
}
