//! Stones after which the value is near a wish.
//!
//! Every continuation gets a short search; the better half, those nearest to
//! the wish, gets one twice as long, and so on. So the time goes to the few
//! that matter in the end, however many there are at first.

use super::Thought;
use super::study::Study;
use crate::eval::{Classical, Score};
use crate::position::Position;
use crate::rules::{Point, Symmetry};
use crate::search::Limits;

/// The nodes that each continuation gets in the first round.
const FIRST_NODES: u64 = 400;

/// So many continuations are looked at, the most promising by the evaluation.
const MOST: usize = 192;

/// So many go on to the end.
const FINALISTS: usize = 6;

/// How many answers to each first stone are looked at.
const ANSWERS: usize = 4;

/// The depth that no continuation needs to be looked at beyond.
const DEEP_ENOUGH: u32 = 40;

/// Stones to be put, and how far from the wish they lead.
pub(super) struct Plan {
    pub(super) stones: Vec<Point>,
    /// For the side to move now, before the stones.
    pub(super) score: Score,
    line: Option<Thought>,
}

/// How a round of searches went.
struct Round {
    /// How many plans there was time for.
    judged: usize,
    /// Whether all of them were searched to the end.
    exhausted: bool,
}

impl Plan {
    /// A plan that is only guessed at.
    pub(super) fn new(stones: Vec<Point>, score: Score) -> Plan {
        Plan {
            stones,
            score,
            line: None,
        }
    }

    fn off(&self, bias: i32) -> i32 {
        (self.score.units() - bias).abs()
    }
}

impl Study<'_, '_> {
    /// The stone, or pair of stones, that brings the value nearest to `bias`
    /// for the side to move.
    pub(super) fn balance(&mut self, pair: bool, bias: i32) -> Option<Vec<Point>> {
        let bias = bias.clamp(-Score::LIMIT.units(), Score::LIMIT.units());
        let plans = if pair {
            self.pairs(bias)
        } else {
            self.singles()
        };
        self.narrow(plans, bias).map(|plan| plan.stones)
    }

    /// The plan nearest to `bias`, after as much search as time allows.
    pub(super) fn narrow(&mut self, mut plans: Vec<Plan>, bias: i32) -> Option<Plan> {
        plans.sort_by_key(|plan| plan.off(bias));
        plans.truncate(MOST);
        let mut nodes = FIRST_NODES;
        loop {
            let round = self.judge(&mut plans, nodes);
            // A round that was cut short counts as far as it came: it began
            // with the best of the last one.
            if round.judged > 0 {
                plans.truncate(round.judged);
            }
            plans.sort_by_key(|plan| plan.off(bias));
            if let Some(line) = &plans.first()?.line {
                self.driver.show(line);
            }
            let few = plans.len() <= FINALISTS;
            if self.is_over() || self.driver.past_optimum() || round.exhausted && few {
                return plans.into_iter().next();
            }
            plans.truncate(plans.len().div_ceil(2).max(FINALISTS));
            nodes = nodes.saturating_mul(2);
        }
    }

    /// Searches behind one plan after another with so many nodes.
    fn judge(&mut self, plans: &mut [Plan], nodes: u64) -> Round {
        let limits = Limits {
            nodes,
            depth: self.job.limits.depth.min(DEEP_ENOUGH),
            ..Limits::default()
        };
        let mut round = Round {
            judged: 0,
            exhausted: true,
        };
        for plan in plans {
            self.begin_move(plan.stones[0]);
            let outcome = self.behind(&plan.stones, limits);
            if self.is_over() {
                break;
            }
            self.end_move(plan.stones[0], outcome.score);
            round.judged += 1;
            round.exhausted &= outcome.nodes < nodes;
            plan.score = outcome.score;
            plan.line = Some(self.thought(outcome, 0, 1));
        }
        round
    }

    /// Every single stone.
    fn singles(&mut self) -> Vec<Plan> {
        let mut position = self.job.position.clone();
        let points = self.moves(&mut position);
        let points = essentially_different(&position, points);
        points
            .into_iter()
            .map(|point| Plan::new(vec![point], Score::ZERO))
            .collect()
    }

    /// For every first stone the few answers that seem to come nearest to
    /// `bias`. First stones that decide the game are left out if others do not.
    pub(super) fn pairs(&mut self, bias: i32) -> Vec<Plan> {
        let mut firsts = self.singles();
        self.judge(&mut firsts, FIRST_NODES);
        if firsts.iter().any(|first| !first.score.is_decided()) {
            firsts.retain(|first| !first.score.is_decided());
        }
        let mut plans = Vec::new();
        for first in firsts.iter().map(|first| first.stones[0]) {
            let mut position = self.job.position.clone();
            position.play(first);
            let mut answers = self.evaluated(position, bias);
            answers.truncate(ANSWERS);
            let pairs = answers.into_iter();
            plans.extend(pairs.map(|(point, score)| Plan::new(vec![first, point], score)));
        }
        plans
    }

    /// The moves of `position` with the evaluation after each, seen from the
    /// side that moves two plies later; those nearest to `bias` first.
    fn evaluated(&self, mut position: Position, bias: i32) -> Vec<(Point, Score)> {
        let mut evaluator = Classical::new(&position);
        let mut moves: Vec<(Point, Score)> = self
            .moves(&mut position)
            .into_iter()
            .map(|point| {
                position.play(point);
                let score = evaluator.evaluate(&position);
                position.undo();
                (point, score)
            })
            .collect();
        moves.sort_by_key(|(_, score)| (score.units() - bias).abs());
        moves
    }
}

/// One of each group of points that the position's own symmetry makes alike.
fn essentially_different(position: &Position, points: Vec<Point>) -> Vec<Point> {
    let size = position.size();
    let keeps = |symmetry: &Symmetry| {
        size.iter().all(|point| {
            let image = symmetry.apply(size, point);
            position.stone(point) == position.stone(image)
                && position.is_empty(point) == position.is_empty(image)
        })
    };
    let symmetries: Vec<Symmetry> = size.symmetries().filter(keeps).collect();
    let is_first = |point: &Point| {
        let images = symmetries
            .iter()
            .map(|symmetry| symmetry.apply(size, *point));
        images.min() == Some(*point)
    };
    let (first, rest): (Vec<Point>, Vec<Point>) = points.into_iter().partition(is_first);
    if first.is_empty() { rest } else { first }
}
