//! The searches of a session: what was asked for, the job under way, and what it has found.

use crate::job_id::JobId;
use crate::message::{AnalysisMode, ReviewView};
use crate::review_job::ReviewJob;
use crate::search_job::{Purpose, SearchJob, SearchReport};
use crate::tree::NodeId;
use quincunx_engine::engine::Line;
use std::time::Duration;

/// The searches of a session, and their results.
#[derive(Default)]
pub(super) struct Searches {
    /// The number of lines of the analysis, while it is on.
    pub(super) analysis: Option<usize>,
    /// The kind of moves that the analysis finds.
    pub(super) mode: AnalysisMode,
    /// The hint or the proof that was asked for in this position.
    pub(super) asked: Option<Purpose>,
    /// The job under way.
    pub(super) job: Option<SearchJob>,
    /// The number of jobs so far.
    pub(super) count: u64,
    /// The shortest time between the moves of two engines.
    pub(super) pace: Duration,
    /// The answer to a job that came before its time.
    pub(super) early: Option<(JobId, SearchReport)>,
    /// The node whose analysis has come to its end.
    pub(super) finished: Option<NodeId>,
    /// The node where a search has proved a win of the side to move, and its line.
    pub(super) proven: Option<(NodeId, Line)>,
    /// The review of the game that is under way.
    pub(super) review: Option<Reviewing>,
    /// The review of the game that is done.
    pub(super) reviewed: Option<ReviewView>,
}

/// The review of a game, under way.
pub(super) struct Reviewing {
    pub(super) job: ReviewJob,
    /// The number of moves of the opening rule. They are balanced on purpose, so they are no
    /// mistakes.
    pub(super) opening: usize,
    pub(super) view: ReviewView,
}

impl Searches {
    /// Returns true if this is the job under way.
    pub(super) fn does(&self, id: JobId) -> bool {
        self.job.as_ref().is_some_and(|job| job.id == id)
    }

    /// Returns true if the engine is searching for its move.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(&self.job, Some(job) if job.purpose == Purpose::Step)
    }

    /// Discards all results, because another game uses the same node numbers.
    pub(super) fn forget(&mut self) {
        (self.job, self.finished, self.proven) = (None, None, None);
        (self.review, self.reviewed) = (None, None);
    }
}
