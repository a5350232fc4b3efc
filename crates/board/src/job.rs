//! The jobs that sessions ask for, and their reports, whatever the kind. Both are serialized: a
//! page in a browser has its engine in a worker.

use super::gravity_job::{GravityJob, GravityReport};
use super::job_id::JobId;
use super::review_job::{ReviewJob, ReviewReport};
use super::search_job::{SearchJob, SearchReport};
use quincunx_engine::position::Position;
use serde::{Deserialize, Serialize};

/// A job of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// A search in a game of Gomoku.
    Search(Box<SearchJob>),
    /// The review of a game of Gomoku.
    Review(Box<ReviewJob>),
    /// A search in a game of four in a row.
    Gravity(Box<GravityJob>),
}

impl Job {
    /// The number of the job.
    pub fn id(&self) -> JobId {
        match self {
            Job::Search(job) => job.id,
            Job::Review(job) => job.id,
            Job::Gravity(job) => job.id,
        }
    }

    /// The position of Gomoku that the job is about, if it is about one.
    pub fn position(&self) -> Option<Position> {
        match self {
            Job::Search(job) => Some(job.position.clone()),
            Job::Review(job) => job.position(),
            Job::Gravity(_) => None,
        }
    }
}

/// New results of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// Those of a search.
    Search(SearchReport),
    /// Those of a review.
    Review(ReviewReport),
    /// Those of a search in a game of four in a row.
    Gravity(GravityReport),
    /// The job could not be done.
    Failed,
}

impl Report {
    /// Returns true if the job is done or has failed.
    pub fn is_over(&self) -> bool {
        match self {
            Report::Search(report) => report.is_over(),
            Report::Review(report) => report.summary.is_some(),
            Report::Gravity(report) => report.is_last,
            Report::Failed => true,
        }
    }

    /// Adds the results of a later report of the same job.
    pub fn add(&mut self, later: Report) {
        match (self, later) {
            (Report::Search(sum), Report::Search(later)) => sum.add(later),
            (Report::Review(sum), Report::Review(later)) => sum.add(later),
            (Report::Gravity(sum), Report::Gravity(later)) => sum.add(later),
            (sum, later) => *sum = later,
        }
    }
}
