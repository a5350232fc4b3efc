//! Quiescence search: fours that make something else too, and their answers.

use super::depth::{Depth, PLY};
use super::limits::MAX_PLY;
use super::picker::{MoveList, MovePicker};
use super::search_thread::SearchThread;
use super::tt_entry::{Bound, TtEntry};
use crate::eval::Evaluator;
use crate::pattern::Class;
use crate::rules::{MAX_POINTS, Point};
use crate::score::{Score, Window};
use crate::threats::{ThreatStatus, answers, threat_status};
use arrayvec::ArrayVec;

impl<E: Evaluator> SearchThread<'_, E> {
    /// The static eval of the position, or a better score if fours win or gain
    /// something. `depth` is zero or less.
    pub(super) fn qsearch(&mut self, window: Window, depth: Depth, ply: usize) -> Score {
        if self.must_stop() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        let status = threat_status(&mut self.position);
        if let Some(score) = self.known_score(status, ply) {
            return score;
        }
        if let ThreatStatus::OnlyMove(point) = status
            && ply + 1 < MAX_PLY
        {
            self.stack[ply].static_eval = self.evaluate(ply, status);
            self.play(ply, point);
            let score = -self.qsearch(-window, depth, ply + 1);
            self.undo();
            return score;
        }
        if status == ThreatStatus::MustDefend && self.must_meet_five() && ply + 1 < MAX_PLY {
            return self.search_answers(window, depth, ply);
        }
        let key = self.position_key();
        let entry = self.tt.probe(key);
        if let Some(score) = entry.and_then(|entry| entry.cutoff(depth, ply, window)) {
            return score;
        }
        let static_eval = match entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => self.evaluate(ply, status),
        };
        self.stack[ply].static_eval = static_eval;
        let stand_pat = entry
            .and_then(|entry| entry.better_eval(static_eval, ply))
            .unwrap_or(static_eval);
        if window.fails_high(stand_pat) || ply + 1 >= MAX_PLY || self.has_tried_enough_fours() {
            return stand_pat;
        }
        let (best_move, best_score) = self.search_fours(window, stand_pat, depth, ply);
        if self.stopped {
            return Score::ZERO;
        }
        // What was left out may matter to later iterations.
        if self.has_tried_enough_fours() {
            return best_score;
        }
        self.tt.store(
            key,
            TtEntry {
                best: best_move,
                score: best_score.to_tt(ply),
                eval: Some(static_eval),
                depth,
                bound: Bound::of(best_score, window),
                tt_pv: false,
            },
        );
        best_score
    }

    /// Returns whether no more fours are tried in this iteration.
    #[inline]
    fn has_tried_enough_fours(&self) -> bool {
        self.nodes >= self.fours_end
    }

    /// Returns whether the opponent makes a five next.
    fn must_meet_five(&self) -> bool {
        let opponent = self.position.side().opponent();
        self.position.counts(opponent).any(Class::Five)
    }

    /// Searches the moves that stop a five, of which caro may have several. Returns the
    /// best score.
    fn search_answers(&mut self, mut window: Window, depth: Depth, ply: usize) -> Score {
        self.stack[ply].static_eval = self.evaluate(ply, ThreatStatus::MustDefend);
        let mut best_score = Score::loss_at(ply + 2);
        for point in answers(&self.position).iter() {
            self.play(ply, point);
            let score = -self.qsearch(-window, depth, ply + 1);
            self.undo();
            if self.stopped {
                return Score::ZERO;
            }
            best_score = best_score.max(score);
            window.raise_alpha(score);
            if window.is_closed() {
                break;
            }
        }
        best_score
    }

    /// Searches fours for a better score than `stand_pat`. Returns the four that
    /// raised alpha last and the best score.
    fn search_fours(
        &mut self,
        mut window: Window,
        stand_pat: Score,
        depth: Depth,
        ply: usize,
    ) -> (Point, Score) {
        window.raise_alpha(stand_pat);
        let mut best_score = stand_pat;
        let mut best_move = Point::NONE;
        let mut picker = MovePicker::new(Point::NONE);
        while let Some(picked) = picker.next(|moves| self.generate_fours(moves)) {
            let point = picked.point;
            if self.position.forbidden(point).is_some() {
                continue;
            }
            self.play(ply, point);
            let score = -self.qsearch(-window, depth - PLY, ply + 1);
            self.undo();
            if self.stopped {
                break;
            }
            best_score = best_score.max(score);
            if self.has_tried_enough_fours() {
                break;
            }
            if !window.fails_low(score) {
                window.alpha = score;
                best_move = point;
                if window.fails_high(score) {
                    break;
                }
            }
        }
        (best_move, best_score)
    }

    /// Generates the fours of the side to move. A four that makes nothing else
    /// wins nothing, and trying it costs more than the rare line it prepares is
    /// worth.
    fn generate_fours(&mut self, moves: &mut MoveList) {
        let side = self.position.side();
        let mut points = ArrayVec::<Point, MAX_POINTS>::new();
        points.extend(
            (self.position.fours(side))
                .filter(|&point| self.position.class(side, point).is_strong_four()),
        );
        self.score_moves(&points, &mut moves.scores);
        moves.rank(&points, |_, score| score.units());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;
    use crate::search::search_thread::tests::on_thread;

    /// The score and the number of moves tried.
    fn qsearch(moves: &str) -> (Score, u64) {
        let mut found = (Score::ZERO, 0);
        on_thread(Rule::Freestyle, moves, |thread| {
            let score = thread.qsearch(Window::FULL, 0, 0);
            assert_eq!(thread.position.ply(), moves_of(moves));
            found = (score, thread.nodes);
        });
        found
    }

    fn moves_of(moves: &str) -> usize {
        moves.matches(char::is_alphabetic).count()
    }

    #[test]
    fn a_quiet_position_has_its_static_eval() {
        assert_eq!(qsearch("h8h9"), (Score::ZERO, 0));
    }

    /// Black has a closed three and nothing else: its four would win nothing.
    #[test]
    fn a_four_that_makes_nothing_else_is_not_tried() {
        assert_eq!(qsearch("h8g8i8a1j8o15"), (Score::ZERO, 0));
    }

    /// Black makes fours at h7 and h8, which white has to answer at e4 and h9, and
    /// then two fours at once at j8.
    #[test]
    fn fours_that_win_are_found() {
        let (score, nodes) = qsearch("f10i11f5i10h11k10i9f7i8j9h10k9g6k6g8e8");
        assert!(score.is_win(), "{score}");
        assert!(nodes >= 2, "{nodes}");
    }

    #[test]
    fn a_four_is_answered() {
        let (score, nodes) = qsearch("h8g8i8a1j8o1k8");
        assert_eq!((score, nodes), (Score::ZERO, 1));
    }
}
