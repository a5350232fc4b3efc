//! The move loop of a node: which moves are searched, how deep, and what is
//! stored and learned from their scores.

use super::depth::{Depth, PLY};
use super::move_info::MoveInfo;
use super::node::Node;
use super::picker::MovePicker;
use super::search_thread::SearchThread;
use super::tt_entry::{Bound, TtEntry};
use crate::eval::Evaluator;
use crate::rules::Point;
use crate::score::{Score, Window};
use crate::threats::ThreatStatus;
use arrayvec::ArrayVec;

/// The results of the moves of a node so far.
struct MoveResults {
    /// The number of moves searched.
    searched: usize,
    best_score: Score,
    /// The move that raised alpha last, or [`Point::NONE`].
    best_move: Point,
    /// Moves that did not raise alpha.
    failed: ArrayVec<Point, 64>,
}

impl MoveResults {
    fn new() -> MoveResults {
        MoveResults {
            searched: 0,
            best_score: -Score::INFINITE,
            best_move: Point::NONE,
            failed: ArrayVec::new(),
        }
    }

    /// Takes in the score of a move, and says whether it raises alpha.
    fn add(&mut self, point: Point, score: Score, window: Window) -> bool {
        let raises_alpha = !window.fails_low(score);
        if raises_alpha {
            self.best_move = point;
        } else if !self.failed.is_full() {
            self.failed.push(point);
        }
        self.best_score = self.best_score.max(score);
        raises_alpha
    }
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// Searches the moves of a node, the tt move with this extension.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        mut window: Window,
        mut node: Node,
        tt_move_extension: Depth,
    ) -> Score {
        let Node { ply, status, .. } = node;
        let (full_window, full_node) = (window, node);
        self.stack[ply + 2].killers = [Point::NONE; 2];
        self.stack[ply + 1].tt_pv = false;
        let lmp_limit = self.lmp_limit(node);
        let likely_fail_high = self.likely_fail_high::<PV>(window, node);
        let mut results = MoveResults::new();
        let mut picker = MovePicker::new(node.tt_move);
        while let Some(picked) = picker.next(|moves| self.generate_moves(status, ply, moves)) {
            let point = picked.point;
            if point == self.stack[ply].excluded || !self.position.is_empty(point) {
                continue;
            }
            let info = self.move_info(ply, picked, results.searched + 1);
            if results.searched > 0 && !results.best_score.is_loss() {
                if info.number >= lmp_limit {
                    break;
                }
                if self.is_move_pruned(node, info) {
                    continue;
                }
            }
            if self.position.forbidden(point).is_some() {
                continue;
            }
            results.searched += 1;
            let mut extension = 0;
            if point == node.tt_move {
                extension += tt_move_extension;
            }
            if likely_fail_high {
                extension += self.fail_high_extension(ply, info);
            }
            let best_score = results.best_score;
            let score = self.search_move::<PV>(window, node, info, extension, best_score);
            if self.stopped {
                return Score::ZERO;
            }
            if results.add(point, score, window) {
                if PV {
                    self.pv.update(ply, point);
                }
                if window.fails_high(score) {
                    break;
                }
                window.alpha = score;
                node.depth -= self.alpha_raise_reduction(node.depth, score);
            }
        }
        self.finish_node(full_window, full_node, &results)
    }

    /// Searches one move: late moves first reduced, and all but the first of a
    /// pv node first with a null window.
    fn search_move<const PV: bool>(
        &mut self,
        window: Window,
        node: Node,
        info: MoveInfo,
        extension: Depth,
        best_score: Score,
    ) -> Score {
        let Node { ply, cut_node, .. } = node;
        let is_first = info.number == 1;
        let mut depth = node.depth - PLY + extension;
        self.stack[ply].double_extension = self.inherited_extension(ply) + (extension - PLY).max(0);
        let is_late = node.depth >= 2 * PLY && !is_first;
        let reduction = if is_late {
            self.lmr::<PV>(window, node, info)
        } else {
            0
        };
        if PV {
            self.pv.clear(ply + 1);
        }
        self.play(ply, info.point);
        let null_window = -window.null();
        let mut score = window.alpha + 1;
        if is_late {
            let reduced = (depth - reduction).min(depth + PLY).max(PLY);
            self.stack[ply].reduction = depth - reduced;
            score = -self.alphabeta::<false>(null_window, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            if score > window.alpha && reduced < depth {
                let above_alpha = score - window.alpha;
                let above_best = score - best_score;
                let change = self.research_change(depth, reduced, above_alpha, above_best);
                depth += change;
                self.stack[ply].double_extension += (change - PLY).max(0);
                if reduced < depth {
                    score = -self.alphabeta::<false>(null_window, depth, ply + 1, !cut_node);
                }
            }
        } else if !PV || !is_first {
            score = -self.alphabeta::<false>(null_window, depth, ply + 1, !cut_node);
        }
        if PV && (is_first || window.contains(score)) {
            score = -self.alphabeta::<true>(-window, depth, ply + 1, false);
        }
        self.undo();
        score
    }

    /// The score of a node whose moves were searched; stores and learns it.
    fn finish_node(&mut self, window: Window, node: Node, results: &MoveResults) -> Score {
        let in_singular = self.stack[node.ply].excluded != Point::NONE;
        if results.searched == 0 {
            return if in_singular {
                window.alpha
            } else {
                self.score_without_moves(node)
            };
        }
        if results.best_move != Point::NONE {
            self.learn(node, results.best_move, &results.failed);
        }
        if !in_singular {
            self.update_tt_pv(node, window.fails_low(results.best_score));
        }
        self.store(window, node, results);
        results.best_score
    }

    /// The score of a node where no move could be searched.
    fn score_without_moves(&mut self, node: Node) -> Score {
        match node.status {
            // No answer, no four: an open four comes, and then the five.
            ThreatStatus::MustDefend => self.score_of_loss(node.ply, 4),
            // A forbidden point has to be taken, which loses like a five.
            _ if !self.position.has_legal_move() => Score::loss_at(node.ply + 2),
            _ => self.stack[node.ply].static_eval,
        }
    }

    /// Decides whether the node goes on to count as one of the principal
    /// variation: a node that fails low after one does, a node that refutes
    /// the parent's move does not.
    fn update_tt_pv(&mut self, node: Node, failed_low: bool) {
        let Node { ply, depth, .. } = node;
        let is_deep = depth > 3 * PLY;
        let tt_pv = self.stack[ply].tt_pv;
        if failed_low {
            let parent_pv = self.stack.before(ply, 1).tt_pv;
            self.stack[ply].tt_pv = tt_pv || parent_pv && is_deep;
        } else if is_deep {
            self.stack[ply].tt_pv = tt_pv && self.stack[ply + 1].tt_pv;
        }
    }

    /// Stores the node in the transposition table.
    fn store(&self, window: Window, node: Node, results: &MoveResults) {
        let Node { ply, depth, .. } = node;
        let score = results.best_score;
        let stack_entry = &self.stack[ply];
        self.tt.store(
            self.tt_key(ply),
            TtEntry {
                best: results.best_move,
                score: score.to_tt(ply),
                eval: Some(stack_entry.static_eval),
                depth,
                bound: Bound::of(score, window),
                tt_pv: stack_entry.tt_pv,
            },
        );
    }
}
