//! The tree: principal-variation alpha-beta, one node.
//!
//! What a node can be settled by without trying its moves; [`super::expand`]
//! tries them.

use super::MAX_PLY;
use super::depth::{Depth, PLY};
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::eval::Score;
use crate::pattern::Class;
use crate::rules::Point;
use crate::threats::{Outlook, outlook};

/// What a node is, besides its window.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: Depth,
    pub(super) ply: usize,
    /// Whether a cutoff is expected.
    pub(super) is_cut: bool,
    /// Whether the evaluation is higher than two plies before.
    pub(super) improving: bool,
    pub(super) outlook: Outlook,
    /// The best guess at the score so far.
    pub(super) estimate: i32,
    /// The move that was best when the node was last searched.
    pub(super) remembered: Point,
}

impl Worker<'_> {
    /// The value of the position for the side to move, searched to `depth`.
    pub(super) fn node<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        is_cut: bool,
    ) -> Score {
        if PV {
            self.lines.clear(ply);
        }
        if depth <= 0 {
            return self.leaf(alpha, beta, 0, ply);
        }
        if self.is_over() {
            return Score::ZERO;
        }
        self.selective = self.selective.max(ply);
        let outlook = outlook(&mut self.position);
        if let Some(score) = self.certain(outlook, ply) {
            return score;
        }
        if ply + 1 >= MAX_PLY {
            return Score::new(self.evaluate(ply, outlook));
        }
        // No line from here is shorter than these.
        alpha = alpha.max(Score::loss_at(ply + 2));
        beta = beta.min(Score::win_at(ply + 3));
        if alpha >= beta {
            return alpha;
        }
        if let Outlook::Forced(point) = outlook {
            return self.forced::<PV>(alpha, beta, depth, ply, is_cut, point);
        }
        self.open_node::<PV>(alpha, beta, depth, ply, is_cut, outlook)
    }

    /// A node with one move that does not lose at once: it costs no depth.
    fn forced<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        is_cut: bool,
        point: Point,
    ) -> Score {
        let before = *self.earlier(ply, 1);
        let frame = self.frame(ply);
        frame.eval = -before.eval;
        frame.extension = before.extension;
        frame.was_pv = PV;
        self.play(ply, point);
        let longer = depth - PLY + self.params.forced_extension;
        let score = -self.node::<PV>(-beta, -alpha, longer, ply + 1, !is_cut);
        self.undo();
        if PV && !self.stopped {
            self.lines.extend(ply, point);
        }
        score
    }

    /// A node with a choice of moves: what the table and the evaluation know
    /// of it, then its moves.
    fn open_node<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        is_cut: bool,
        outlook: Outlook,
    ) -> Score {
        let excluded = self.earlier(ply, 0).excluded;
        let is_test = excluded != Point::NONE;
        let key = self.node_key(ply);
        let entry = self.table.probe(key);
        if let Some(entry) = entry
            && !PV
            && entry.depth >= depth
        {
            let score = entry.score(ply);
            if entry.settles(score, beta) {
                self.learn_from_table(depth, outlook, entry.best, score >= beta);
                return score;
            }
        }
        if !is_test {
            self.enter::<PV>(ply, key, entry, outlook);
        }
        let eval = self.earlier(ply, 0).eval;
        let hindsight = if PV || is_test || outlook != Outlook::Open {
            0
        } else {
            self.hindsight(ply)
        };
        let mut node = Node {
            depth: depth + hindsight,
            ply,
            is_cut,
            improving: outlook == Outlook::Open && eval > self.earlier(ply, 2).eval,
            outlook,
            estimate: eval,
            remembered: entry.map_or(Point::NONE, |entry| entry.best),
        };
        if let Some(entry) = entry {
            let score = entry.score(ply);
            if !score.is_decided() && entry.settles(score, Score::new(eval)) {
                node.estimate = score.units();
            }
        }
        if !PV
            && outlook == Outlook::Open
            && let Some(score) = self.cut_early(alpha, beta, node, entry.is_some(), is_test)
        {
            return score;
        }
        if self.stopped {
            return Score::ZERO;
        }
        node.depth -= self.unfounded::<PV>(node, entry);
        if node.depth <= 0 {
            return self.leaf(alpha, beta, 0, ply);
        }
        let mut extension = 0;
        if let Some(entry) = entry
            && !is_test
        {
            match self.singular::<PV>(entry, beta, node) {
                Ok(found) => extension = found,
                Err(score) => return score,
            }
        }
        if self.stopped {
            return Score::ZERO;
        }
        self.try_moves::<PV>(alpha, beta, node, extension)
    }

    /// The key under which the node is remembered: a test without one of its
    /// moves is another matter than the node itself.
    pub(super) fn node_key(&self, ply: usize) -> u64 {
        let excluded = self.earlier(ply, 0).excluded;
        let mark = if excluded == Point::NONE {
            0
        } else {
            (excluded.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        self.position.key() ^ mark
    }

    /// Fills in the frame of a node that is searched for the first time at
    /// this ply.
    fn enter<const PV: bool>(
        &mut self,
        ply: usize,
        key: u64,
        entry: Option<Entry>,
        outlook: Outlook,
    ) {
        let eval = match entry.and_then(|entry| entry.eval) {
            Some(eval) => i32::from(eval),
            None => {
                let eval = self.evaluate(ply, outlook);
                if entry.is_none() {
                    self.table.store(key, Entry::of_eval(eval as i16));
                }
                eval
            }
        };
        let extension = if ply > 0 {
            self.earlier(ply, 1).extension
        } else {
            0
        };
        let frame = self.frame(ply);
        frame.eval = eval;
        frame.extension = extension;
        frame.was_pv = PV || entry.is_some_and(|entry| entry.was_pv);
    }

    /// How much deeper a node is searched because the move to it was reduced
    /// much and then did not turn out worse than the evaluation before it.
    fn hindsight(&self, ply: usize) -> Depth {
        let before = self.earlier(ply, 1);
        let was_harmless = self.earlier(ply, 0).eval + before.eval <= 0;
        if before.reduction > self.params.hindsight_from && was_harmless {
            self.params.hindsight_extension
        } else {
            0
        }
    }

    /// What the evaluation alone can settle: a node far below alpha only needs
    /// to be searched for fours, one far above beta not at all.
    fn cut_early(
        &mut self,
        alpha: Score,
        beta: Score,
        node: Node,
        is_known: bool,
        is_test: bool,
    ) -> Option<Score> {
        let Node {
            depth,
            ply,
            estimate,
            ..
        } = node;
        let params = &self.params;
        if depth < params.razor_depth
            && (!alpha.is_win() || !is_known)
            && estimate + params.razor_margin + params.razor_slope * depth / PLY < alpha.units()
        {
            return Some(self.leaf(alpha, Score::new(alpha.units() + 1), 0, ply));
        }
        if beta.is_loss() {
            return None;
        }
        let a_ply = params.futility_margin
            - if node.is_cut && !is_known {
                params.futility_unknown
            } else {
                0
            };
        let plies = depth
            - PLY
            - if node.improving {
                params.futility_improving
            } else {
                0
            };
        if estimate - (a_ply * plies / PLY).max(0) >= beta.units() && !self.is_chain_of_fours(ply) {
            return Some(Score::new(estimate));
        }
        if is_test {
            return None;
        }
        self.null_move(beta, node)
    }

    /// Whether the side to move has played nothing but fours lately: their
    /// worth is only seen at the end of the line.
    fn is_chain_of_fours(&self, ply: usize) -> bool {
        self.earlier(ply, 2).class.is_four() && self.earlier(ply, 4).class.is_four()
    }

    /// Whether the node is so good that even a pass fails high.
    fn null_move(&mut self, beta: Score, node: Node) -> Option<Score> {
        let Node { depth, ply, .. } = node;
        let params = &self.params;
        let margin = params.null_margin - (params.null_slope * depth / PLY).min(params.null_relief);
        if depth < params.null_depth
            || node.estimate < beta.units()
            || beta.is_decided()
            || self.earlier(ply, 0).eval < beta.units() + margin
            || self.earlier(ply, 1).point == Point::NONE
        {
            return None;
        }
        let reduced = depth - params.null_reduction - params.null_scale * depth / PLY;
        let frame = self.frame(ply);
        frame.point = Point::NONE;
        frame.class = Class::None;
        self.position.pass();
        let score = -self.node::<false>(-beta, -beta + 1, reduced, ply + 1, !node.is_cut);
        self.position.undo();
        (score >= beta && !self.stopped).then_some(if score.is_decided() { beta } else { score })
    }

    /// By how much a node is searched less deep because little is known of it,
    /// or what is known is not deep.
    fn unfounded<const PV: bool>(&self, node: Node, entry: Option<Entry>) -> Depth {
        let params = &self.params;
        let mut less = 0;
        if node.remembered == Point::NONE {
            if PV {
                less += params.iir_pv;
            }
            if node.depth >= params.iir_depth {
                less += params.iir_reduction;
            }
        } else if PV
            && node.depth > PLY
            && let Some(entry) = entry
        {
            let missing = (node.depth - entry.depth).max(0);
            less += (params.stale_scale * missing / PLY).min(params.stale_max);
        }
        less
    }

    /// Whether the remembered move is the only good one, found by searching
    /// the node without it: how much deeper to search it, or the node's score
    /// if the others are good enough already.
    fn singular<const PV: bool>(
        &mut self,
        entry: Entry,
        beta: Score,
        node: Node,
    ) -> Result<Depth, Score> {
        let Node { depth, ply, .. } = node;
        let params = &self.params;
        let score = entry.score(ply);
        let is_candidate = ply > 0
            && depth >= params.singular_depth
            && entry.best != Point::NONE
            && entry.depth >= depth - params.singular_staleness
            && entry.bound as u8 & Bound::Lower as u8 != 0
            && !score.is_decided();
        if !is_candidate {
            return Ok(self.remembered_extension::<PV>(node));
        }
        let former_pv = !PV && self.earlier(ply, 0).was_pv;
        let a_ply = params.singular_margin
            + if former_pv {
                params.singular_former_pv
            } else {
                0
            };
        let bar = score - a_ply * depth / (PLY * 64);
        let test =
            depth - (64 - params.singular_scale) * depth / 64 + if former_pv { PLY } else { 0 };
        let (double, reduction) = (params.singular_double, params.singular_reduction);
        self.frame(ply).excluded = entry.best;
        let others = self.open_node::<false>(bar - 1, bar, test, ply, node.is_cut, node.outlook);
        self.frame(ply).excluded = Point::NONE;
        if others < bar {
            let used = self.earlier(ply, 0).extension;
            let far = !PV && others < bar - double && used < self.params.extension_max;
            return Ok(if far { 2 * PLY } else { PLY });
        }
        if bar >= beta && !PV {
            return Err(beta);
        }
        Ok(if score >= beta { -reduction } else { 0 })
    }

    /// How much deeper a remembered move is searched that was not tested.
    fn remembered_extension<const PV: bool>(&self, node: Node) -> Depth {
        let params = &self.params;
        let side = self.position.side();
        let near = (self.last_own(node.ply))
            .is_some_and(|last| last.distance(node.remembered) <= 4)
            && self.position.class(side, node.remembered).is_four();
        (if PV {
            params.remembered_pv
        } else {
            params.remembered_cut
        }) + if near { params.remembered_four } else { 0 }
    }
}
