//! Fitting move scores: softmax regression of the move the search chose among
//! all that it could have tried.

use super::adam::Problem;
use super::layout::{Layout, Parts};
use super::samples::{MoveSamples, MoveSlots};
use crate::rules::Rule;
use std::ops::Range;

/// Move scores, to be fitted to chosen moves.
pub struct MoveProblem<'a> {
    parts: Parts,
    training: &'a MoveSamples,
    validation: &'a MoveSamples,
}

impl<'a> MoveProblem<'a> {
    /// The problem of these samples.
    pub fn new(
        rule: Rule,
        training: &'a MoveSamples,
        validation: &'a MoveSamples,
    ) -> MoveProblem<'a> {
        MoveProblem {
            parts: Layout::of(rule).move_parts(),
            training,
            validation,
        }
    }

    /// In which share of the positions kept apart the best scored move is the
    /// one the search chose.
    pub fn agreement(&self, slots: &[f32]) -> f64 {
        let samples = self.validation;
        let agreed = (0..samples.len()).filter(|&index| {
            let mut scores = samples.moves(index).iter().map(|parts| score(parts, slots));
            let chosen = scores.next().unwrap_or(0.0);
            scores.all(|score| score < chosen)
        });
        agreed.count() as f64 / samples.len().max(1) as f64
    }
}

#[inline]
fn score(parts: &MoveSlots, slots: &[f32]) -> f32 {
    parts.iter().map(|&part| slots[part as usize]).sum()
}

/// The softmax of the moves' scores into `chances`; returns the loss of the
/// first.
#[inline]
fn softmax(moves: &[MoveSlots], slots: &[f32], chances: &mut Vec<f32>) -> f64 {
    chances.clear();
    chances.extend(moves.iter().map(|parts| score(parts, slots)));
    let top = chances.iter().copied().fold(f32::MIN, f32::max);
    let chosen = f64::from(chances[0] - top);
    let mut sum = 0.0;
    for chance in chances.iter_mut() {
        *chance = (*chance - top).exp();
        sum += *chance;
    }
    for chance in chances.iter_mut() {
        *chance /= sum;
    }
    f64::from(sum).ln() - chosen
}

impl Problem for MoveProblem<'_> {
    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn training(&self) -> usize {
        self.training.len()
    }

    fn validation(&self) -> usize {
        self.validation.len()
    }

    fn gradient(&self, samples: &[u32], weights: &[f32], gradient: &mut [f32]) -> f64 {
        let mut chances = Vec::new();
        let mut loss = 0.0;
        for &sample in samples {
            let moves = self.training.moves(sample as usize);
            loss += softmax(moves, weights, &mut chances);
            chances[0] -= 1.0;
            for (parts, &slope) in moves.iter().zip(&chances) {
                for &part in parts {
                    gradient[part as usize] += slope;
                }
            }
        }
        loss
    }

    fn losses(&self, samples: Range<usize>, weights: &[f32]) -> f64 {
        let mut chances = Vec::new();
        samples
            .map(|sample| softmax(self.validation.moves(sample), weights, &mut chances))
            .sum()
    }
}
