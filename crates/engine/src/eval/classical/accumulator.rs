//! The accumulator: embeddings summed over the empty points, kept up to date
//! with the moves of a position.

use super::embedding::{EMBEDDING_DIM, Embedding};
use super::weights::ClassicalWeights;
use crate::position::{PointState, Position};
use crate::rules::{Color, MAX_POINTS};
use wide::{i16x8, i32x4};

/// The sums of embeddings over the empty points, by colour.
#[derive(Clone, Copy, Default)]
pub(super) struct Accumulator([Sum; 2]);

/// A sum of embeddings: the even dimensions and the odd ones. That is the order
/// in which processors add up pairs of short integers.
type Sum = [i32x4; 2];

impl Accumulator {
    /// Returns the sum of a colour, dimension by dimension.
    #[inline]
    pub(super) fn sum(&self, color: Color) -> [i32; EMBEDDING_DIM] {
        let [even, odd] = self.0[color.index()];
        let (even, odd) = (even.to_array(), odd.to_array());
        std::array::from_fn(|dim| if dim % 2 == 0 { even } else { odd }[dim / 2])
    }

    /// Updates the sums for points that had the first of two states and have the
    /// second now.
    #[inline]
    fn update(
        mut self,
        changes: impl Iterator<Item = (PointState, PointState)>,
        weights: &ClassicalWeights,
    ) -> Accumulator {
        let [black, white] = weights
            .color_indices
            .map(|index| &weights.tables.code_embeddings[index]);
        const EVEN: i16x8 = i16x8::new([1, 0, 1, 0, 1, 0, 1, 0]);
        const ODD: i16x8 = i16x8::new([0, 1, 0, 1, 0, 1, 0, 1]);
        let add = |one: &Embedding, other: &Embedding| i16x8::new(*one) + i16x8::new(*other);
        let embeddings = |state: &PointState| {
            let pair = &weights.pair_embeddings[state.pair().number()];
            let [of_black, of_white] = state.codes;
            [
                add(&black[of_black.index()], &pair[0]),
                add(&white[of_white.index()], &pair[1]),
            ]
        };
        for (old, new) in changes {
            let (old, new) = (embeddings(&old), embeddings(&new));
            for ((sum, old), new) in self.0.iter_mut().zip(old).zip(new) {
                // `EMBEDDING_LIMIT` keeps the difference within an `i16`.
                let change = new - old;
                sum[0] += change.dot(EVEN);
                sum[1] += change.dot(ODD);
            }
        }
        self
    }
}

/// The accumulators of a position after its last moves, so that moves which were
/// taken back cost nothing.
///
/// A search evaluates few of the positions it visits: the transposition table
/// knows some, others have a forced move or are decided. So moves are added up
/// only when an evaluation is asked for.
pub(super) struct AccumulatorStack {
    /// The number of moves before the first entry.
    first_ply: usize,
    /// Entries for successive plies.
    entries: Vec<Entry>,
}

/// An accumulator and the key of its position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    accumulator: Accumulator,
}

impl AccumulatorStack {
    /// Creates a stack with an entry for `position`.
    pub(super) fn new(position: &Position, weights: &ClassicalWeights) -> AccumulatorStack {
        let mut stack = AccumulatorStack {
            first_ply: 0,
            entries: Vec::with_capacity(MAX_POINTS + 1),
        };
        stack.refresh(position, weights);
        stack
    }

    /// Computes the accumulator from the whole board and forgets all others.
    #[cold]
    fn refresh(&mut self, position: &Position, weights: &ClassicalWeights) -> Accumulator {
        let empty = (position.size().iter()).filter(|&point| position.is_empty(point));
        let states = empty.map(|point| (PointState::default(), position.state(point)));
        let accumulator = Accumulator::default().update(states, weights);
        self.first_ply = position.ply();
        self.entries.clear();
        self.entries.push(Entry {
            key: position.key(),
            accumulator,
        });
        accumulator
    }

    /// Returns the accumulator of `position`, updated from the latest entry that
    /// still holds.
    #[inline]
    pub(super) fn accumulator(
        &mut self,
        position: &Position,
        weights: &ClassicalWeights,
    ) -> Accumulator {
        let ply = position.ply();
        let latest = (self.first_ply..=ply).rev().find_map(|moves| {
            let entry = self.entries.get(moves - self.first_ply)?;
            (entry.key == position.key_after_moves(moves)).then_some((moves, entry.accumulator))
        });
        let Some((moves, mut accumulator)) = latest else {
            return self.refresh(position, weights);
        };
        for number in moves..ply {
            let changes = position.changes(number).iter();
            let states = changes.map(|change| (change.old, change.new));
            accumulator = accumulator.update(states, weights);
            let entry = Entry {
                key: position.key_after_moves(number + 1),
                accumulator,
            };
            match self.entries.get_mut(number + 1 - self.first_ply) {
                Some(outdated) => *outdated = entry,
                None => self.entries.push(entry),
            }
        }
        accumulator
    }
}
