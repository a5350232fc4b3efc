//! The tree: principal-variation alpha-beta.

use super::MAX_PLY;
use super::depth::{Depth, PLY, ln};
use super::params::{
    DOUBLE_MARGIN, FORCED_EXTENSION, FUTILITY_DEPTH, FUTILITY_MARGIN, IIR_DEPTH, IIR_REDUCTION,
    LATE_ADD, LATE_BASE, LATE_DIVISOR, MAX_EXTENSION, NOTHING_DEPTH, NULL_DEPTH, NULL_MARGIN,
    NULL_REDUCTION, RAZOR_DEPTH, RAZOR_MARGIN, RAZOR_MARGIN_PLY, REDUCTION_CUT, REDUCTION_FALLING,
    REDUCTION_HISTORY, REDUCTION_NOTHING, REDUCTION_PV, REDUCTION_SCALE, REDUCTION_THREAT,
    SINGULAR_DEPTH, SINGULAR_MARGIN, SINGULAR_REDUCTION, STILL_DEPTH, STILL_MARGIN,
    STILL_MARGIN_PLY,
};
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::eval::Score;
use crate::pattern::Class;
use crate::rules::Point;
use crate::threats::{Outlook, outlook};
use arrayvec::ArrayVec;

/// What a node is, besides its window and depth.
#[derive(Clone, Copy)]
struct Node {
    depth: Depth,
    ply: usize,
    is_pv: bool,
    /// Whether a cutoff is expected.
    is_cut: bool,
    improving: bool,
    outlook: Outlook,
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
        let node = Node {
            depth,
            ply,
            is_pv: PV,
            is_cut,
            improving: false,
            outlook,
        };
        self.open_node::<PV>(alpha, beta, node)
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
        let extension = self.earlier(ply, 1).extension;
        let frame_eval = -self.earlier(ply, 1).eval;
        let frame = self.frame(ply);
        frame.eval = frame_eval;
        frame.extension = extension;
        self.play(ply, point);
        let score = -self.node::<PV>(
            -beta,
            -alpha,
            depth - PLY + FORCED_EXTENSION,
            ply + 1,
            !is_cut,
        );
        self.undo();
        if PV && !self.stopped {
            self.lines.extend(ply, point);
        }
        score
    }

    fn open_node<const PV: bool>(&mut self, alpha: Score, beta: Score, mut node: Node) -> Score {
        let ply = node.ply;
        let key = self.position.key();
        let excluded = self.earlier(ply, 0).excluded;
        let is_singular_search = excluded != Point::NONE;
        let entry = if is_singular_search {
            None
        } else {
            self.table.probe(key)
        };
        if let Some(entry) = entry {
            let score = entry.score(ply);
            if !PV && entry.depth >= node.depth && entry.settles(score, beta) {
                return score;
            }
        }
        if !is_singular_search {
            let eval = entry
                .and_then(|entry| entry.eval)
                .map_or_else(|| self.evaluate(ply, node.outlook), i32::from);
            let extension = if ply > 0 {
                self.earlier(ply, 1).extension
            } else {
                0
            };
            let frame = self.frame(ply);
            frame.eval = eval;
            frame.extension = extension;
        }
        let eval = self.earlier(ply, 0).eval;
        node.improving = ply >= 2 && eval > self.earlier(ply, 2).eval;

        let may_cut = !PV && !is_singular_search && node.outlook == Outlook::Open;
        if may_cut
            && !beta.is_decided()
            && let Some(score) = self.cut_early(alpha, beta, node, eval)
        {
            return score;
        }
        let remembered = entry.map_or(Point::NONE, |entry| entry.best);
        if remembered == Point::NONE && node.depth >= IIR_DEPTH {
            node.depth -= IIR_REDUCTION;
        }
        let mut extension = 0;
        if let Some(entry) = entry {
            match self.singular(entry, beta, node) {
                Ok(found) => extension = found,
                Err(score) => return score,
            }
        }
        if self.stopped {
            return Score::ZERO;
        }
        self.try_moves::<PV>(
            alpha,
            beta,
            node,
            remembered,
            extension,
            entry.is_some_and(|e| e.was_pv),
        )
    }

    /// What the evaluation alone can settle: a node far below alpha only needs
    /// to be searched for fours, one far above beta not at all.
    fn cut_early(&mut self, alpha: Score, beta: Score, node: Node, eval: i32) -> Option<Score> {
        let Node { depth, ply, .. } = node;
        let plies = depth / PLY;
        if depth < RAZOR_DEPTH
            && eval + RAZOR_MARGIN + RAZOR_MARGIN_PLY * plies * plies < alpha.units()
        {
            let score = self.leaf(alpha, alpha + 1, 0, ply);
            if score <= alpha {
                return Some(score);
            }
        }
        let margin = FUTILITY_MARGIN * (depth - if node.improving { PLY } else { 0 }) / PLY;
        if depth < FUTILITY_DEPTH && eval - margin >= beta.units() {
            return Some(Score::new(eval));
        }
        if depth >= NULL_DEPTH
            && eval >= beta.units() + NULL_MARGIN - 10 * plies
            && self.earlier(ply, 1).point != Point::NONE
        {
            let reduced = depth - NULL_REDUCTION - depth / 8;
            let frame = self.frame(ply);
            frame.point = Point::NONE;
            frame.class = Class::None;
            self.position.pass();
            let score = -self.node::<false>(-beta, -beta + 1, reduced, ply + 1, !node.is_cut);
            self.position.undo();
            if score >= beta && !self.stopped {
                return Some(if score.is_decided() { beta } else { score });
            }
        }
        None
    }

    /// Whether the remembered move is the only good one, found by searching
    /// the node without it: how much deeper to search it, or the node's score
    /// if the others are good enough already.
    fn singular(&mut self, entry: Entry, beta: Score, node: Node) -> Result<Depth, Score> {
        let Node { depth, ply, .. } = node;
        let score = entry.score(ply);
        let is_candidate = depth >= SINGULAR_DEPTH
            && entry.best != Point::NONE
            && entry.depth >= depth - 2 * PLY
            && entry.bound as u8 & Bound::Lower as u8 != 0
            && !score.is_decided();
        if !is_candidate {
            return Ok(0);
        }
        let bar = score - SINGULAR_MARGIN * depth / PLY;
        self.frame(ply).excluded = entry.best;
        let others = self.open_node::<false>(
            bar - 1,
            bar,
            Node {
                depth: depth / 2,
                is_pv: false,
                ..node
            },
        );
        self.frame(ply).excluded = Point::NONE;
        let used = self.earlier(ply, 0).extension;
        if others < bar {
            let far = others < bar - DOUBLE_MARGIN && !node.is_pv && used < MAX_EXTENSION;
            return Ok(if far { 2 * PLY } else { PLY });
        }
        if bar >= beta && !node.is_pv {
            return Err(bar);
        }
        Ok(if score >= beta {
            -SINGULAR_REDUCTION
        } else {
            0
        })
    }

    fn try_moves<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        node: Node,
        remembered: Point,
        extension: Depth,
        was_pv: bool,
    ) -> Score {
        let Node { ply, outlook, .. } = node;
        let excluded = self.earlier(ply, 0).excluded;
        self.frame(ply + 1).killers = [Point::NONE; 2];
        let before = alpha;
        let mut best = -Score::INFINITE;
        let mut best_point = Point::NONE;
        let mut failed = ArrayVec::<Point, 64>::new();
        let mut tried = 0;
        let mut picker = Picker::new(remembered);
        while let Some(point) = picker.next(|moves| self.make_moves(outlook, ply, moves)) {
            if point == excluded || !self.position.is_empty(point) {
                continue;
            }
            if !PV && !best.is_loss() && tried > 0 && self.is_too_late(point, tried, alpha, node) {
                continue;
            }
            if self.position.forbidden(point).is_some() {
                continue;
            }
            tried += 1;
            let longer = if point == remembered { extension } else { 0 };
            let score = self.try_move::<PV>(alpha, beta, node, point, tried, longer, was_pv || PV);
            if self.stopped {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_point = point;
                    if PV {
                        self.lines.extend(ply, point);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if point != best_point && !failed.is_full() {
                failed.push(point);
            }
        }
        if tried == 0 {
            return self.without_moves(alpha, node, excluded);
        }
        if best >= beta {
            self.learn(ply, node.depth, best_point, &failed);
        }
        if excluded == Point::NONE {
            self.remember::<PV>(before, beta, best, best_point, node);
        }
        best
    }

    /// The value of a node where no move could be tried.
    fn without_moves(&self, alpha: Score, node: Node, excluded: Point) -> Score {
        if excluded != Point::NONE {
            return alpha;
        }
        match node.outlook {
            // No answer, no four: an open four comes, and then the five.
            Outlook::Threatened => Score::loss_at(node.ply + 4),
            _ => self.eval_score(node.ply),
        }
    }

    fn remember<const PV: bool>(
        &self,
        before: Score,
        beta: Score,
        best: Score,
        best_point: Point,
        node: Node,
    ) {
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            self.position.key(),
            Entry {
                best: best_point,
                score: best.from_node(node.ply),
                eval: Some(self.earlier(node.ply, 0).eval as i16),
                depth: node.depth,
                bound,
                was_pv: PV,
            },
        );
    }

    /// Whether a move comes so late in the order, or promises so little, that
    /// it is not tried.
    fn is_too_late(&self, point: Point, tried: usize, alpha: Score, node: Node) -> bool {
        if node.outlook != Outlook::Open {
            return false;
        }
        let side = self.position.side();
        let own = self.position.class(side, point);
        let theirs = self.position.class(side.opponent(), point);
        if own >= Class::Four || theirs >= Class::FourThree {
            return false;
        }
        let plies = (node.depth / PLY) as usize;
        let limit = LATE_BASE + plies * (plies + LATE_ADD) / LATE_DIVISOR;
        if tried > if node.improving { limit } else { limit / 2 + 1 } {
            return true;
        }
        let nothing = own == Class::None && theirs == Class::None;
        if nothing && node.depth < NOTHING_DEPTH {
            return true;
        }
        let eval = self.earlier(node.ply, 0).eval;
        let still = own < Class::OpenThree && theirs < Class::OpenThree;
        still
            && node.depth < STILL_DEPTH
            && eval + STILL_MARGIN + STILL_MARGIN_PLY * node.depth / PLY < alpha.units()
    }

    /// Searches one move: late ones less deep and with a null window first.
    #[allow(clippy::too_many_arguments)]
    fn try_move<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        node: Node,
        point: Point,
        tried: usize,
        extension: Depth,
        was_pv: bool,
    ) -> Score {
        let Node {
            depth, ply, is_cut, ..
        } = node;
        let reduction = self.reduction(node, point, tried, was_pv);
        let inherited = if ply > 0 {
            self.earlier(ply, 1).extension
        } else {
            0
        };
        self.frame(ply).extension = inherited + extension.max(0);
        let full = depth - PLY + extension;
        if PV {
            self.lines.clear(ply + 1);
        }
        self.play(ply, point);
        let mut score = alpha;
        if reduction > 0 {
            let reduced = (full - reduction).max(PLY / 2).min(full);
            score = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
            if score > alpha && reduced < full {
                score = -self.node::<false>(-alpha - 1, -alpha, full, ply + 1, !is_cut);
            }
        } else if !PV || tried > 1 {
            score = -self.node::<false>(-alpha - 1, -alpha, full, ply + 1, !is_cut);
        }
        if PV && (tried == 1 || (score > alpha && score < beta)) {
            score = -self.node::<true>(-beta, -alpha, full, ply + 1, false);
        }
        self.undo();
        score
    }

    /// How much less deep a move is searched for coming late.
    fn reduction(&self, node: Node, point: Point, tried: usize, was_pv: bool) -> Depth {
        if tried < 2 || node.depth < 2 * PLY || node.outlook != Outlook::Open {
            return 0;
        }
        let side = self.position.side();
        let own = self.position.class(side, point);
        let theirs = self.position.class(side.opponent(), point);
        if own.is_four() {
            return 0;
        }
        let logs = i64::from(ln(node.depth as u32)) * i64::from(ln(tried as u32 * 64));
        let mut reduction = ((logs * i64::from(REDUCTION_SCALE) * i64::from(PLY)) >> 30) as Depth;
        if !node.improving {
            reduction += REDUCTION_FALLING;
        }
        if was_pv {
            reduction -= REDUCTION_PV;
        }
        if node.is_cut {
            reduction += REDUCTION_CUT;
        }
        if own >= Class::OpenThree || theirs >= Class::FourThree {
            reduction -= REDUCTION_THREAT;
        } else if own == Class::None && theirs == Class::None {
            reduction += REDUCTION_NOTHING;
        }
        let history = self.history.get(side, self.is_forcing(point), point);
        reduction -= history * PLY / REDUCTION_HISTORY;
        reduction.max(0)
    }
}
