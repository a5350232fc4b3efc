//! The root: iterative deepening with aspiration windows.

use super::depth::{Depth, PLY};
use super::node::Node;
use super::picker::PickedMove;
use super::report::{Line, Report};
use super::root_moves::{RootMove, root_moves, root_status, root_win};
use super::search_thread::{SearchContext, SearchThread, ThreadData};
use crate::eval::{Evaluator, MoveScore};
use crate::score::{Score, Window};
use crate::threats::ThreatStatus;

/// The first iteration with an aspiration window.
const ASPIRATION_DEPTH: u32 = 5;

/// An aspiration window that would have to be wider than this is opened on the
/// side where it failed.
const MAX_ASPIRATION_WIDTH: i32 = 1000;

/// The number of nodes at which quiescence tries no more fours in the first iteration, if that
/// is no more than half of the search. Where there are many fours the iteration would take tens
/// of thousands of nodes, and until it is complete most moves have no value. Other positions
/// need fewer than two hundred.
const FOURS_END: u64 = 400;

/// One thread's search of the position in `context`, which tells `report`, if
/// there is one, what it finds. The first iteration has the depth `first_depth`.
pub(super) fn search<'a, E: Evaluator>(
    context: SearchContext<'a, E>,
    data: &'a mut ThreadData,
    first_depth: u32,
    report: Option<&'a mut dyn Report>,
) -> Line {
    let thread = SearchThread::new(context, data, report);
    Root::new(thread).iterate(first_depth)
}

/// The search of a root position.
struct Root<'a, E: Evaluator> {
    thread: SearchThread<'a, E>,
    /// The best move comes first.
    moves: Vec<RootMove>,
    status: ThreatStatus,
    /// True if the only move is known to win, although no iteration may have seen it yet.
    has_win: bool,
    best_move_score: MoveScore,
    /// The score of the last complete iteration, or what has become known since; the
    /// evaluation before the first iteration, and zero where there is no move.
    score: Score,
    /// The depth of the last complete iteration.
    depth: u32,
}

