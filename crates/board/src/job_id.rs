//! The numbers of jobs.

use serde::{Deserialize, Serialize};

/// The number of a job. A session never uses a number twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub(super) u64);
