//! One thread of a search: its position, its evaluator and its memory.

use super::budget::NodeBudget;
use super::dead_board::{DeadBoard, dead_board};
use super::history::{History, Reciprocal};
use super::late_moves::LmpLimits;
use super::pv::PvTable;
use super::report::Report;
use super::stack::Stack;
use super::{Limits, Params, TranspositionTable};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::{Color, Point};
use crate::score::Score;
use crate::threats::ThreatStatus;
use std::sync::Arc;

/// The context that the threads of a search share.
pub(super) struct SearchContext<'a, E: Evaluator> {
    pub(super) position: &'a Position,
    pub(super) tt: &'a TranspositionTable,
    pub(super) weights: &'a Arc<E::Weights>,
    pub(super) params: &'a Params,
    pub(super) budget: &'a NodeBudget,
    pub(super) limits: &'a Limits,
}

impl<E: Evaluator> Clone for SearchContext<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Evaluator> Copy for SearchContext<'_, E> {}

/// The data that a thread keeps from one search to the next.
pub(super) struct ThreadData {
    pub(super) history: History,
    pub(super) pv: PvTable,
}

impl ThreadData {
    pub(super) fn new() -> ThreadData {
        ThreadData {
            history: History::new(),
            pv: PvTable::new(),
        }
    }
}

/// One thread's search. The files of this folder each add a part of it.
pub(super) struct SearchThread<'a, E: Evaluator> {
    pub(super) position: Position,
    pub(super) evaluator: E,
    pub(super) tt: &'a TranspositionTable,
    pub(super) history: &'a mut History,
    pub(super) pv: &'a mut PvTable,
    /// The caller, in the one thread that talks to it.
    pub(super) report: Option<&'a mut dyn Report>,
    pub(super) budget: &'a NodeBudget,
    pub(super) limits: &'a Limits,
    /// The draw rule's part of all keys of the table.
    draw_rule_key: u64,
    pub(super) params: &'a Params,
    pub(super) stack: Stack,
    /// Moves tried.
    pub(super) nodes: u64,
    /// The number of nodes at which quiescence stops trying fours.
    pub(super) fours_end: u64,
    /// The number of nodes at which the thread needs another portion.
    pub(super) next_poll: u64,
    /// The deepest ply that was reached.
    pub(super) seldepth: usize,
    pub(super) stopped: bool,
    /// The width of the root's window.
    pub(super) root_width: i32,
    pub(super) lmp_limits: LmpLimits,
    /// Weight of the history in the move order: for quiet moves, for threats.
    pub(super) order_history: [Reciprocal; 2],
    /// Weight of the continuation history in the move order.
    pub(super) order_continuation: Reciprocal,
}

