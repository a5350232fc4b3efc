//! Extensions: nodes and tt moves that are searched deeper. The singular search
//! that finds them can also end a node (multicut).

use super::depth::{Depth, PLY};
use super::node::Node;
use super::search_thread::SearchThread;
use super::tt_entry::TtEntry;
use crate::eval::Evaluator;
use crate::rules::Point;
use crate::score::{Score, Window};
use std::ops::ControlFlow;

impl<E: Evaluator> SearchThread<'_, E> {
    /// The depth that double extensions have added from the root to the parent
    /// of the node at `ply`.
    #[inline]
    pub(super) fn inherited_extension(&self, ply: usize) -> Depth {
        self.stack.before(ply, 1).double_extension
    }

    /// The extension of a node whose move was reduced a lot, and in hindsight too
    /// much: it has not made the opponent's evaluation better.
    pub(super) fn hindsight_extension(&self, ply: usize) -> Depth {
        let parent = self.stack.before(ply, 1);
        let was_harmless = self.stack[ply].static_eval <= -parent.static_eval;
        if parent.reduction > self.params.hindsight_reduction && was_harmless {
            self.params.hindsight_extension
        } else {
            0
        }
    }

    /// The extension of the tt move, or the score that all moves of the node
    /// have at least.
    ///
    /// A tt move that was good enough at nearly this depth is tested by a
    /// singular search: the node without it, to half the depth. If all other
    /// moves are worse by a margin the tt move is singular and searched deeper.
    pub(super) fn extend_tt_move<const PV: bool>(
        &mut self,
        window: Window,
        node: Node,
        entry: TtEntry,
    ) -> ControlFlow<Score, Depth> {
        let Node { depth, ply, .. } = node;
        let params = self.params;
        let tt_score = entry.score_at(ply);
        let needs_singular_search = depth >= params.singular_depth
            && entry.best != Point::NONE
            && entry.depth >= depth - params.singular_tt_depth
            && entry.bound.is_lower()
            && !tt_score.is_decided();
        if !needs_singular_search {
            return ControlFlow::Continue(self.tt_move_extension::<PV>(node));
        }
        let was_pv = !PV && self.stack[ply].tt_pv;
        let (margin, deeper) = if was_pv {
            (params.singular_margin + params.singular_margin_tt_pv, PLY)
        } else {
            (params.singular_margin, 0)
        };
        let singular_beta = tt_score - margin * depth / (PLY * 64);
        let others = self.singular_search(singular_beta, deeper, node, entry.best);
        if others < singular_beta {
            let is_double = !PV
                && others < singular_beta - params.double_extension_margin
                && self.inherited_extension(ply) < params.double_extension_max;
            return ControlFlow::Continue(if is_double { 2 * PLY } else { PLY });
        }
        if singular_beta >= window.beta && !PV {
            return ControlFlow::Break(window.beta);
        }
        let is_refutation = window.fails_high(tt_score);
        ControlFlow::Continue(if is_refutation {
            -params.negative_extension
        } else {
            0
        })
    }

    /// The score of the node without the move to `excluded`, in the null window below
    /// `singular_beta`.
    fn singular_search(
        &mut self,
        singular_beta: Score,
        deeper: Depth,
        node: Node,
        excluded: Point,
    ) -> Score {
        let less = (64 - self.params.singular_depth_scale) * node.depth / 64;
        let depth = node.depth - less + deeper;
        self.stack[node.ply].excluded = excluded;
        let window = Window::below(singular_beta);
        let score = self.open_node::<false>(window, Node { depth, ..node });
        self.stack[node.ply].excluded = Point::NONE;
        score
    }

    /// The extension of a tt move without a singular search.
    fn tt_move_extension<const PV: bool>(&self, node: Node) -> Depth {
        let params = self.params;
        let side = self.position.side();
        let is_near_four = (self.stack.own_last(node.ply))
            .is_some_and(|last| last.distance(node.tt_move) <= 4)
            && self.position.class(side, node.tt_move).is_four();
        let extension = if PV {
            params.tt_move_extension_pv
        } else {
            params.tt_move_extension
        };
        extension
            + if is_near_four {
                params.tt_move_extension_four
            } else {
                0
            }
    }
}
