//! Principal-variation alpha-beta, one node.
//!
//! A node is decided, forced or open. An open node is looked up in the
//! transposition table, may be pruned, and then has its moves searched.

use super::depth::{Depth, PLY};
use super::limits::MAX_PLY;
use super::search_thread::SearchThread;
use super::tt_entry::TtEntry;
use crate::eval::Evaluator;
use crate::rules::Point;
use crate::score::{Score, Window};
use crate::threats::{ThreatStatus, threat_status};
use std::ops::ControlFlow;

/// A node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The depth that is left.
    pub(super) depth: Depth,
    pub(super) ply: usize,
    /// True if a beta cutoff is expected.
    pub(super) cut_node: bool,
    pub(super) status: ThreatStatus,
    /// True if the static eval is higher than two plies before.
    pub(super) improving: bool,
    /// True if the transposition table has an entry.
    pub(super) in_tt: bool,
    /// The best move of the tt entry, or [`Point::NONE`].
    pub(super) tt_move: Point,
    /// The static eval, or the score of the tt entry where that says more.
    pub(super) eval: Score,
}

impl Node {
    /// A node that has not been looked up.
    pub(super) fn new(depth: Depth, ply: usize, cut_node: bool, status: ThreatStatus) -> Node {
        Node {
            depth,
            ply,
            cut_node,
            status,
            improving: false,
            in_tt: false,
            tt_move: Point::NONE,
            eval: Score::ZERO,
        }
    }
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// The score of the position for the side to move, searched to `depth`.
    pub(super) fn alphabeta<const PV: bool>(
        &mut self,
        mut window: Window,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if PV {
            self.pv.clear(ply);
        }
        if depth <= 0 {
            return self.qsearch(window, 0, ply);
        }
        if self.must_stop() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        let status = threat_status(&mut self.position);
        if let Some(score) = self.known_score(status, ply) {
            return score;
        }
        if ply + 1 >= MAX_PLY {
            return self.evaluate(ply, status);
        }
        // No line from here ends sooner than these.
        window.raise_alpha(Score::loss_at(ply + 2));
        window.lower_beta(Score::win_at(ply + 3));
        if window.is_closed() {
            return window.alpha;
        }
        let node = Node::new(depth, ply, cut_node, status);
        match status {
            ThreatStatus::OnlyMove(point) => self.forced_move::<PV>(window, node, point),
            _ => self.open_node::<PV>(window, node),
        }
    }

    /// Searches the one move that does not lose at once. It costs no depth.
    fn forced_move<const PV: bool>(&mut self, window: Window, node: Node, point: Point) -> Score {
        let Node { depth, ply, .. } = node;
        let parent = *self.stack.before(ply, 1);
        let entry = &mut self.stack[ply];
        entry.static_eval = -parent.static_eval;
        entry.double_extension = parent.double_extension;
        entry.tt_pv = PV;
        self.play(ply, point);
        let extended = depth - PLY + self.params.forced_extension;
        let score = -self.alphabeta::<PV>(-window, extended, ply + 1, !node.cut_node);
        self.undo();
        if PV && !self.stopped {
            self.pv.update(ply, point);
        }
        score
    }

    /// Searches a node with a choice of moves.
    pub(super) fn open_node<const PV: bool>(&mut self, window: Window, mut node: Node) -> Score {
        let (ply, status) = (node.ply, node.status);
        let in_singular = self.stack[ply].excluded != Point::NONE;
        let key = self.tt_key(ply);
        let entry = self.tt.probe(key);
        if let Some(entry) = entry
            && !PV
            && let Some(score) = entry.cutoff(node.depth, ply, window)
        {
            self.learn_from_tt_cutoff(node, entry.best, window.fails_high(score));
            return score;
        }
        if !in_singular {
            self.set_stack_entry::<PV>(node, key, entry);
        }
        let static_eval = self.stack[ply].static_eval;
        let is_quiet = status == ThreatStatus::Quiet;
        if is_quiet && !PV && !in_singular {
            node.depth += self.hindsight_extension(ply);
        }
        node.improving = is_quiet && static_eval > self.stack.before(ply, 2).static_eval;
        node.in_tt = entry.is_some();
        node.tt_move = entry.map_or(Point::NONE, |entry| entry.best);
        node.eval = entry
            .and_then(|entry| entry.better_eval(static_eval, ply))
            .filter(|score| !score.is_decided())
            .unwrap_or(static_eval);
        if is_quiet
            && !PV
            && let Some(score) = self.prune(window, node)
        {
            return score;
        }
        if self.stopped {
            return Score::ZERO;
        }
        node.depth -= self.iir::<PV>(node, entry);
        if node.depth <= 0 {
            return self.qsearch(window, 0, ply);
        }
        let mut extension = 0;
        if let Some(entry) = entry
            && !in_singular
        {
            match self.extend_tt_move::<PV>(window, node, entry) {
                ControlFlow::Continue(found) => extension = found,
                ControlFlow::Break(score) => return score,
            }
        }
        if self.stopped {
            return Score::ZERO;
        }
        self.search_moves::<PV>(window, node, extension)
    }

    /// The key under which the table has the node at `ply`. A singular search,
    /// which leaves out a move, has a key of its own.
    pub(super) fn tt_key(&self, ply: usize) -> u64 {
        let excluded = self.stack[ply].excluded;
        let mark = if excluded == Point::NONE {
            0
        } else {
            (excluded.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        self.position_key() ^ mark
    }

    /// Fills in the stack entry of a node that was looked up in the table.
    fn set_stack_entry<const PV: bool>(&mut self, node: Node, key: u64, entry: Option<TtEntry>) {
        let ply = node.ply;
        let static_eval = match entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => {
                let eval = self.evaluate(ply, node.status);
                if entry.is_none() {
                    self.tt.store(key, TtEntry::of_eval(eval));
                }
                eval
            }
        };
        let double_extension = self.inherited_extension(ply);
        let stack_entry = &mut self.stack[ply];
        stack_entry.static_eval = static_eval;
        stack_entry.double_extension = double_extension;
        stack_entry.tt_pv = PV || entry.is_some_and(|entry| entry.tt_pv);
    }
}
