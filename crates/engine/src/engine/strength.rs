//! Playing below full strength: moves at first sight.
//!
//! Such a move is one of those that look about as good as the best. Each is played as
//! often as it is likely to be the best by the evaluation's move scores. The scores were
//! fitted to the choices of searches, so the move is weak but never absurd.

use super::level::Level;
use super::request::BestMove;
use super::runner::Runner;
use crate::position::Position;
use crate::rules::Point;
use crate::threats::{ThreatStatus, threat_status};

/// The units of move score in a logit.
const LOGIT: f64 = 60.0;

/// Moves less likely than the best by more than this are not played at first
/// sight.
const NEAR: i32 = 180;

impl Runner<'_, '_> {
    /// The move of a player of this level.
    pub(super) fn move_at(&mut self, level: Level) -> Option<BestMove> {
        let mut random = fastrand::Rng::with_seed(level.seed ^ self.task.position.key());
        if random.f64() < level.haste()
            && let Some(point) = self.first_sight(level, &mut random)
        {
            return Some(BestMove::unsearched(point));
        }
        self.best_move(level.nodes())
    }

    /// A move without any search. `None` if the player sees a reason for one: a five of
    /// its own, or a win of the opponent against every move that looks good.
    fn first_sight(&self, level: Level, random: &mut fastrand::Rng) -> Option<Point> {
        let mut position = self.task.position.clone();
        let sight = level.sight();
        match threat_status(&mut position) {
            // Even the weakest player sees a five of its own.
            ThreatStatus::Win(plies) if plies <= sight.max(1) => return None,
            ThreatStatus::Loss(_) => return None,
            _ => (),
        }
        let mut moves = self.near_best(&mut position);
        loop {
            let index = draw(&moves, random)?;
            let (point, _) = moves.swap_remove(index);
            position.play(point);
            let loses =
                matches!(threat_status(&mut position), ThreatStatus::Win(plies) if plies <= sight);
            position.undo();
            if !loses {
                return Some(point);
            }
        }
    }

    /// The moves that look about as good as the best, with their weights.
    fn near_best(&self, position: &mut Position) -> Vec<(Point, f64)> {
        let evaluator = self.evaluator(position);
        let points = self.moves(position);
        let moves = evaluator.moves(position);
        let score = |point| moves.of(point).units();
        let best = points.iter().map(|&point| score(point)).max().unwrap_or(0);
        let behind = |point| best - score(point);
        (points.into_iter())
            .filter(|&point| behind(point) <= NEAR)
            .map(|point| (point, (f64::from(-behind(point)) / LOGIT).exp()))
            .collect()
    }
}

/// The index of a random move, drawn with probabilities proportional to the weights.
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
