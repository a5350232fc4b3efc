//! The review of a game as a job of a session, and its reports.

use super::job_id::JobId;
use quincunx_analysis::review::{
    GameReview, MoveReview, ReviewLimits, ReviewStep, ReviewSummary, StepResult,
};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_records::GameRecord;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game that a session wants reviewed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewJob {
    /// Its number.
    pub id: JobId,
    #[serde(with = "record")]
    pub(super) record: GameRecord,
}

/// New results of a review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewReport {
    /// Black's chances in more positions, each with the number of moves before it.
    pub positions: Vec<(usize, f64)>,
    /// The reviews of more moves.
    pub moves: Vec<MoveReview>,
    /// The number of steps so far, and of all.
    pub steps: (usize, usize),
    /// The conclusions, which end the job.
    pub summary: Option<ReviewSummary>,
}

impl ReviewJob {
    /// The last position of the game, which has all its stones.
    pub fn position(&self) -> Option<Position> {
        let rule = self.record.rule.unwrap_or_default();
        let game = self.record.replay(rule).ok()?;
        Some(game.position().clone())
    }

    /// Reviews the game until it is done or `stop` returns true. `report` is called with the
    /// results of every step. The last report is returned, unless the review was stopped or has
    /// failed.
    pub(super) fn review(
        &self,
        weights: &Arc<WeightSet>,
        stop: &dyn Fn() -> bool,
        report: &mut dyn FnMut(ReviewReport),
    ) -> Option<ReviewReport> {
        let limits = ReviewLimits::default();
        let mut progress = |step: ReviewStep<'_>| report(step.into());
        let review = GameReview::watched(&self.record, weights, limits, stop, &mut progress);
        Some(ReviewReport {
            summary: Some(review.ok()??.summary),
            ..ReviewReport::default()
        })
    }
}

impl ReviewReport {
    /// Adds the results of a later report.
    pub(super) fn add(&mut self, later: ReviewReport) {
        self.positions.extend(later.positions);
        self.moves.extend(later.moves);
        if later.steps.1 > 0 {
            self.steps = later.steps;
        }
        self.summary = later.summary.or(self.summary.take());
    }
}

impl From<ReviewStep<'_>> for ReviewReport {
    fn from(step: ReviewStep<'_>) -> ReviewReport {
        let mut report = ReviewReport {
            steps: (step.done, step.steps),
            ..ReviewReport::default()
        };
        match step.result {
            StepResult::Position { number, black } => report.positions.push((number, black)),
            StepResult::Move(played) => report.moves.push(played.clone()),
        }
        report
    }
}

/// A game as SGF.
mod record {
    use quincunx_records::{GameRecord, sgf};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        record: &GameRecord,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        sgf::write(record).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<GameRecord, D::Error> {
        sgf::read(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::game::{GameResult, Termination};
    use quincunx_engine::rules::{Color, Point, Rule};
    use quincunx_records::RecordedMove;

    /// Set-ups, passes, results and every rule travel too.
    #[test]
    fn a_review_travels() {
        for rule in Rule::ALL {
            let mut record = GameRecord::new(Some(rule), "13x9".parse().unwrap());
            record.setup = vec![(Color::Black, "a1".parse().unwrap())];
            record.first = Color::White;
            record.moves = vec![
                RecordedMove::new(Color::White, "e5".parse().unwrap()),
                RecordedMove::new(Color::Black, Point::NONE),
            ];
            record.result = Some(GameResult::loss(Color::White, Termination::Resignation));
            let job = ReviewJob {
                id: JobId(3),
                record,
            };
            let text = serde_json::to_string(&job).unwrap();
            let same: ReviewJob = serde_json::from_str(&text).unwrap();
            assert_eq!(same.id, job.id);
            let (same, job) = (same.record, job.record);
            assert_eq!((same.rule, same.size), (job.rule, job.size));
            assert_eq!((same.setup, same.first), (job.setup, job.first));
            assert_eq!((same.moves, same.result), (job.moves, job.result));
        }
    }
}
