//! Pruning of whole nodes: the score of a quiet node that needs no search of
//! its moves.

use super::depth::PLY;
use super::node::Node;
use super::search_thread::SearchThread;
use crate::eval::Evaluator;
use crate::pattern::Class;
use crate::rules::Point;
use crate::score::{Score, Window};

impl<E: Evaluator> SearchThread<'_, E> {
    /// The score of a node that razoring, futility or a null move prunes.
    pub(super) fn prune(&mut self, window: Window, node: Node) -> Option<Score> {
        if self.is_razored(window, node) {
            let beta = if self.position.rule().fives_can_be_closed() {
                // Under caro, quiescence chooses among the answers to a four, which needs alpha
                // below beta.
                window.beta
            } else {
                // A null window, but no evaluation is a win: if alpha is one, beta is below it.
                (window.alpha + 1).min(Score::MAX_EVAL)
            };
            return Some(self.qsearch(Window { beta, ..window }, 0, node.ply));
        }
        if window.beta.is_loss() {
            return None;
        }
        if self.is_futile(window, node) {
            return Some(node.eval);
        }
        if self.stack[node.ply].excluded != Point::NONE {
            return None;
        }
        self.null_move(window, node)
    }

    /// Returns whether the evaluation is so far below alpha that only fours can help.
    fn is_razored(&self, window: Window, node: Node) -> bool {
        let params = self.params;
        let margin = params.razor_margin + params.razor_slope * node.depth / PLY;
        node.depth < params.razor_depth
            && (!window.alpha.is_win() || !node.in_tt)
            && node.eval + margin < window.alpha
    }

    /// Returns whether the evaluation is so far above beta that the moves need not be
    /// searched.
    fn is_futile(&self, window: Window, node: Node) -> bool {
        let params = self.params;
        let mut margin = params.futility_margin;
        if node.cut_node && !node.in_tt {
            margin -= params.futility_no_tt;
        }
        let mut depth = node.depth - PLY;
        if node.improving {
            depth -= params.futility_improving;
        }
        let margin = (margin * depth / PLY).max(0);
        node.eval - margin >= window.beta && !self.is_chain_of_fours(node.ply)
    }

    /// Returns whether the last moves of the side to move were fours: what they are
    /// worth shows only at the end of the line.
    fn is_chain_of_fours(&self, ply: usize) -> bool {
        self.stack.before(ply, 2).class.is_four() && self.stack.before(ply, 4).class.is_four()
    }

    /// The score after a null move, if that fails high.
    fn null_move(&mut self, window: Window, node: Node) -> Option<Score> {
        let Node { depth, ply, .. } = node;
        let params = self.params;
        let beta = window.beta;
        let slope = (params.null_move_slope * depth / PLY).min(params.null_move_slope_max);
        if depth < params.null_move_depth
            || node.eval < beta
            || beta.is_decided()
            || self.stack[ply].static_eval < beta + params.null_move_margin - slope
            || self.stack.before(ply, 1).point == Point::NONE
        {
            return None;
        }
        let scaled = params.null_move_reduction_scale * depth / PLY;
        let reduced = depth - params.null_move_reduction - scaled;
        let entry = &mut self.stack[ply];
        entry.point = Point::NONE;
        entry.class = Class::default();
        self.position.pass();
        let null_window = -Window::below(beta);
        let score = -self.alphabeta::<false>(null_window, reduced, ply + 1, !node.cut_node);
        self.position.undo();
        (score >= beta && !self.stopped).then_some(if score.is_decided() { beta } else { score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;
    use crate::search::search_thread::tests::on_thread;
    use crate::threats::ThreatStatus;

    /// White can stop the four i8 at j8, after which black wins, or at k8, which makes a
    /// four. Where alpha was a win, the second was once not tried.
    #[test]
    fn caro_tries_every_answer_to_a_four() {
        on_thread(Rule::Caro, "f8e8g8k9h8k10i6k11i7a15k12o15", |thread| {
            let node = Node::new(PLY, 0, true, ThreatStatus::Quiet);
            let window = Window::below(Score::win_at(24));
            let score = thread.prune(window, node);
            assert!(score.is_some_and(|score| !score.is_win()), "{score:?}");
        });
    }
}