impl<'a, E: Evaluator> SearchThread<'a, E> {
    pub(super) fn new(
        context: SearchContext<'a, E>,
        data: &'a mut ThreadData,
        report: Option<&'a mut dyn Report>,
    ) -> SearchThread<'a, E> {
        let params = context.params;
        SearchThread {
            evaluator: E::new(context.weights, context.position),
            position: context.position.clone(),
            tt: context.tt,
            history: &mut data.history,
            pv: &mut data.pv,
            report,
            budget: context.budget,
            limits: context.limits,
            draw_rule_key: context.limits.draw_rule.key(),
            params,
            stack: Stack::new(context.position),
            nodes: 0,
            fours_end: u64::MAX,
            next_poll: 0,
            seldepth: 0,
            stopped: false,
            root_width: 1,
            lmp_limits: LmpLimits::new(params),
            order_history: [params.order_history, params.order_threat_history].map(Reciprocal::new),
            order_continuation: Reciprocal::new(params.order_continuation_history),
        }
    }

    /// Returns whether the search must end now.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let nodes = self.total_nodes();
        if (self.report.as_mut()).is_some_and(|report| report.stop(nodes)) {
            self.budget.stop();
        }
        self.next_poll += self.budget.take();
        self.stopped = self.nodes >= self.next_poll;
    }

    /// Moves tried by all threads. Those of other threads count as soon as they
    /// have taken a portion.
    pub(super) fn total_nodes(&self) -> u64 {
        (self.budget.taken() + self.nodes).saturating_sub(self.next_poll)
    }

    /// The key under which the table has the position.
    #[inline]
    pub(super) fn position_key(&self) -> u64 {
        self.position.key() ^ self.draw_rule_key
    }

    /// Plays `point` from the node at `ply`.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, point: Point) {
        let key = self.position.key_after(point) ^ self.draw_rule_key;
        self.tt.prefetch(key);
        let class = self.position.class(self.position.side(), point);
        let entry = &mut self.stack[ply];
        entry.point = point;
        entry.class = class;
        self.nodes += 1;
        self.position.play(point);
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
    }

    /// The score of a node at `ply` that needs no search.
    #[inline]
    pub(super) fn known_score(&self, status: ThreatStatus, ply: usize) -> Option<Score> {
        match status {
            ThreatStatus::Win(plies) if plies <= self.moves_left() => {
                Some(Score::win_at(ply + plies))
            }
            // A five that comes too late is none.
            ThreatStatus::Win(_) => Some(self.draw_score(ply)),
            ThreatStatus::Loss(plies) => Some(self.score_of_loss(ply, plies)),
            _ => {
                let is_over = self.moves_left() == 0 || self.position.empty_points() == 0;
                if is_over {
                    return Some(self.draw_score(ply));
                }
                dead_board(&self.position).map(|end| self.score_of_dead_board(end, ply))
            }
        }
    }

    /// The score of a node at `ply` where no five is possible.
    #[cold]
    fn score_of_dead_board(&self, end: DeadBoard, ply: usize) -> Score {
        // Black's last move is to the forbidden point; the loss counts as if white made a five
        // after it.
        let plies = self.position.empty_points() + 1;
        match end {
            DeadBoard::BlackFouls if plies <= self.moves_left() => {
                if self.position.side() == Color::Black {
                    Score::loss_at(ply + plies)
                } else {
                    Score::win_at(ply + plies)
                }
            }
            _ => self.draw_score(ply),
        }
    }

    /// The plies until the game ends by its rule of drawing.
    #[inline]
    pub(super) fn moves_left(&self) -> usize {
        let draw_rule = &self.limits.draw_rule;
        draw_rule.max_moves.saturating_sub(self.position.ply())
    }

    /// The score at `ply` of a loss in `plies` more; of a draw, if the game ends before.
    #[inline]
    pub(super) fn score_of_loss(&self, ply: usize, plies: usize) -> Score {
        if plies <= self.moves_left() {
            Score::loss_at(ply + plies)
        } else {
            self.draw_score(ply)
        }
    }

    /// The score at `ply` of a game that ends without a five.
    #[cold]
    fn draw_score(&self, ply: usize) -> Score {
        let end = ply + self.moves_left().min(self.position.empty_points());
        match self.limits.draw_rule.winner {
            None => Score::ZERO,
            Some(winner) if winner == self.position.side() => Score::win_at(end),
            Some(_) => Score::loss_at(end),
        }
    }

    /// The static eval of the node at `ply`. Where the opponent's threat must
    /// be answered an evaluation says little; the parent's static eval, seen
    /// from the other side, says more.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize, status: ThreatStatus) -> Score {
        if ply > 0 && matches!(status, ThreatStatus::OnlyMove(_) | ThreatStatus::MustDefend) {
            -self.stack.before(ply, 1).static_eval
        } else {
            self.evaluator.evaluate(&self.position)
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::MoveScore;
    use crate::rules::{BoardSize, Rule};

    /// An evaluator to which all positions are even and all moves are alike.
    pub(in crate::search) struct Even;

    impl Evaluator for Even {
        type Weights = ();

        fn built_in(_: Rule) {}

        fn new(_: &Arc<()>, _: &Position) -> Even {
            Even
        }

        fn evaluate(&mut self, _: &Position) -> Score {
            Score::ZERO
        }

        fn score_moves(&mut self, _: &Position, _: &[Point], _: &mut [MoveScore]) {}
    }

    /// Runs `test` on a thread that searches the position after `moves` on the
    /// default board.
    pub(in crate::search) fn on_thread(
        rule: Rule,
        moves: &str,
        test: impl FnOnce(&mut SearchThread<'_, Even>),
    ) {
        let position = Position::from_moves(rule, BoardSize::default(), moves);
        let context = SearchContext {
            position: &position.expect("a position"),
            tt: &TranspositionTable::new(1 << 16),
            weights: &Arc::new(()),
            params: &Params::of(rule),
            budget: &NodeBudget::new(100_000),
            limits: &Limits::default(),
        };
        test(&mut SearchThread::new(
            context,
            &mut ThreadData::new(),
            None,
        ));
    }
}
