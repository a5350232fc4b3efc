//! One thread's search: the position it plays on and all it remembers.

use super::depth::Depth;
use super::history::{History, Part, Seen, bonus};
use super::picker::{Moves, candidates};
use super::stack::{Frame, Lines};
use super::team::Team;
use super::{Limits, MAX_PLY, Params, Report, Table};
use crate::eval::{Classical, Score};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use crate::threats::Outlook;

/// What every thread of a search is given.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) position: &'a Position,
    pub(super) table: &'a Table,
    pub(super) params: &'a Params,
    pub(super) team: &'a Team,
    pub(super) limits: &'a Limits,
}

/// Everything a search needs besides the tree itself.
pub(super) struct Worker<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Classical,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) lines: &'a mut Lines,
    /// Who hears of progress; none where another thread reports.
    pub(super) report: Option<&'a mut dyn Report>,
    pub(super) team: &'a Team,
    pub(super) limits: &'a Limits,
    pub(super) params: &'a Params,
    pub(super) nodes: u64,
    pub(super) next_poll: u64,
    pub(super) selective: usize,
    pub(super) stopped: bool,
    /// The width of the root's window, in units of a score.
    pub(super) root_window: i32,
    /// By depth in plies: how many moves of a node are tried.
    pub(super) late_limits: [usize; 128],
    /// By whether a move makes a four or three: the part of its history that
    /// counts for its place in the order.
    history_parts: [Part; 2],
    /// The same of what follows the last stones.
    follow_part: Part,
    /// One frame a ply, after some that stand for what was before the root.
    frames: Box<[Frame]>,
}

/// How many plies before the root have frames.
const BEFORE_ROOT: usize = 4;

impl<'a> Worker<'a> {
    pub(super) fn new(
        task: Task<'a>,
        history: &'a mut History,
        lines: &'a mut Lines,
        report: Option<&'a mut dyn Report>,
    ) -> Worker<'a> {
        let Task {
            position,
            table,
            params,
            team,
            limits,
        } = task;
        let mut frames = vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + 3];
        for back in 1..=BEFORE_ROOT {
            frames[BEFORE_ROOT - back].point = position.recent(back).unwrap_or(Point::NONE);
        }
        // The only floating point here: a power that falls within an error of
        // the library of a whole number is that number (of one ply).
        let late_limits = std::array::from_fn(|plies| {
            let power = (plies as f64).powf(f64::from(params.late_power) / 100.0);
            params.late_base as usize + power as usize
        });
        Worker {
            evaluator: Classical::new(position),
            position: position.clone(),
            table,
            history,
            lines,
            report,
            team,
            limits,
            params,
            nodes: 0,
            next_poll: 0,
            selective: 0,
            stopped: false,
            root_window: 1,
            late_limits,
            history_parts: [params.order_history, params.order_threat_history].map(Part::new),
            follow_part: Part::new(params.order_follow),
            frames: frames.into(),
        }
    }

    /// The frame of a ply.
    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The frame `back` plies before `ply`, at most four.
    #[inline]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - back]
    }

    /// Whether the search must end now. Counts no nodes.
    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let nodes = self.total_nodes();
        if (self.report.as_mut()).is_some_and(|report| report.stop(nodes)) {
            self.team.stop();
        }
        self.next_poll += self.team.claim();
        self.stopped = self.nodes >= self.next_poll;
    }

    /// Moves tried by all threads (those of others a little early).
    pub(super) fn total_nodes(&self) -> u64 {
        (self.team.granted() + self.nodes).saturating_sub(self.next_poll)
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
        self.position.play(point);
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
    }

    /// Whether `point` would be a move of a kind that has a history of its
    /// own.
    #[inline]
    pub(super) fn is_forcing(&self, point: Point) -> bool {
        self.position.class(self.position.side(), point) >= Class::OpenThree
    }

    /// The last stone of the side to move in the node at `ply`.
    #[inline]
    pub(super) fn last_own(&self, ply: usize) -> Option<Point> {
        Some(self.earlier(ply, 2).point).filter(|&point| point != Point::NONE)
    }

    /// The last stone of its opponent.
    #[inline]
    pub(super) fn last_theirs(&self, ply: usize) -> Option<Point> {
        Some(self.earlier(ply, 1).point).filter(|&point| point != Point::NONE)
    }

    /// Where points are, seen from the last stones in the node at `ply`.
    #[inline]
    pub(super) fn seen(&self, ply: usize) -> Seen {
        Seen::from([self.last_theirs(ply), self.last_own(ply)])
    }

    /// Fills in and scores the moves of the node at `ply`.
    pub(super) fn make_moves(&self, outlook: Outlook, ply: usize, moves: &mut Moves) {
        let position = &self.position;
        let side = position.side();
        let killers = self.earlier(ply, 0).killers;
        let counter = self.history.counter(side, self.earlier(ply, 1).point);
        let seen = self.seen(ply);
        let scores = self.evaluator.moves(position);
        for point in candidates(position, outlook).iter() {
            let forcing = self.is_forcing(point);
            let likeliness = scores.of(point);
            let main = self.history.get(side, forcing, point);
            let follow = self.history.follow(side, forcing, seen, point);
            let mut score = likeliness
                + self.history_parts[usize::from(forcing)].of(main)
                + self.follow_part.of(follow);
            if point == counter {
                score += self.params.order_counter;
            }
            if killers.contains(&point) {
                score += self.params.order_killer;
            }
            moves.push(point, likeliness, score);
        }
    }

    /// Remembers that `best` was the best move of the node at `ply`, and that
    /// `failed` were not.
    pub(super) fn learn(
        &mut self,
        ply: usize,
        depth: Depth,
        outlook: Outlook,
        best: Point,
        failed: &[Point],
    ) {
        let side = self.position.side();
        let reward = bonus(depth, self.params);
        let forcing = self.is_forcing(best);
        // What answers a threat says little of quiet moves elsewhere.
        let is_quiet = !forcing && outlook == Outlook::Open;
        let seen = self.seen(ply);
        if forcing || is_quiet {
            self.history.reward(side, forcing, best, reward);
            self.history
                .reward_follow(side, forcing, seen, best, reward);
        }
        for &point in failed {
            let forcing = self.is_forcing(point);
            if forcing || is_quiet {
                self.history.reward(side, forcing, point, -reward);
                self.history
                    .reward_follow(side, forcing, seen, point, -reward);
            }
        }
        let before = self.earlier(ply, 1).point;
        self.history.set_counter(side, before, best);
        let frame = self.frame(ply);
        if is_quiet && frame.killers[0] != best {
            frame.killers = [best, frame.killers[0]];
        }
    }

    /// Remembers that the table settled a node by this move.
    pub(super) fn learn_from_table(
        &mut self,
        depth: Depth,
        outlook: Outlook,
        best: Point,
        failed_high: bool,
    ) {
        if best == Point::NONE || outlook != Outlook::Open || self.is_forcing(best) {
            return;
        }
        let reward = bonus(depth, self.params);
        let side = self.position.side();
        let reward = if failed_high { reward } else { -reward };
        self.history.reward(side, false, best, reward);
    }

    /// The evaluation of the node at `ply`. Where a threat has to be met at
    /// once the sum over the board says little; the value of the node before,
    /// seen from the other side, says more.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize, outlook: Outlook) -> i32 {
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
