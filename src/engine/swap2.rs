//! The swap2 opening: the first player puts three stones, the second takes
//! either colour or puts two more and leaves the choice to the first.
//!
//! Whoever chooses takes the better side. So stones are put such that no side
//! is better, and a choice is made by the value that the search finds.

use super::balance::Plan;
use super::study::Study;
use super::task::Answer;
use super::worker::any_answer;
use crate::eval::{Classical, Score};
use crate::position::Position;
use crate::rules::Point;
use crate::search::Outcome;

/// From this value on a side is taken; below it the choice is worth so little
/// that it is left to the opponent, after two more stones.
const CLEAR: i32 = 60;

/// Random triples that are evaluated, for the best of them to be searched.
const TRIPLES: usize = 600;

/// An opening gets this much time at most, in milliseconds: more would find
/// nothing better, and GUIs without limits have nobody who says stop.
const LONGEST: u64 = 15_000;

/// What a search says of the position for the side to move.
struct Verdict {
    /// By complete iterations alone, even where there is none: one that was cut
    /// short has not seen every move, and colours are not changed on a guess.
    value: Score,
    outcome: Outcome,
}

impl Study<'_, '_> {
    /// The next step of the opening, by the number of stones.
    pub(super) fn opening(&mut self) -> Option<Answer> {
        let whole = self.driver.optimum().min(LONGEST);
        match self.job.position.ply() {
            0 => {
                self.work_until(whole);
                let triples = self.triples();
                let best = self.narrow(triples, 0);
                // On a board that is all but full none may have been found.
                Some(best.map_or_else(|| any_answer(self.job), |plan| Answer::Stones(plan.stones)))
            }
            3 => self.choose_among_three(whole),
            _ => self.choose_side(whole),
        }
    }

    /// Either colour, or two more stones where neither is clearly better.
    fn choose_among_three(&mut self, whole: u64) -> Option<Answer> {
        self.work_until(whole / 3);
        let verdict = self.verdict();
        if verdict.value.units().abs() >= CLEAR {
            return self.take(verdict, whole);
        }
        self.work_until(whole / 10 * 9);
        let pairs = self.pairs(0);
        match self.narrow(pairs, 0) {
            Some(plan) if plan.score.units().abs() < CLEAR => Some(Answer::Stones(plan.stones)),
            _ => self.take(verdict, whole),
        }
    }

    /// One of the two colours.
    fn choose_side(&mut self, whole: u64) -> Option<Answer> {
        self.work_until(whole);
        let verdict = self.verdict();
        self.take(verdict, whole)
    }

    /// What a search says of the position.
    fn verdict(&mut self) -> Verdict {
        let (outcome, settled) = self.search_settled(&self.job.position, self.job.limits);
        Verdict {
            value: settled.unwrap_or(Score::ZERO),
            outcome,
        }
    }

    /// Takes the better side. To stay is to move: with the best move that can
    /// be found in time.
    fn take(&mut self, verdict: Verdict, until: u64) -> Option<Answer> {
        if verdict.value < Score::ZERO {
            return Some(Answer::Swap);
        }
        let mut outcome = verdict.outcome;
        self.work_until(until);
        if !self.is_over() {
            let later = self.search(&self.job.position, self.job.limits);
            if later.depth >= outcome.depth {
                outcome = later;
            }
        }
        self.choice(outcome).map(Answer::Move)
    }

    /// Three random stones in a small square anywhere on the board, many times.
    fn triples(&self) -> Vec<Plan> {
        let mut random = fastrand::Rng::new();
        let position = &self.job.position;
        let side = position.side();
        (0..TRIPLES)
            .filter_map(|_| {
                let stones = triple(position, &mut random)?;
                let excluded = &self.job.limits.excluded;
                // Stones that are nobody's do not count as moves.
                let free = |&point: &Point| position.is_empty(point) && !excluded.has(point);
                if !stones.iter().all(free) {
                    return None;
                }
                let mut after = position.clone();
                for &point in &stones {
                    after.play(point);
                }
                let score = Classical::new(&after).evaluate(&after);
                let score = if after.side() == side { score } else { -score };
                Some(Plan::new(stones, score))
            })
            .collect()
    }
}

/// Three different points of a random square of four to six columns.
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