impl<'a, E: Evaluator> Root<'a, E> {
    fn new(mut thread: SearchThread<'a, E>) -> Root<'a, E> {
        let status = root_status(&mut thread);
        let win = root_win(&mut thread);
        let moves = root_moves(&mut thread, status, win);
        let move_scores = moves.iter().map(|root_move| root_move.move_score);
        let score = if moves.is_empty() {
            Score::ZERO
        } else {
            thread.evaluator.evaluate(&thread.position)
        };
        Root {
            best_move_score: move_scores.max().unwrap_or_default(),
            score,
            thread,
            moves,
            status,
            has_win: win.is_some(),
            depth: 0,
        }
    }

    /// Iterative deepening.
    fn iterate(mut self, first_depth: u32) -> Line {
        if self.moves.is_empty() {
            return self.result();
        }
        // If the side to move can make a five, or the game ends by its limit of moves, there is
        // nothing to search.
        let is_known = self.status == ThreatStatus::Win(1) || self.thread.moves_left() == 0;
        if is_known && let Some(score) = self.thread.known_score(self.status, 0) {
            self.score = score;
            return self.result();
        }
        if self.thread.must_stop() {
            return self.result();
        }
        let last_depth = self.thread.limits.depth;
        for depth in first_depth.min(last_depth)..=last_depth {
            self.thread.fours_end = match depth {
                1 => FOURS_END.min(self.thread.limits.nodes / 2),
                _ => u64::MAX,
            };
            let score = self.aspiration_search(depth, self.score);
            if self.thread.stopped {
                break;
            }
            self.depth = depth;
            self.score = score;
            let line = self.line();
            self.report(|report| report.progress(&line));
            if self.is_settled(score) {
                break;
            }
        }
        self.result()
    }

    /// Returns whether deeper iterations could not change what is played, or what it is worth
    /// where that is asked for.
    fn is_settled(&self, score: Score) -> bool {
        match score.plies() {
            // A shorter win or a longer defence may still turn up for a while.
            Some(plies) => self.depth as usize > plies + 4,
            None => {
                let is_single = self.moves.len() == 1 && self.depth >= 4;
                is_single && !self.has_win && !self.thread.limits.deepens_single_move
            }
        }
    }

    /// One iteration, in a window around the last score that is widened until
    /// the true score lies inside.
    fn aspiration_search(&mut self, depth: u32, last_score: Score) -> Score {
        let mut width = self.thread.params.aspiration_width;
        let mut window = if depth >= ASPIRATION_DEPTH && !last_score.is_decided() {
            Window::around(last_score, width)
        } else {
            Window::FULL
        };
        loop {
            let score = self.search_moves(window, depth as Depth * PLY);
            if self.thread.stopped {
                return score;
            }
            width += width / 2 + 5;
            let is_wide = width > MAX_ASPIRATION_WIDTH;
            if window.fails_low(score) {
                window.alpha = if is_wide {
                    -Score::INFINITE
                } else {
                    score.max(-Score::MAX_EVAL) - width
                };
            } else if window.fails_high(score) {
                // If the wider search is stopped before this move is done, the
                // lower bound is what is known of it.
                self.score = score;
                window.beta = if is_wide {
                    Score::INFINITE
                } else {
                    score.min(Score::MAX_EVAL) + width
                };
            } else {
                return score;
            }
        }
    }

    /// Searches the root moves and brings the best one to the front.
    fn search_moves(&mut self, mut window: Window, depth: Depth) -> Score {
        self.start_iteration(window);
        let mut best_score = -Score::INFINITE;
        for index in 0..self.moves.len() {
            let point = self.moves[index].point;
            self.report(|report| report.searching(point));
            let score = self.search_move(window, depth, index);
            if self.thread.stopped {
                return best_score;
            }
            self.report(|report| report.searched(point, score));
            best_score = best_score.max(score);
            let raises_alpha = !window.fails_low(score);
            if index == 0 || raises_alpha {
                let root_move = &mut self.moves[index];
                root_move.score = score;
                root_move.pv.truncate(1);
                root_move.pv.extend(self.thread.pv.after_root_move());
            }
            if raises_alpha {
                if index > 0 {
                    self.report(|report| report.new_best(point));
                }
                self.moves[..=index].rotate_right(1);
                window.alpha = score;
            }
            if window.fails_high(score) {
                break;
            }
        }
        best_score
    }

    /// Sets up the root's stack entry, and forgets the scores of the last
    /// iteration.
    fn start_iteration(&mut self, window: Window) {
        let thread = &mut self.thread;
        thread.pv.clear(0);
        thread.root_width = window.width();
        let static_eval = thread.evaluate(0, ThreatStatus::Quiet);
        let entry = &mut thread.stack[0];
        entry.static_eval = static_eval;
        entry.double_extension = 0;
        entry.tt_pv = true;
        for root_move in &mut self.moves {
            root_move.score = -Score::INFINITE;
        }
    }

    /// Searches a root move: all but the first with a null window first, late
    /// ones also reduced.
    fn search_move(&mut self, window: Window, depth: Depth, index: usize) -> Score {
        let root_move = &self.moves[index];
        let picked = PickedMove {
            point: root_move.point,
            score_gap: self.best_move_score.units() - root_move.move_score.units(),
        };
        let thread = &mut self.thread;
        let info = thread.move_info(0, picked, index + 1);
        let is_late = index >= 2 && depth >= 2 * PLY;
        let reduction = if is_late {
            let node = Node::new(depth, 0, false, self.status);
            thread.lmr::<true>(window, node, info)
        } else {
            0
        };
        thread.play(0, info.point);
        let full = depth - PLY;
        let null_window = -window.null();
        let mut score = window.alpha + 1;
        if index > 0 {
            let reduced = if is_late {
                (full - reduction).min(full + PLY).max(PLY)
            } else {
                full
            };
            thread.stack[0].reduction = full - reduced;
            score = -thread.alphabeta::<false>(null_window, reduced, 1, true);
            thread.stack[0].reduction = 0;
            if score > window.alpha && reduced < full {
                score = -thread.alphabeta::<false>(null_window, full, 1, true);
            }
        }
        if score > window.alpha {
            thread.pv.clear(1);
            score = -thread.alphabeta::<true>(-window, full, 1, false);
        }
        thread.undo();
        score
    }

    /// Reports to the caller, if this is the thread that does so.
    fn report(&mut self, send: impl FnOnce(&mut dyn Report)) {
        if let Some(report) = &mut self.thread.report {
            send(*report);
        }
    }

    fn line(&self) -> Line {
        let best = self.moves.first();
        Line {
            depth: self.depth,
            seldepth: self.thread.seldepth as u32,
            nodes: self.thread.total_nodes(),
            ..Line::new(self.score, best.map_or(Vec::new(), |best| best.pv.clone()))
        }
    }

    fn result(mut self) -> Line {
        // An iteration that was stopped still counts as far as it came; but as
        // long as a move has not been tried the game is not lost.
        if let Some(best) = self.moves.first()
            && best.score > -Score::INFINITE
            && !(self.thread.stopped && best.score.is_loss())
        {
            self.score = best.score;
        }
        Line {
            nodes: self.thread.nodes,
            ..self.line()
        }
    }
}
