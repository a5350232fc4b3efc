//! One thread's search: the position it plays on and all it remembers.

use super::depth::Depth;
use super::history::{History, bonus};
use super::params::{ORDER_COUNTER, ORDER_HISTORY, ORDER_KILLER, ORDER_THREAT_HISTORY};
use super::picker::{Moves, candidates};
use super::stack::{Frame, Lines};
use super::{Limits, MAX_PLY, POLL_INTERVAL, Report, Table};
use crate::eval::{Classical, Score};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use crate::threats::Outlook;

/// Everything a search needs besides the tree itself.
pub(super) struct Worker<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Classical,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) lines: &'a mut Lines,
    pub(super) report: &'a mut dyn Report,
    pub(super) limits: Limits,
    pub(super) nodes: u64,
    pub(super) next_poll: u64,
    pub(super) selective: usize,
    pub(super) stopped: bool,
    /// One frame a ply, after two that stand for what was before the root.
    frames: Box<[Frame]>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        position: &Position,
        table: &'a Table,
        history: &'a mut History,
        lines: &'a mut Lines,
        limits: Limits,
        report: &'a mut dyn Report,
    ) -> Worker<'a> {
        Worker {
            evaluator: Classical::new(position),
            position: position.clone(),
            table,
            history,
            lines,
            report,
            limits,
            nodes: 0,
            next_poll: 0,
            selective: 0,
            stopped: false,
            frames: vec![Frame::EMPTY; MAX_PLY + 3].into(),
        }
    }

    /// The frame of a ply.
    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + 2]
    }

    /// The frame `back` plies before `ply`, at most two.
    #[inline]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + 2 - back]
    }

    /// Whether the search must end now. Counts no nodes.
    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        if self.nodes >= self.limits.nodes || self.report.stop(self.nodes) {
            self.stopped = true;
        }
        self.next_poll = (self.nodes + POLL_INTERVAL).min(self.limits.nodes);
    }

    /// The value of a node that needs no search.
    #[inline]
    pub(super) fn certain(&self, outlook: Outlook, ply: usize) -> Option<Score> {
        match outlook {
            Outlook::Win(plies) => Some(Score::win_at(ply + plies)),
            Outlook::Loss(plies) => Some(Score::loss_at(ply + plies)),
            _ => (self.position.empty_points() == 0).then_some(Score::ZERO),
        }
    }

    /// Plays `point` from the node at `ply`.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, point: Point) {
        self.table.prefetch(self.position.key_after(point));
        let class = self.position.class(self.position.side(), point);
        let frame = self.frame(ply);
        frame.point = point;
        frame.class = class;
        self.nodes += 1;
        self.position.play_with(point, &mut self.evaluator);
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo_with(&mut self.evaluator);
    }

    /// Whether `point` would be a move of a kind that has a history of its
    /// own.
    #[inline]
    pub(super) fn is_forcing(&self, point: Point) -> bool {
        self.position.class(self.position.side(), point) >= Class::OpenThree
    }

    /// Fills in and scores the moves of the node at `ply`.
    pub(super) fn make_moves(&self, outlook: Outlook, ply: usize, moves: &mut Moves) {
        let position = &self.position;
        let side = position.side();
        let killers = self.earlier(ply, 0).killers;
        let counter = self.history.counter(side, self.earlier(ply, 1).point);
        for point in candidates(position, outlook).iter() {
            let forcing = self.is_forcing(point);
            let part = if forcing {
                ORDER_THREAT_HISTORY
            } else {
                ORDER_HISTORY
            };
            let history = self.history.get(side, forcing, point) / part;
            let mut score = self.evaluator.move_score(position, side, point) + history;
            if point == counter {
                score += ORDER_COUNTER;
            }
            if killers.contains(&point) {
                score += ORDER_KILLER;
            }
            moves.push(point, score);
        }
    }

    /// Remembers that `best` refuted the node at `ply`, and that `failed` did
    /// not.
    pub(super) fn learn(&mut self, ply: usize, depth: Depth, best: Point, failed: &[Point]) {
        let side = self.position.side();
        let reward = bonus(depth);
        let forcing = self.is_forcing(best);
        self.history.reward(side, forcing, best, reward);
        for &point in failed {
            let forcing = self.is_forcing(point);
            self.history.reward(side, forcing, point, -reward);
        }
        let before = self.earlier(ply, 1).point;
        self.history.set_counter(side, before, best);
        let frame = self.frame(ply);
        if !forcing && frame.killers[0] != best {
            frame.killers = [best, frame.killers[0]];
        }
    }

    /// The evaluation of the node at `ply`. Where a threat has to be met at
    /// once the sum over the board says little; the value of the node before,
    /// seen from the other side, says more.
    #[inline]
    pub(super) fn evaluate(&self, ply: usize, outlook: Outlook) -> i32 {
        if ply > 0 && matches!(outlook, Outlook::Forced(_) | Outlook::Threatened) {
            -self.earlier(ply, 1).eval
        } else {
            self.evaluator.evaluate(&self.position).units()
        }
    }

    /// The evaluation as a score.
    #[inline]
    pub(super) fn eval_score(&self, ply: usize) -> Score {
        Score::new(self.earlier(ply, 0).eval)
    }
}
