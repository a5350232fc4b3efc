//! Playing worse than one could: levels for people to play against.
//!
//! A weak player does not calculate every move, looks at little when it does,
//! and sees only near threats. So a level is made of three things: how often a
//! move is played at first sight, how many nodes a search may take, and how far
//! threats are seen at first sight. A first sight takes one of the moves that
//! look about as good as the best, as often as it is likely to be the best by
//! the evaluation's move scores: those were fitted to what searches chose, so
//! that such a move is weak but never absurd.

use super::study::Study;
use super::task::Choice;
use crate::eval::Classical;
use crate::position::Position;
use crate::rules::Point;
use crate::threats::{Outlook, outlook};

/// Units of move score of one logit.
const LOGIT: f64 = 60.0;

/// Moves less likely than the best by more than this are not played at first
/// sight.
const NEAR: i32 = 180;

/// The level at which nothing is held back.
const FULL: i64 = 100;

/// How well to play, from 0 (a beginner) up to less than 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    strength: u32,
    seed: u64,
}

impl Level {
    /// The level of this strength; `None` where nothing is held back. The same
    /// seed gives the same moves.
    pub(super) fn new(strength: i64, seed: u64) -> Option<Level> {
        let strength = strength.max(0);
        (strength < FULL).then_some(Level {
            strength: strength as u32,
            seed,
        })
    }

    /// The most nodes of a search: twice as many every eight levels.
    fn nodes(self) -> u64 {
        let part = u64::from(self.strength % 8);
        (2 << (self.strength / 8)) * (8 + part)
    }

    /// How likely a move is played at first sight.
    fn haste(self) -> f64 {
        let held_back = 1.0 - f64::from(self.strength) / FULL as f64;
        held_back * held_back
    }

    /// How many plies ahead a five is seen at first sight: the next move's, an
    /// open four's, a four-three's.
    fn sight(self) -> usize {
        match self.strength {
            0..5 => 0,
            5..20 => 1,
            20..50 => 3,
            _ => 5,
        }
    }
}

impl Study<'_, '_> {
    /// A move as a player of this level makes it.
    pub(super) fn move_at(&mut self, level: Level) -> Option<Choice> {
        let mut random = fastrand::Rng::with_seed(level.seed ^ self.job.position.key());
        if random.f64() < level.haste()
            && let Some(point) = self.first_sight(level, &mut random)
        {
            let thought = None;
            return Some(Choice { point, thought });
        }
        self.best_move(level.nodes())
    }

    /// A move without any search, unless something is in sight that takes
    /// thought: a five to be made, or one that the opponent makes whatever
    /// looks good.
    fn first_sight(&self, level: Level, random: &mut fastrand::Rng) -> Option<Point> {
        let mut position = self.job.position.clone();
        let sight = level.sight();
        match outlook(&mut position) {
            // Nobody misses a five of one's own.
            Outlook::Win(plies) if plies <= sight.max(1) => return None,
            Outlook::Loss(_) => return None,
            _ => (),
        }
        let mut moves = self.near_best(&mut position);
        loop {
            let index = draw(&moves, random)?;
            let (point, _) = moves.swap_remove(index);
            position.play(point);
            let loses = matches!(outlook(&mut position), Outlook::Win(plies) if plies <= sight);
            position.undo();
            if !loses {
                return Some(point);
            }
        }
    }

    /// The moves that look about as good as the best, with their chances.
    fn near_best(&self, position: &mut Position) -> Vec<(Point, f64)> {
        let evaluator = Classical::new(position);
        let points = self.moves(position);
        let moves = evaluator.moves(position);
        let score = |point| moves.of(point);
        let best = points.iter().map(|&point| score(point)).max().unwrap_or(0);
        let behind = |point| best - score(point);
        (points.into_iter())
            .filter(|&point| behind(point) <= NEAR)
            .map(|point| (point, (f64::from(-behind(point)) / LOGIT).exp()))
            .collect()
    }
}

/// The index of one of the moves, each as likely as it says.
fn draw(moves: &[(Point, f64)], random: &mut fastrand::Rng) -> Option<usize> {
    let all: f64 = moves.iter().map(|(_, chance)| chance).sum();
    let mut left = random.f64() * all;
    let found = moves.iter().position(|(_, chance)| {
        left -= chance;
        left <= 0.0
    });
    found.or(moves.len().checked_sub(1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_order() {
        let level = |strength| Level::new(strength, 7).unwrap();
        for strength in 1..FULL {
            let (lower, higher) = (level(strength - 1), level(strength));
            assert!(lower.nodes() < higher.nodes(), "{strength}");
            assert!(lower.haste() > higher.haste(), "{strength}");
            assert!(lower.sight() <= higher.sight(), "{strength}");
        }
        assert_eq!(level(-5), level(0));
        assert_eq!(Level::new(FULL, 7), None);
        assert_eq!(Level::new(i64::MAX, 7), None);
    }

    #[test]
    fn likelier_moves_are_drawn_more_often() {
        let moves = [0.1, 0.6, 0.3].map(|chance| (Point::NONE, chance));
        let mut random = fastrand::Rng::with_seed(3);
        let mut drawn = [0; 3];
        for _ in 0..1000 {
            drawn[draw(&moves, &mut random).unwrap()] += 1;
        }
        assert!(drawn[0] < 150 && drawn[1] > 500, "{drawn:?}");
        assert!((200..400).contains(&drawn[2]), "{drawn:?}");
        assert_eq!(draw(&[], &mut random), None);
    }
}
