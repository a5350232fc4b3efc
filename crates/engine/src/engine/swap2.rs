//! The swap2 opening: the first player places three stones, the second takes
//! either colour or places two more and leaves the choice to the first.
//!
//! The player who chooses takes the better side. So stones are placed such that neither
//! side is better, and a choice is made by the value that the search finds.

use super::balance::{Candidate, nearest_evaluated};
use super::request::Answer;
use super::runner::Runner;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::Point;
use crate::score::Score;
use crate::search::Line;

/// From this value on a side is clearly better, and is taken. Below it the engine places
/// two more stones and leaves the choice to the opponent.
const CLEAR: i32 = 60;

/// The number of random triples that are evaluated. The best of them are searched.
const TRIPLES: usize = 600;

/// The maximum time for a step of the opening, in milliseconds. More would find
/// nothing better, and without a time limit the search might not end.
const LONGEST: u64 = 15_000;

/// The value of the position for the side to move, by a search.
struct SideValue {
    /// The value of the last complete iteration, or the evaluation if there is none.
    /// An iteration that was stopped has not seen every move.
    value: Score,
    result: Line,
}

/// Returns whether the choice of a colour after this number of stones depends on nothing but the
/// value of the position.
pub(super) fn is_settled(stones: usize, value: Score) -> bool {
    match stones {
        0 => false,
        3 => value.units().abs() >= CLEAR,
        _ => true,
    }
}

impl Runner<'_, '_> {
    /// The next step of the opening, by the number of stones.
    pub(super) fn swap2(&mut self) -> Option<Answer> {
        let whole = self.task.time.optimum.min(LONGEST);
        match self.task.position.ply() {
            0 => {
                self.work_until(whole);
                let triples = self.triples();
                // On a board that is all but full there may be none.
                let best = self.nearest(triples, 0);
                best.map(|best| Answer::Stones(best.stones))
            }
            3 => self.choose_among_three(whole),
            _ => self.choose_side(whole),
        }
    }

    /// Either colour, or two more stones where neither is clearly better.
    fn choose_among_three(&mut self, whole: u64) -> Option<Answer> {
        self.work_until(whole / 3);
        let found = self.side_value();
        if is_settled(3, found.value) {
            return self.take(found, whole);
        }
        self.work_until(whole / 10 * 9);
        let pairs = self.pairs(0);
        match self.nearest(pairs, 0) {
            Some(pair) if pair.score.units().abs() < CLEAR => Some(Answer::Stones(pair.stones)),
            _ => self.take(found, whole),
        }
    }

    /// One of the two colours.
    fn choose_side(&mut self, whole: u64) -> Option<Answer> {
        self.work_until(whole);
        let found = self.side_value();
        self.take(found, whole)
    }

    /// The value of the position, by a search.
    fn side_value(&mut self) -> SideValue {
        let position = &self.task.position;
        let (result, settled) = self.search_settled(position, self.task.limits);
        SideValue {
            value: settled.unwrap_or_else(|| self.evaluator(position).evaluate(position)),
            result,
        }
    }

    /// Takes the better side: by a swap, or by the best move that can be found in time.
    fn take(&mut self, found: SideValue, until: u64) -> Option<Answer> {
        if found.value < Score::ZERO {
            return Some(Answer::Swap { info: None });
        }
        let mut result = found.result;
        self.work_until(until);
        if !self.is_over() {
            let later = self.search(&self.task.position, self.task.limits);
            if later.depth >= result.depth {
                result = later;
            }
        }
        self.best_of(result).map(Answer::Move)
    }

    /// Many triples of random stones, each in a small square of the board.
    fn triples(&mut self) -> Vec<Candidate> {
        let mut random = fastrand::Rng::new();
        let mut position = self.task.position.clone();
        let mut evaluator = self.evaluator(&position);
        let mut candidates = Vec::new();
        for _ in 0..TRIPLES {
            if !candidates.is_empty() && self.reporter.is_over() {
                break;
            }
            let excluded = &self.task.limits.excluded;
            // Stones that belong to neither side do not count as moves.
            let free = |&point: &Point| position.is_empty(point) && !excluded.has(point);
            let stones = triple(&position, &mut random);
            let Some(stones) = stones.filter(|stones| stones.iter().all(free)) else {
                continue;
            };
            for &point in &stones {
                position.play(point);
            }
            // The third stone leaves the other side to move.
            let score = -evaluator.evaluate(&position);
            for _ in &stones {
                position.undo();
            }
            candidates.push(Candidate::new(stones, score));
        }
        nearest_evaluated(candidates, 0)
    }
}

/// Three different points of a random square with four to six columns.
fn triple(position: &Position, random: &mut fastrand::Rng) -> Option<Vec<Point>> {
    let size = position.size();
    let side = random.usize(4..=6);
    let mut span = |length: usize| {
        let start = random.usize(0..=length.saturating_sub(side));
        (start, side.min(length))
    };
    let ((left, width), (top, height)) = (span(size.width()), span(size.height()));
    let mut stones = Vec::with_capacity(3);
    for _ in 0..3 {
        let point = Point::new(left + random.usize(0..width), top + random.usize(0..height));
        stones.push(point);
    }
    let different = stones[0] != stones[1] && stones[0] != stones[2] && stones[1] != stones[2];
    different.then_some(stones)
}
