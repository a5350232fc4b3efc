//! Moves that are searched less deep, or not at all: late-move pruning and
//! reductions, and internal iterative reductions.

use super::depth::{Depth, PLY};
use super::late_moves::{ln_moves, ln_plies};
use super::move_info::MoveInfo;
use super::node::Node;
use super::search_thread::SearchThread;
use super::tt_entry::TtEntry;
use crate::eval::Evaluator;
use crate::rules::{Color, Point, Rule};
use crate::score::{Score, Window};
use crate::threats::ThreatStatus;

impl<E: Evaluator> SearchThread<'_, E> {
    /// The internal iterative reduction of a node whose best move is not known,
    /// or not from a deep search.
    pub(super) fn iir<const PV: bool>(&self, node: Node, entry: Option<TtEntry>) -> Depth {
        let params = self.params;
        let mut reduction = 0;
        if node.tt_move == Point::NONE {
            if PV {
                reduction += params.iir_pv;
            }
            if node.depth >= params.iir_depth {
                reduction += params.iir_reduction;
            }
        } else if PV
            && node.depth > PLY
            && let Some(entry) = entry
        {
            let missing = (node.depth - entry.depth).max(0);
            reduction += (params.tt_depth_reduction_scale * missing / PLY)
                .min(params.tt_depth_reduction_max);
        }
        reduction
    }

    /// The number of the move at which late-move pruning ends the node.
    pub(super) fn lmp_limit(&self, node: Node) -> usize {
        let limit = self.lmp_limits.at(node.depth);
        if node.improving {
            limit
        } else {
            limit * self.params.lmp_not_improving as usize / 64
        }
    }

    /// Returns whether a move is not worth a search, to judge by what it makes and
    /// prevents and by its move score.
    pub(super) fn is_move_pruned(&self, node: Node, info: MoveInfo) -> bool {
        let params = self.params;
        if node.depth < params.shapeless_pruning_depth {
            let is_far_answer = node.status == ThreatStatus::MustDefend
                && !info.prevents.is_four()
                && info.is_far();
            if info.is_shapeless() || is_far_answer {
                return true;
            }
        }
        let limit =
            params.move_score_pruning_base + params.move_score_pruning_slope * node.depth / PLY;
        info.score_gap > limit && !info.makes.is_four()
    }

    /// Returns whether the node is expected to fail high, to judge by its evaluation.
    pub(super) fn likely_fail_high<const PV: bool>(&self, window: Window, node: Node) -> bool {
        let params = self.params;
        let threat = if node.status == ThreatStatus::Quiet {
            0
        } else {
            params.fail_high_threat
        };
        let margin = params.fail_high_margin + params.fail_high_slope * (node.depth / PLY) + threat;
        !PV && node.cut_node && node.eval >= window.beta + margin
    }

    /// The extension, or below zero the reduction, of a move at a node that is
    /// expected to fail high: only chains of fours are searched to their end.
    pub(super) fn fail_high_extension(&self, ply: usize, info: MoveInfo) -> Depth {
        if !info.makes.is_four() {
            -self.params.fail_high_reduction
        } else if self.stack.before(ply, 2).class.is_four() {
            PLY
        } else {
            0
        }
    }

    /// The reduction of the moves that follow one that raised alpha to `score`.
    pub(super) fn alpha_raise_reduction(&self, depth: Depth, score: Score) -> Depth {
        let params = self.params;
        let is_in_range =
            depth > params.alpha_raise_min_depth && depth < params.alpha_raise_max_depth;
        if is_in_range && !score.is_decided() {
            params.alpha_raise_reduction
        } else {
            0
        }
    }

    /// The change of depth for a second search of a late move that turned out
    /// better than alpha when it was reduced.
    pub(super) fn research_change(
        &self,
        depth: Depth,
        reduced: Depth,
        above_alpha: i32,
        above_best: i32,
    ) -> Depth {
        let params = self.params;
        let plies = (depth - reduced) / PLY;
        let mut change = 0;
        if above_alpha > params.lmr_deeper_margin + params.lmr_deeper_slope * plies {
            change += PLY;
        }
        if above_alpha > params.lmr_deepest_margin + params.lmr_deepest_slope * plies {
            change += PLY;
        }
        if above_best < depth / PLY {
            change -= PLY;
        }
        change
    }

    /// The late-move reduction.
    pub(super) fn lmr<const PV: bool>(&self, window: Window, node: Node, info: MoveInfo) -> Depth {
        let params = self.params;
        let logs = ln_plies(node.depth) * ln_moves(info.number) / 1024;
        let mut reduction = logs * params.lmr_scale / (1024 * 1024 / PLY);
        if PV {
            let share = window.width().min(self.root_width) * params.lmr_window;
            reduction = (reduction - share / self.root_width.max(1)).max(0);
        } else if !node.improving && reduction > PLY {
            reduction += params.lmr_not_improving;
        }
        if self.stack[node.ply].tt_pv {
            reduction -= params.lmr_tt_pv;
        }
        reduction += self.lmr_by_place(node, info) + self.lmr_by_shape(info);
        reduction += (info.score_gap * params.lmr_move_score / 1024).min(params.lmr_move_score_max);
        reduction - self.lmr_history(node.ply, info)
    }

    /// The part of the late-move reduction that history takes off.
    fn lmr_history(&self, ply: usize, info: MoveInfo) -> Depth {
        let params = self.params;
        let key = self.move_key(info.point);
        let continuation = self.history.continuation(key, self.last_stones(ply));
        let history = self.history.total(key.color, key.point)
            + continuation * params.lmr_continuation_history / 64
            - params.lmr_history_offset;
        history * PLY / params.lmr_history
    }

    /// The part of the late-move reduction that comes from where a move is: a
    /// killer, an answer far from the threat, or one more move of an attack.
    fn lmr_by_place(&self, node: Node, info: MoveInfo) -> Depth {
        let params = self.params;
        let mut reduction = 0;
        let is_threatened = node.status != ThreatStatus::Quiet;
        let is_killer = !is_threatened
            && !info.makes.is_threat()
            && self.stack[node.ply].killers.contains(&info.point);
        if node.cut_node && !is_killer {
            reduction += params.lmr_cut_node;
        }
        if is_threatened && !info.prevents.is_four() {
            if info.from_theirs > MoveInfo::FAR {
                reduction += params.lmr_far_from_theirs;
            }
            if info.from_own > MoveInfo::FAR {
                reduction += params.lmr_far_from_own;
            }
        }
        if !is_threatened
            && self.stack.before(node.ply, 2).class.is_threat()
            && (info.makes.is_threat()
                || info.from_own <= MoveInfo::FAR && info.makes.builds_attack())
        {
            reduction -= params.lmr_attack;
        }
        reduction
    }

    /// The part of the late-move reduction that comes from how little a move
    /// makes and prevents.
    fn lmr_by_shape(&self, info: MoveInfo) -> Depth {
        let params = self.params;
        let is_false_forbidden = self.position.rule() == Rule::Renju
            && self
                .position
                .class(Color::Black, info.point)
                .may_be_forbidden();
        if is_false_forbidden {
            -params.lmr_false_forbidden
        } else if info.is_shapeless() {
            if info.is_far() {
                params.lmr_shapeless_far
            } else {
                params.lmr_shapeless
            }
        } else if !info.makes.builds_attack() && !info.prevents.is_threat() {
            params.lmr_weak
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::picker::PickedMove;
    use crate::search::search_thread::tests::on_thread;

    const WINDOW: Window = Window {
        alpha: Score::ZERO,
        beta: Score::MAX_EVAL,
    };

    fn node(plies: Depth) -> Node {
        Node::new(plies * PLY, 0, false, ThreatStatus::Quiet)
    }

    /// A point far from everything, and one beside the stones.
    const SHAPELESS: Point = Point::new(13, 13);
    const NEIGHBOUR: Point = Point::new(7, 6);

    fn picked(point: Point) -> PickedMove {
        PickedMove {
            point,
            score_gap: 0,
        }
    }

    #[test]
    fn later_moves_of_deeper_nodes_are_reduced_more() {
        on_thread(Rule::Freestyle, "h8h9i8i9", |thread| {
            let lmr = |plies, number| {
                let info = thread.move_info(0, picked(NEIGHBOUR), number);
                thread.lmr::<false>(WINDOW, node(plies), info)
            };
            for step in 2..12 {
                assert!(lmr(step, 8) <= lmr(step + 1, 8));
                assert!(lmr(8, step as usize) <= lmr(8, step as usize + 1));
            }
            assert!(lmr(12, 40) > lmr(3, 2));
        });
    }

    #[test]
    fn moves_without_shape_are_pruned_near_the_horizon() {
        on_thread(Rule::Freestyle, "h8h9i8i9", |thread| {
            let [shapeless, neighbour] =
                [SHAPELESS, NEIGHBOUR].map(|point| thread.move_info(0, picked(point), 9));
            assert!(shapeless.is_shapeless() && !neighbour.is_shapeless());
            assert!(thread.is_move_pruned(node(2), shapeless));
            assert!(!thread.is_move_pruned(node(2), neighbour));
            assert!(!thread.is_move_pruned(node(9), shapeless));
        });
    }

    #[test]
    fn cut_nodes_reduce_all_moves_but_killers() {
        on_thread(Rule::Freestyle, "h8h9i8i9", |thread| {
            let info = thread.move_info(0, picked(SHAPELESS), 9);
            let cut_node = Node {
                cut_node: true,
                ..node(8)
            };
            let plain = thread.lmr::<false>(WINDOW, node(8), info);
            assert!(thread.lmr::<false>(WINDOW, cut_node, info) > plain);
            thread.stack[0].killers[1] = SHAPELESS;
            assert_eq!(thread.lmr::<false>(WINDOW, cut_node, info), plain);
            thread.stack[0].tt_pv = true;
            assert!(thread.lmr::<false>(WINDOW, cut_node, info) < plain);
        });
    }

    #[test]
    fn moves_with_low_scores_are_pruned_near_the_horizon() {
        on_thread(Rule::Freestyle, "h8h9i8i9", |thread| {
            let info = |score_gap| {
                let point = NEIGHBOUR;
                thread.move_info(0, PickedMove { point, score_gap }, 9)
            };
            let base = thread.params.move_score_pruning_base;
            assert!(!thread.is_move_pruned(node(1), info(base)));
            assert!(thread.is_move_pruned(node(1), info(base + 100)));
            assert!(!thread.is_move_pruned(node(9), info(base + 100)));
        });
    }

    #[test]
    fn late_move_pruning_leaves_more_moves_to_deep_and_improving_nodes() {
        on_thread(Rule::Freestyle, "h8", |thread| {
            let limit = |plies, improving| {
                let node = Node {
                    improving,
                    ..node(plies)
                };
                thread.lmp_limit(node)
            };
            assert!(limit(0, true) >= thread.params.lmp_base as usize);
            for plies in 1..200 {
                assert!(limit(plies, true) >= limit(plies - 1, true));
                assert!(limit(plies, true) > limit(plies, false));
            }
        });
    }

    #[test]
    fn nodes_without_a_tt_move_are_reduced() {
        on_thread(Rule::Freestyle, "h8", |thread| {
            let params = thread.params;
            let known = Node {
                tt_move: NEIGHBOUR,
                ..node(12)
            };
            assert_eq!(thread.iir::<false>(node(12), None), params.iir_reduction);
            assert_eq!(thread.iir::<true>(node(1), None), params.iir_pv);
            assert_eq!(thread.iir::<false>(known, None), 0);
        });
    }
}
