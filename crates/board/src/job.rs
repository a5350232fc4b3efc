//! Searches that a session asks for, and their reports. Both are serialized: a page in a browser
//! has its engine in a worker.

use super::solver_report::SolverReport;
use super::tree::NodeId;
use quincunx_engine::engine::{Answer, Line, Options, Request};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, PointSet};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of a job. A session never uses a number twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub(super) u64);

/// The purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// The engine's next step in the game: a move, stones of the opening, or a
    /// choice.
    Step,
    /// A move to recommend.
    Hint,
    /// The best moves, until it is stopped.
    Analysis,
    /// A forced win, with its proof.
    Proof,
    /// A forced win of the other side, if the side to move passed.
    Threat,
}

/// A search that a session wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// The purpose of the job.
    pub purpose: Purpose,
    /// The node of the position.
    pub(super) node: NodeId,
    /// The position.
    #[serde(with = "position")]
    pub position: Position,
    /// The request to the engine.
    pub request: Request,
    /// The points that the opening does not allow.
    pub excluded: PointSet,
    /// The options to search with.
    pub options: Options,
}

/// New results of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The lines found so far, the best first.
    pub lines: Vec<Line>,
    /// The answer, which ends the job.
    pub answer: Option<Answer>,
    /// The result of the search for a forced win, which ends the job.
    pub solution: Option<SolverReport>,
    /// The job could not be done.
    pub failed: bool,
}

/// The results of a job, some of which come while it goes on.
pub trait JobReport: Default + Send + 'static {
    /// The report of a job that can't be done.
    fn failure() -> Self;

    /// Returns true if the job is done or has failed.
    fn is_over(&self) -> bool;

    /// Adds the results of a later report.
    fn add(&mut self, later: Self);
}

impl JobReport for Report {
    fn failure() -> Report {
        Report {
            failed: true,
            ..Report::default()
        }
    }

    fn is_over(&self) -> bool {
        self.answer.is_some() || self.solution.is_some() || self.failed
    }

    fn add(&mut self, later: Report) {
        if !later.lines.is_empty() {
            self.lines = later.lines;
        }
        self.answer = later.answer.or(self.answer.take());
        self.solution = later.solution.or(self.solution.take());
        self.failed |= later.failed;
    }
}

/// A position as its line of text, and whether white is to move.
mod position {
    use super::*;
    use serde::de::Error;

    pub(super) fn serialize<S: Serializer>(
        position: &Position,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let (size, rule) = (position.size(), position.rule());
        let line = format!("{size} {rule} {}", position.move_text());
        (line, position.side() == Color::White).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Position, D::Error> {
        let (line, is_whites) = <(String, bool)>::deserialize(deserializer)?;
        let mut position = Position::from_line(&line).map_err(D::Error::custom)?;
        position.set_side(if is_whites {
            Color::White
        } else {
            Color::Black
        });
        Ok(position)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Passes, an odd side to move and wide boards travel too.
    #[test]
    fn a_job_travels() {
        for line in ["15 renju", "20x15 caro h8h9", "15 freestyle h8--i9--a1b2"] {
            for side in [Color::Black, Color::White] {
                let mut position = Position::from_line(line).unwrap();
                position.set_side(side);
                let job = Job {
                    id: JobId(3),
                    purpose: Purpose::Hint,
                    node: 7,
                    position: position.clone(),
                    request: Request::Lines(4),
                    excluded: ["h8".parse().unwrap()].into_iter().collect(),
                    options: Options {
                        time_left: Some(Duration::from_millis(4)),
                        ..Options::default()
                    },
                };
                let text = serde_json::to_string(&job).unwrap();
                let same: Job = serde_json::from_str(&text).unwrap();
                assert_eq!(same.position.key(), position.key(), "{line}");
                assert_eq!(same.position.side(), side);
                assert_eq!(same.position.move_text(), position.move_text());
                assert_eq!(
                    (same.id, same.purpose, same.node, same.request),
                    (job.id, job.purpose, job.node, job.request)
                );
                assert_eq!((same.excluded, same.options), (job.excluded, job.options));
            }
        }
    }
}
