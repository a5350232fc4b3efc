//! The moves of a node: which are tried, how deep, and what is learned.

use super::depth::{Depth, PLY, ln_moves, ln_plies};
use super::node::Node;
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::eval::Score;
use crate::pattern::Class;
use crate::rules::{Color, Point, Rule};
use crate::threats::Outlook;
use arrayvec::ArrayVec;

/// What a move looks like before it is played.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) point: Point,
    /// What it would threaten.
    pub(super) own: Class,
    /// What the opponent would threaten there.
    pub(super) theirs: Class,
    /// How far it is from the last own stone, and from the opponent's.
    pub(super) from_own: usize,
    pub(super) from_theirs: usize,
    /// How much less likely it looks than the likeliest move.
    pub(super) gap: i32,
}

impl Look {
    fn is_trivial(&self) -> bool {
        self.own == Class::None && self.theirs == Class::None
    }

    fn is_far(&self) -> bool {
        self.from_own > 4 && self.from_theirs > 4
    }
}

/// What the moves of a node have come to.
struct Found {
    /// How many were tried.
    tried: usize,
    best: Score,
    /// The move that raised alpha last.
    point: Point,
    /// Moves that did not.
    failed: ArrayVec<Point, 64>,
}

impl Found {
    fn nothing() -> Found {
        Found {
            tried: 0,
            best: -Score::INFINITE,
            point: Point::NONE,
            failed: ArrayVec::new(),
        }
    }

    /// Takes in the value of a move; says whether it raised alpha.
    fn add(&mut self, point: Point, score: Score, alpha: Score) -> bool {
        let raises = score > alpha;
        if raises {
            self.point = point;
        } else if !self.failed.is_full() {
            self.failed.push(point);
        }
        self.best = self.best.max(score);
        raises
    }
}

