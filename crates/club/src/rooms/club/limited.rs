//! The rate limits of what visitors do.

use super::Club;
use super::error::VisitError;
use super::limits::Limited;
use std::time::Duration;

impl Limited {
    fn error(self, wait: Duration) -> VisitError {
        match self {
            Limited::Newcomer(_) | Limited::Name(_) | Limited::Guest(_) => {
                VisitError::TooManyNames(wait)
            }
            _ => VisitError::TooOften(wait),
        }
    }
}

impl Club {
    /// Counts an action against its rate limit.
    pub(super) fn take(&mut self, now: Duration, action: Limited) -> Result<(), VisitError> {
        let refill = action.refill(&self.limits);
        let taken = self.rate_limits.take(now, action, refill);
        taken.map_err(|wait| action.error(wait))
    }

    /// Checks whether the rate limit permits an action.
    pub(super) fn check(&self, now: Duration, action: Limited) -> Result<(), VisitError> {
        let checked = self
            .rate_limits
            .check(now, &action, action.refill(&self.limits));
        checked.map(drop).map_err(|wait| action.error(wait))
    }
}
