//! The review of a game: what a session wants reviewed, what comes back, and how it is done on
//! the calling thread. Both may travel, as jobs of an engine do.

use super::job::JobId;
use super::tree::NodeId;
use quincunx_analysis::review::{Found, MoveClass, MoveReview, Review, ReviewLimits, ReviewStep};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Color;
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
    /// The nodes of the game, from the start on.
    pub(super) nodes: Vec<NodeId>,
}

/// News of a review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewReport {
    /// Black's chances that are new, in thousandths, each with the number of moves before it.
    pub positions: Vec<(usize, u16)>,
    /// The moves that are new.
    pub moves: Vec<Judged>,
    /// The number of steps so far, and of all.
    pub steps: (usize, usize),
    /// What there is to say at the end, which ends the job.
    pub end: Option<ReviewEnd>,
    /// The job could not be done.
    pub failed: bool,
}

/// What a review says of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The number of the move, from one.
    pub number: usize,
    /// How good it was.
    pub class: MoveClass,
    /// Black's chance to win before it, in thousandths.
    pub before: u16,
    /// Black's chance to win after it.
    pub after: u16,
    /// The line that begins with the best move.
    pub line: Vec<String>,
}

/// What a review says at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewEnd {
    /// The accuracy of black and white in per cent.
    pub accuracy: [Option<u8>; 2],
    /// The number of the last move at which the loser could still hold, and the move that
    /// would have.
    pub escape: Option<(usize, String)>,
    /// Whether every later move of the loser is proved to lose.
    pub certain: bool,
    /// Otherwise the number of the later move with which the game was lost by estimate.
    pub estimated: Option<usize>,
}

impl ReviewJob {
    /// The last position of the game, which has all its stones.
    pub fn position(&self) -> Option<Position> {
        let rule = self.record.rule.unwrap_or_default();
        let game = self.record.replay(rule).ok()?;
        Some(game.position().clone())
    }

    /// Reviews the game until it is done, or `stop` says that it is no longer wanted. `tell`
    /// hears what is new, again and again.
    pub fn work(
        &self,
        weights: &Arc<WeightSet>,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(ReviewReport),
    ) {
        let limits = ReviewLimits::default();
        let mut hear = |step: ReviewStep<'_>| tell(step.into());
        let made = Review::watched(&self.record, weights, limits, stop, &mut hear);
        tell(match made {
            Ok(Some(review)) => ReviewReport {
                end: Some((&review).into()),
                ..ReviewReport::default()
            },
            Ok(None) | Err(_) => ReviewReport::failure(),
        });
    }
}

impl ReviewReport {
    /// That a review can't be made.
    pub fn failure() -> ReviewReport {
        ReviewReport {
            failed: true,
            ..ReviewReport::default()
        }
    }

    /// Whether the job is done, one way or another.
    pub fn is_over(&self) -> bool {
        self.end.is_some() || self.failed
    }

    /// Adds what is new.
    #[cfg(feature = "threads")]
    pub(super) fn add(&mut self, news: ReviewReport) {
        self.positions.extend(news.positions);
        self.moves.extend(news.moves);
        if news.steps.1 > 0 {
            self.steps = news.steps;
        }
        self.end = news.end.or(self.end.take());
        self.failed |= news.failed;
    }
}

impl From<ReviewStep<'_>> for ReviewReport {
    fn from(step: ReviewStep<'_>) -> ReviewReport {
        let mut report = ReviewReport {
            steps: (step.done, step.steps),
            ..ReviewReport::default()
        };
        match step.found {
            Found::Position { number, black } => {
                report.positions.push((number, thousandths(black)));
            }
            Found::Move(played) => report.moves.push(played.into()),
        }
        report
    }
}

impl From<&MoveReview> for Judged {
    fn from(played: &MoveReview) -> Judged {
        let black = |chance: f64| match played.color {
            Color::Black => thousandths(chance),
            Color::White => thousandths(1.0 - chance),
        };
        Judged {
            number: played.number,
            class: played.class,
            before: black(played.before),
            after: black(played.after),
            line: played.line.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&Review> for ReviewEnd {
    fn from(review: &Review) -> ReviewEnd {
        let accuracy = |color| review.accuracy(color).map(|percent| percent.round() as u8);
        let escape = review.last_escape.as_ref();
        ReviewEnd {
            accuracy: Color::ALL.map(accuracy),
            escape: escape.map(|escape| (escape.number, escape.instead.to_string())),
            certain: escape.is_some_and(|escape| escape.certain),
            estimated: escape.and_then(|escape| escape.estimated),
        }
    }
}

fn thousandths(chance: f64) -> u16 {
    (chance * 1000.0).round() as u16
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
    use quincunx_engine::rules::{Point, Rule};
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
                nodes: vec![0, 4, 9],
            };
            let text = serde_json::to_string(&job).unwrap();
            let same: ReviewJob = serde_json::from_str(&text).unwrap();
            assert_eq!((same.id, same.nodes), (job.id, job.nodes));
            let (same, job) = (same.record, job.record);
            assert_eq!((same.rule, same.size), (job.rule, job.size));
            assert_eq!((same.setup, same.first), (job.setup, job.first));
            assert_eq!((same.moves, same.result), (job.moves, job.result));
        }
    }
}