impl Worker<'_> {
    /// Tries the moves of a node, the remembered one `extension` deeper.
    pub(super) fn try_moves<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        mut node: Node,
        extension: Depth,
    ) -> Score {
        let Node { ply, outlook, .. } = node;
        let (before, given) = (alpha, node);
        self.frame(ply + 2).killers = [Point::NONE; 2];
        self.frame(ply + 1).was_pv = false;
        let limit = self.late_limit(node);
        let high = self.expects_to_fail_high::<PV>(beta, node);
        let mut found = Found::nothing();
        let mut picker = Picker::new(node.remembered);
        while let Some(point) = picker.next(|moves| self.make_moves(outlook, ply, moves)) {
            if point == self.earlier(ply, 0).excluded || !self.position.is_empty(point) {
                continue;
            }
            let look = self.look(ply, point, picker.likeliest());
            if found.tried > 0 && !found.best.is_loss() {
                if found.tried + 1 >= limit {
                    break;
                }
                if self.is_hopeless(node, look) {
                    continue;
                }
            }
            if self.position.forbidden(point).is_some() {
                continue;
            }
            found.tried += 1;
            let is_remembered = point == node.remembered;
            let longer = if is_remembered { extension } else { 0 }
                + if high {
                    self.high_extension(ply, look)
                } else {
                    0
                };
            let score = self.try_move::<PV>(alpha, beta, &found, node, look, longer);
            if self.stopped {
                return Score::ZERO;
            }
            if found.add(point, score, alpha) {
                if PV {
                    self.lines.extend(ply, point);
                }
                if score >= beta {
                    break;
                }
                alpha = score;
                node.depth -= self.raised_reduction(node.depth, score);
            }
        }
        self.conclude::<PV>(before, beta, given, &found)
    }

    /// The value of a node whose moves were tried; remembers what they taught.
    fn conclude<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        node: Node,
        found: &Found,
    ) -> Score {
        let Node { ply, depth, .. } = node;
        let excluded = self.earlier(ply, 0).excluded;
        if found.tried == 0 {
            return self.without_moves(alpha, node, excluded);
        }
        if found.point != Point::NONE {
            self.learn(ply, depth, node.outlook, found.point, &found.failed);
        }
        if excluded == Point::NONE {
            self.settle_pv(ply, depth, found.best <= alpha);
        }
        self.remember::<PV>(alpha, beta, found, node);
        found.best
    }

    /// How much less deep the other moves are searched once one raised alpha.
    fn raised_reduction(&self, depth: Depth, score: Score) -> Depth {
        let params = self.params;
        let counts = depth > params.raised_from && depth < params.raised_to && !score.is_decided();
        if counts { params.raised_reduction } else { 0 }
    }

    /// What a move looks like from the node at `ply`.
    pub(super) fn look(&self, ply: usize, point: Point, likeliest: Option<i32>) -> Look {
        let side = self.position.side();
        let likeliness = self.evaluator.moves(&self.position).of(point);
        let far = usize::MAX;
        let distance = |stone: Option<Point>| stone.map_or(far, |stone| stone.distance(point));
        Look {
            point,
            own: self.position.class(side, point),
            theirs: self.position.class(side.opponent(), point),
            from_own: distance(self.last_own(ply)),
            from_theirs: distance(self.last_theirs(ply)),
            gap: likeliest.map_or(0, |likeliest| likeliest - likeliness),
        }
    }

    /// The value of a node where no move could be tried.
    fn without_moves(&mut self, alpha: Score, node: Node, excluded: Point) -> Score {
        if excluded != Point::NONE {
            return alpha;
        }
        match node.outlook {
            // No answer, no four: an open four comes, and then the five.
            Outlook::Threatened => Score::loss_at(node.ply + 4),
            // A forbidden point has to be taken, which loses like a five.
            _ if !self.position.has_legal_move() => Score::loss_at(node.ply + 2),
            _ => self.eval_score(node.ply),
        }
    }

    /// Whether the node belongs to what was or is the principal variation: one
    /// that fails low after such a node does, one that refutes no longer.
    fn settle_pv(&mut self, ply: usize, depth: Depth, failed_low: bool) {
        if depth <= 3 * PLY && !failed_low {
            return;
        }
        let was_pv = if failed_low {
            ply > 0 && self.earlier(ply, 1).was_pv && depth > 3 * PLY || self.earlier(ply, 0).was_pv
        } else {
            self.earlier(ply, 0).was_pv && self.earlier(ply + 1, 0).was_pv
        };
        self.frame(ply).was_pv = was_pv;
    }

    fn remember<const PV: bool>(&self, alpha: Score, beta: Score, found: &Found, node: Node) {
        let best = found.best;
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let frame = self.earlier(node.ply, 0);
        self.table.store(
            self.node_key(node.ply),
            Entry {
                best: found.point,
                score: best.from_node(node.ply),
                eval: Some(frame.eval as i16),
                depth: node.depth,
                bound,
                was_pv: frame.was_pv,
            },
        );
    }

    /// How many moves of the node are tried.
    fn late_limit(&self, node: Node) -> usize {
        let plies = (node.depth.max(0) / PLY) as usize;
        let limit = self.late_limits[plies.min(self.late_limits.len() - 1)];
        if node.improving {
            limit
        } else {
            limit * self.params.late_falling as usize / 64
        }
    }

    /// Whether a move promises so little that it is not tried.
    fn is_hopeless(&self, node: Node, look: Look) -> bool {
        let params = &self.params;
        if node.depth < params.trivial_depth {
            let far_off =
                node.outlook == Outlook::Threatened && look.theirs < Class::Four && look.is_far();
            if look.is_trivial() || far_off {
                return true;
            }
        }
        look.gap > params.unlikely_base + params.unlikely_slope * node.depth / PLY
            && !look.own.is_four()
    }

    /// Whether the node will fail high, to judge by its estimate.
    fn expects_to_fail_high<const PV: bool>(&self, beta: Score, node: Node) -> bool {
        let params = &self.params;
        let threat = if node.outlook == Outlook::Open {
            0
        } else {
            params.high_threat
        };
        !PV && node.is_cut
            && node.estimate
                >= beta.units()
                    + params.high_margin
                    + params.high_slope * (node.depth / PLY)
                    + threat
    }

    /// How much deeper (below zero: less deep) a move is searched where a
    /// cutoff is near: only chains of fours have to be seen to their end.
    fn high_extension(&self, ply: usize, look: Look) -> Depth {
        if !look.own.is_four() {
            -self.params.high_reduction
        } else if self.earlier(ply, 2).class.is_four() {
            PLY
        } else {
            0
        }
    }

    /// Searches one move: late ones less deep and with a null window first.
    fn try_move<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        found: &Found,
        node: Node,
        look: Look,
        extension: Depth,
    ) -> Score {
        let Node { ply, is_cut, .. } = node;
        let tried = found.tried;
        let mut full = node.depth - PLY + extension;
        let inherited = if ply > 0 {
            self.earlier(ply, 1).extension
        } else {
            0
        };
        self.frame(ply).extension = inherited + (extension - PLY).max(0);
        let is_late = node.depth >= 2 * PLY && tried > 1;
        let reduction = if is_late {
            self.reduction::<PV>(node, beta - alpha.units(), look, tried)
        } else {
            0
        };
        if PV {
            self.lines.clear(ply + 1);
        }
        self.play(ply, look.point);
        let mut score = alpha + 1;
        if is_late {
            let reduced = (full - reduction).min(full + PLY).max(PLY);
            self.frame(ply).reduction = full - reduced;
            score = -self.node::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = 0;
            if score > alpha && reduced < full {
                let change = self.deeper(full, reduced, score, alpha, found.best);
                full += change;
                self.frame(ply).extension += (change - PLY).max(0);
                if reduced < full {
                    score = -self.node::<false>(-alpha - 1, -alpha, full, ply + 1, !is_cut);
                }
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

    /// How much the depth changes for a late move that turned out well.
    fn deeper(
        &self,
        full: Depth,
        reduced: Depth,
        score: Score,
        alpha: Score,
        best: Score,
    ) -> Depth {
        let plies = (full - reduced) / PLY;
        let above = score.units() - alpha.units();
        let mut change = 0;
        if above > self.params.deeper_margin + self.params.deeper_slope * plies {
            change += PLY;
        }
        if above > self.params.deepest_margin + self.params.deepest_slope * plies {
            change += PLY;
        }
        if score.units() < best.units() + full / PLY {
            change -= PLY;
        }
        change
    }

    /// How much less deep a move is searched for coming late.
    pub(super) fn reduction<const PV: bool>(
        &self,
        node: Node,
        window: Score,
        look: Look,
        tried: usize,
    ) -> Depth {
        let params = &self.params;
        let logs = ln_plies(node.depth) * ln_moves(tried) / 1024;
        let mut reduction = logs * params.reduction_scale / (1024 * 1024 / PLY);
        if PV {
            let share = window.units().min(self.root_window) * params.reduction_window;
            reduction = (reduction - share / self.root_window.max(1)).max(0);
        } else if !node.improving && reduction > PLY {
            reduction += params.reduction_falling;
        }
        if self.earlier(node.ply, 0).was_pv {
            reduction -= params.reduction_pv;
        }
        reduction += self.reduction_by_place(node, look);
        reduction +=
            (look.gap * params.reduction_unlikely / 1024).min(params.reduction_unlikely_max);
        let side = self.position.side();
        let forcing = look.own >= Class::OpenThree;
        let follow = (self.history).follow(side, forcing, self.seen(node.ply), look.point);
        let history = self.history.standing(side, look.point)
            + follow * params.reduction_follow / 64
            - params.reduction_history_zero;
        reduction - history * PLY / params.reduction_history
    }

    /// The part of a reduction that comes from where the move is and what it
    /// threatens.
    fn reduction_by_place(&self, node: Node, look: Look) -> Depth {
        let params = &self.params;
        let mut reduction = 0;
        let is_threatened = node.outlook != Outlook::Open;
        let is_killer = !is_threatened
            && look.own < Class::OpenThree
            && self.earlier(node.ply, 0).killers.contains(&look.point);
        if node.is_cut && !is_killer {
            reduction += params.reduction_cut;
        }
        if is_threatened && look.theirs < Class::Four {
            if look.from_theirs > 4 {
                reduction += params.reduction_far_theirs;
            }
            if look.from_own > 4 {
                reduction += params.reduction_far_own;
            }
        }
        if !is_threatened
            && self.earlier(node.ply, 2).class >= Class::OpenThree
            && (look.own >= Class::OpenThree || look.from_own <= 4 && look.own >= Class::DoubleTwo)
        {
            reduction -= params.reduction_attack;
        }
        let false_forbidden = self.position.rule() == Rule::Renju
            && self.position.class(Color::Black, look.point) == Class::Forbidden;
        if false_forbidden {
            reduction -= params.reduction_false_forbidden;
        } else if look.is_trivial() {
            reduction += if look.is_far() {
                params.reduction_trivial_far
            } else {
                params.reduction_trivial
            };
        } else if look.own < Class::DoubleTwo && look.theirs < Class::OpenThree {
            reduction += params.reduction_quiet;
        }
        reduction
    }
}
