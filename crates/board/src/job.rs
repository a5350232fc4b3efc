//! What a session wants searched, and what comes back.

use super::tree::NodeId;
use quincunx_engine::engine::{Answer, Options, PvInfo, Request};
use quincunx_engine::position::Position;
use quincunx_engine::rules::PointSet;
use quincunx_engine::threats::Solution;

/// The number of a job. A session never uses a number twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub(super) u64);

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The engine's next step in the game: a move, stones of the opening, or a
    /// choice.
    Step,
    /// A move to recommend.
    Hint,
    /// The best moves, until somebody stops it.
    Analysis,
    /// A forced win, with its proof.
    Proof,
    /// A forced win of the other side, if the side to move passed.
    Threat,
}

/// A search that a session wants.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// What it is for.
    pub purpose: Purpose,
    /// The node of the position.
    pub(super) node: NodeId,
    /// The position.
    pub position: Position,
    /// What the engine is asked for.
    pub request: Request,
    /// The points that the opening does not allow.
    pub excluded: PointSet,
    /// The options to search with.
    pub options: Options,
}

/// News of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The lines found so far, the best first.
    pub lines: Vec<PvInfo>,
    /// The answer, which ends the job.
    pub answer: Option<Answer>,
    /// What the search for a forced win found, which ends the job.
    pub solution: Option<Solution>,
    /// The job could not be done.
    pub failed: bool,
}
