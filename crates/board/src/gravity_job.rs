//! The searches that a session of four in a row asks for, and their reports.

use super::job_id::JobId;
use quincunx_gravity::{Level, Position, Size, Value};
use serde::{Deserialize, Serialize};

/// A search that a session asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "JobText", into = "JobText")]
pub struct GravityJob {
    /// The number of the job.
    pub id: JobId,
    /// The position.
    pub position: Position,
    /// The strength of the move to find; `None` to find the values of all columns.
    pub level: Option<Level>,
}

/// A result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GravityResult {
    /// The engine's move.
    Column(usize),
    /// The value of a column for the side to move.
    Value(usize, #[serde(with = "ValueText")] Value),
    /// The chance of a column for the side to move in thousandths.
    Chance(usize, u16),
    /// The positions visited so far, and the time of the search in milliseconds.
    Progress(u64, u64),
}

/// New results of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GravityReport {
    /// The results, in the order in which they were found.
    pub results: Vec<GravityResult>,
    /// True if there will be no more.
    pub is_last: bool,
}

impl GravityReport {
    /// The report of one result.
    pub fn of(result: GravityResult) -> GravityReport {
        GravityReport {
            results: vec![result],
            ..GravityReport::default()
        }
    }

    /// The report that ends a job, perhaps with a last result.
    pub fn end(result: Option<GravityResult>) -> GravityReport {
        GravityReport {
            results: result.into_iter().collect(),
            is_last: true,
        }
    }

    /// Adds the results of a later report.
    pub(super) fn add(&mut self, later: GravityReport) {
        let is_progress = |result: &GravityResult| matches!(result, GravityResult::Progress(..));
        if later.results.iter().any(is_progress) {
            self.results.retain(|result| !is_progress(result));
        }
        self.results.extend(later.results);
        self.is_last |= later.is_last;
    }
}

/// A job as it is serialized for a worker.
#[derive(Serialize, Deserialize)]
struct JobText {
    id: JobId,
    columns: usize,
    rows: usize,
    moves: String,
    level: Option<u8>,
}

impl From<GravityJob> for JobText {
    fn from(job: GravityJob) -> JobText {
        let size = job.position.size();
        JobText {
            id: job.id,
            columns: size.columns(),
            rows: size.rows(),
            moves: job.position.moves_text(),
            level: job.level.map(Level::number),
        }
    }
}

impl TryFrom<JobText> for GravityJob {
    type Error = String;

    fn try_from(text: JobText) -> Result<GravityJob, String> {
        let size = Size::new(text.columns, text.rows).map_err(|error| error.to_string())?;
        let position = Position::from_moves(size, &text.moves);
        Ok(GravityJob {
            id: text.id,
            position: position.map_err(|error| error.to_string())?,
            level: text.level.and_then(Level::new),
        })
    }
}

/// A value as a worker serializes it.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Value")]
enum ValueText {
    Win(u32),
    Draw,
    Loss(u32),
}
