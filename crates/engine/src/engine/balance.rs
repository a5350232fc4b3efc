//! Stones after which the value is near a target, found by sequential halving.
//!
//! Every candidate gets a short search. The half nearest to the target gets one
//! twice as long, and so on. So most of the time goes to the few best candidates,
//! no matter how many there are at first.

use super::request::Event;
use super::runner::Runner;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::{Point, Symmetry};
use crate::score::Score;
use crate::search::{Limits, Line};

/// The nodes of each search in the first round.
const FIRST_NODES: u64 = 400;

/// The maximum number of pairs or triples that are searched, the nearest by the evaluation.
const MOST: usize = 192;

/// The number of candidates that are searched to the end.
const FINALISTS: usize = 6;

/// The number of second stones that are searched after each first stone.
const SECOND_STONES: usize = 4;

/// The maximum depth of the search of a candidate.
const DEEP_ENOUGH: u32 = 40;

/// Stones that may be placed, and the value after them.
pub(super) struct Candidate {
    pub(super) stones: Vec<Point>,
    /// The value for the side to move before the stones.
    pub(super) score: Score,
    /// The result of the last search of the candidate.
    info: Option<Line>,
}

/// The result of one round of searches.
struct HalvingRound {
    /// The number of candidates that there was time for.
    searched: usize,
    /// True if no search needed all of its nodes.
    exhausted: bool,
}

impl Candidate {
    /// A candidate that has not been searched yet.
    pub(super) fn new(stones: Vec<Point>, score: Score) -> Candidate {
        Candidate {
            stones,
            score,
            info: None,
        }
    }

    /// The distance of the value from `bias`.
    fn off(&self, bias: i32) -> i32 {
        (self.score.units() - bias).abs()
    }
}

impl Runner<'_, '_> {
    /// The stone, or pair of stones, that brings the value nearest to `bias`
    /// for the side to move.
    pub(super) fn balance(&mut self, pair: bool, bias: i32) -> Option<Vec<Point>> {
        let bias = bias.clamp(-Score::MAX_EVAL.units(), Score::MAX_EVAL.units());
        let candidates = if pair {
            self.pairs(bias)
        } else {
            self.singles()
        };
        self.nearest(candidates, bias).map(|nearest| nearest.stones)
    }

    /// The candidate nearest to `bias`, after as much search as time allows.
    pub(super) fn nearest(
        &mut self,
        mut candidates: Vec<Candidate>,
        bias: i32,
    ) -> Option<Candidate> {
        candidates.sort_by_key(|candidate| candidate.off(bias));
        let mut nodes = FIRST_NODES;
        loop {
            let round = self.halving_round(&mut candidates, nodes);
            // A stopped round counts as far as it came, because it began with the
            // best candidates of the last one.
            if round.searched > 0 {
                candidates.truncate(round.searched);
            }
            candidates.sort_by_key(|candidate| candidate.off(bias));
            let first = candidates.first()?;
            let info = first.info.clone().unwrap_or_else(|| self.guess(first));
            self.reporter.emit(Event::Info(info));
            let few = candidates.len() <= FINALISTS;
            if self.is_over() || self.reporter.past_optimum() || round.exhausted && few {
                return candidates.into_iter().next();
            }
            candidates.truncate(candidates.len().div_ceil(2).max(FINALISTS));
            nodes = nodes.saturating_mul(2);
        }
    }

    /// The line of a candidate that was only evaluated.
    fn guess(&self, candidate: &Candidate) -> Line {
        self.line(Line::new(candidate.score, candidate.stones.clone()), 0, 1)
    }

    /// Searches one candidate after another with this many nodes.
    fn halving_round(&mut self, candidates: &mut [Candidate], nodes: u64) -> HalvingRound {
        let limits = Limits {
            nodes,
            depth: self.task.limits.depth.min(DEEP_ENOUGH),
            draw_rule: self.task.limits.draw_rule,
            ..Limits::default()
        };
        let mut round = HalvingRound {
            searched: 0,
            exhausted: true,
        };
        for candidate in candidates {
            self.begin_move(candidate.stones[0]);
            let result = self.search_after(&candidate.stones, limits);
            if self.is_over() {
                break;
            }
            self.end_move(candidate.stones[0], result.score);
            round.searched += 1;
            round.exhausted &= result.nodes < nodes;
            candidate.score = result.score;
            candidate.info = Some(self.line(result, 0, 1));
        }
        round
    }

    /// Every single stone, evaluated, with only one of each group of symmetric ones.
    fn singles(&mut self) -> Vec<Candidate> {
        let mut position = self.task.position.clone();
        let mut evaluator = self.evaluator(&position);
        let points = self.moves(&mut position);
        let points = essentially_different(&position, points);
        let evaluated = |point| {
            position.play(point);
            let score = -evaluator.evaluate(&position);
            position.undo();
            Candidate::new(vec![point], score)
        };
        points.into_iter().map(evaluated).collect()
    }

    /// For every first stone the few second stones that come nearest to `bias`
    /// by the evaluation. First stones that decide the game are left out, unless
    /// all do.
    pub(super) fn pairs(&mut self, bias: i32) -> Vec<Candidate> {
        let mut firsts = self.singles();
        firsts.sort_by_key(|first| first.off(bias));
        self.halving_round(&mut firsts, FIRST_NODES);
        if firsts.iter().any(|first| !first.score.is_decided()) {
            firsts.retain(|first| !first.score.is_decided());
        }
        let mut candidates = Vec::new();
        for first in firsts.iter().map(|first| first.stones[0]) {
            // There are a hundred thousand pairs on large boards.
            if !candidates.is_empty() && self.reporter.is_over() {
                break;
            }
            let mut position = self.task.position.clone();
            position.play(first);
            let mut seconds = self.evaluated(position, bias);
            seconds.truncate(SECOND_STONES);
            let pair = |(second, score)| Candidate::new(vec![first, second], score);
            candidates.extend(seconds.into_iter().map(pair));
        }
        nearest_evaluated(candidates, bias)
    }

    /// The moves of `position` with the evaluation after each, for the side that
    /// moves two plies later. Those nearest to `bias` come first.
    fn evaluated(&self, mut position: Position, bias: i32) -> Vec<(Point, Score)> {
        let mut evaluator = self.evaluator(&position);
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

/// The candidates nearest to `bias` by the evaluation, at most [`MOST`].
pub(super) fn nearest_evaluated(mut candidates: Vec<Candidate>, bias: i32) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| candidate.off(bias));
    candidates.truncate(MOST);
    candidates
}

/// One point of each group that symmetries of the position map onto each other.
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
