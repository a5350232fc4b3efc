//! Searches in a game of Gomoku, and their reports.

use super::job_id::JobId;
use super::solver_report::SolverReport;
use super::tree::NodeId;
use quincunx_engine::engine::{
    Answer, Engine, Event, Line, Lines, Options, Request, RequestError, Started,
};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, PointSet};
use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The memory of the search for forced wins, in bytes.
const SOLVER_BYTES: usize = 64 << 20;

/// The most moves that the search for a forced win tries.
const SOLVER_NODES: u64 = 20_000_000;

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
pub struct SearchJob {
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

/// New results of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchReport {
    /// The lines found so far, the best first.
    pub lines: Vec<Line>,
    /// The answer, which ends the job.
    pub answer: Option<Answer>,
    /// The result of the search for a forced win, which ends the job.
    pub solution: Option<SolverReport>,
}

impl SearchReport {
    /// Returns true if the search has ended.
    pub(super) fn is_over(&self) -> bool {
        self.answer.is_some() || self.solution.is_some()
    }

    /// Adds the results of a later report.
    pub(super) fn add(&mut self, later: SearchReport) {
        if !later.lines.is_empty() {
            self.lines = later.lines;
        }
        self.answer = later.answer.or(self.answer.take());
        self.solution = later.solution.or(self.solution.take());
    }
}

impl SearchJob {
    /// Searches with an engine, whose [interrupt](Engine::set_interrupt) ends the search, until it
    /// is done or `stop` returns true. `report` is called with the lines so far. Returns the report
    /// that ends the job.
    ///
    /// # Errors
    /// When the engine can't search the position.
    pub(super) fn search(
        &self,
        engine: &mut Engine,
        stop: &mut dyn FnMut() -> bool,
        report: &mut dyn FnMut(SearchReport),
    ) -> Result<SearchReport, RequestError> {
        let mut last = SearchReport::default();
        match self.purpose {
            Purpose::Proof | Purpose::Threat => last.solution = Some(self.prove(stop)),
            _ => match self.begin(engine)? {
                Started::Answered(answer) => last.answer = Some(answer),
                Started::Searching(search) => {
                    let mut lines = Lines::default();
                    let answer = search.answer(&mut |event| {
                        if let Event::Info(info) = event
                            && lines.add(info)
                        {
                            report(SearchReport {
                                lines: lines.last().to_vec(),
                                ..SearchReport::default()
                            });
                        }
                    });
                    last.lines = lines.last().to_vec();
                    last.answer = Some(answer);
                }
            },
        }
        Ok(last)
    }

    fn begin(&self, engine: &mut Engine) -> Result<Started, RequestError> {
        *engine.options_mut() = self.options;
        engine.set_position(self.position.clone());
        *engine.excluded_mut() = self.excluded;
        if let Some(left) = self.options.time_left {
            engine.set_time_left(left);
        }
        engine.start(self.request, engine.clock().now())
    }

    /// Looks for a forced win of the side to move.
    fn prove(&self, stop: &mut dyn FnMut() -> bool) -> SolverReport {
        let limits = SolverLimits {
            nodes: SOLVER_NODES,
            stop,
        };
        let solution = Solver::new(SOLVER_BYTES).solve(&self.position, WinKind::Any, limits);
        (&solution).into()
    }
}

/// A position as its line of text, and whether white is to move. [`Position::to_line`] would add a
/// pass where the moves do not decide that.
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
                let job = SearchJob {
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
                let same: SearchJob = serde_json::from_str(&text).unwrap();
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
