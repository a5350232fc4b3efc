//! The order of moves: how generated moves are ranked, and what the histories
//! learn from the moves that were searched.

use super::history::{LastStones, MoveKey, history_bonus};
use super::movegen::candidates;
use super::node::Node;
use super::picker::MoveList;
use super::search_thread::SearchThread;
use crate::eval::{Evaluator, MoveScore};
use crate::rules::{MAX_POINTS, Point};
use crate::threats::ThreatStatus;
use arrayvec::ArrayVec;

/// Scores for the evaluator to write over.
static UNSCORED: [MoveScore; MAX_POINTS] = [MoveScore::new(0); MAX_POINTS];

impl<E: Evaluator> SearchThread<'_, E> {
    /// The key of the move to `point` in the histories.
    #[inline]
    pub(super) fn move_key(&self, point: Point) -> MoveKey {
        let color = self.position.side();
        MoveKey {
            color,
            is_threat: self.position.class(color, point).is_threat(),
            point,
        }
    }

    /// The last stones of both sides before the node at `ply`, as continuation
    /// history sees them.
    #[inline]
    pub(super) fn last_stones(&self, ply: usize) -> LastStones {
        LastStones::new([self.stack.their_last(ply), self.stack.own_last(ply)])
    }

    /// Asks the evaluator for the scores of moves to `points`.
    #[inline]
    pub(super) fn score_moves(
        &mut self,
        points: &[Point],
        scores: &mut ArrayVec<MoveScore, MAX_POINTS>,
    ) {
        // Always fits. A copy is cheaper than a push for each move.
        _ = scores.try_extend_from_slice(&UNSCORED[..points.len()]);
        (self.evaluator).score_moves(&self.position, points, scores);
    }

    /// Generates the moves of the node at `ply`. Their order is the move score
    /// with history and bonuses for the counter move and killers.
    pub(super) fn generate_moves(
        &mut self,
        status: ThreatStatus,
        ply: usize,
        moves: &mut MoveList,
    ) {
        let mut points = ArrayVec::<Point, MAX_POINTS>::new();
        (candidates(&self.position, status).iter()).for_each(|point| points.push(point));
        self.score_moves(&points, &mut moves.scores);
        let previous = self.stack.before(ply, 1).point;
        let counter_move = self.history.counter_move(self.position.side(), previous);
        let killers = self.stack[ply].killers;
        let last_stones = self.last_stones(ply);
        moves.rank(&points, |point, score| {
            let key = self.move_key(point);
            let main = self.history.main(key);
            let continuation = self.history.continuation(key, last_stones);
            let mut order = score.units()
                + self.order_history[usize::from(key.is_threat)].times(main)
                + self.order_continuation.times(continuation);
            if point == counter_move {
                order += self.params.order_counter;
            }
            if killers.contains(&point) {
                order += self.params.order_killer;
            }
            order
        });
    }

    /// Learns that `best` was the best move of a node, and that `failed` were
    /// not.
    pub(super) fn learn(&mut self, node: Node, best: Point, failed: &[Point]) {
        let Node { depth, ply, .. } = node;
        let bonus = history_bonus(depth, self.params);
        let last_stones = self.last_stones(ply);
        let best_key = self.move_key(best);
        // What answers a threat says little of quiet moves elsewhere.
        let is_quiet = !best_key.is_threat && node.status == ThreatStatus::Quiet;
        if best_key.is_threat || is_quiet {
            self.history.update(best_key, last_stones, bonus);
        }
        for &point in failed {
            let key = self.move_key(point);
            if key.is_threat || is_quiet {
                self.history.update(key, last_stones, -bonus);
            }
        }
        let previous = self.stack.before(ply, 1).point;
        self.history
            .set_counter_move(best_key.color, previous, best);
        let killers = &mut self.stack[ply].killers;
        if is_quiet && killers[0] != best {
            *killers = [best, killers[0]];
        }
    }

    /// Learns that the table's move caused, or did not cause, a cutoff.
    pub(super) fn learn_from_tt_cutoff(&mut self, node: Node, tt_move: Point, failed_high: bool) {
        if tt_move == Point::NONE || node.status != ThreatStatus::Quiet {
            return;
        }
        let key = self.move_key(tt_move);
        if !key.is_threat {
            let bonus = history_bonus(node.depth, self.params);
            let bonus = if failed_high { bonus } else { -bonus };
            self.history.update_main(key, bonus);
        }
    }
}
