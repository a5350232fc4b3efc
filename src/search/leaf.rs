//! Beyond the horizon: only fours that make something else too, and the answers
//! they force.

use super::MAX_PLY;
use super::depth::{Depth, PLY};
use super::picker::Picker;
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::eval::Score;
use crate::pattern::Class;
use crate::rules::Point;
use crate::threats::{Outlook, outlook};

impl Worker<'_> {
    /// The value of a node where only such fours are tried (`depth` is zero or
    /// less): the evaluation, or better if fours win or gain something.
    pub(super) fn leaf(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score {
        if self.is_over() {
            return Score::ZERO;
        }
        self.selective = self.selective.max(ply);
        let outlook = outlook(&mut self.position);
        if let Some(score) = self.certain(outlook, ply) {
            return score;
        }
        if let Outlook::Forced(point) = outlook
            && ply + 1 < MAX_PLY
        {
            let eval = self.evaluate(ply, outlook);
            self.frame(ply).eval = eval;
            self.play(ply, point);
            let score = -self.leaf(-beta, -alpha, depth, ply + 1);
            self.undo();
            return score;
        }
        let key = self.position.key();
        let entry = self.table.probe(key);
        if let Some(entry) = entry {
            let score = entry.score(ply);
            if entry.depth >= depth && entry.settles(score, beta) {
                return score;
            }
        }
        let eval = entry
            .and_then(|entry| entry.eval)
            .map_or_else(|| self.evaluate(ply, outlook), i32::from);
        self.frame(ply).eval = eval;
        let mut best = Score::new(eval);
        if let Some(entry) = entry {
            let score = entry.score(ply);
            if entry.settles(score, best) {
                best = score;
            }
        }
        if best >= beta || ply + 1 >= MAX_PLY {
            return best;
        }
        let before = alpha;
        alpha = alpha.max(best);
        let mut best_point = Point::NONE;
        let mut picker = Picker::new(Point::NONE);
        while let Some(point) = picker.next(|moves| {
            let side = self.position.side();
            let scores = self.evaluator.moves(&self.position);
            for point in self
                .position
                .fours(side)
                // A four that makes nothing else wins nothing, and trying it
                // costs more than the rare line it prepares is worth.
                .filter(|&point| self.position.class(side, point) > Class::Four)
            {
                let likeliness = scores.of(point);
                moves.push(point, likeliness, likeliness);
            }
        }) {
            if self.position.forbidden(point).is_some() {
                continue;
            }
            self.play(ply, point);
            let score = -self.leaf(-beta, -alpha, depth - PLY, ply + 1);
            self.undo();
            if self.stopped {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_point = point;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            key,
            Entry {
                best: best_point,
                score: best.from_node(ply),
                eval: Some(eval as i16),
                depth,
                bound,
                was_pv: false,
            },
        );
        best
    }
}
