//! The node limit of a solver, and the counter of the nodes it has used.

/// The limits of one call to a solver. The solver knows no clock: the caller says
/// when to stop.
pub struct SolverLimits<'a> {
    /// The most moves that are tried.
    pub nodes: u64,
    /// Called every thousand nodes or so; the solver stops when it returns true.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// Without limits: the solver goes on until it knows, or its memory is full.
impl Default for SolverLimits<'_> {
    fn default() -> Self {
        SolverLimits {
            nodes: u64::MAX,
            // A closure without captures takes no memory that could leak.
            stop: Box::leak(Box::new(|| false)),
        }
    }
}

/// Counts the moves that are tried, up to the limit.
pub(super) struct NodeCounter<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    used: u64,
    /// The count at which the current part of the work must end.
    ceiling: u64,
    stopped: bool,
}

impl<'a> NodeCounter<'a> {
    /// The nodes between two calls of `stop`, which cost more than one call.
    const BETWEEN_QUESTIONS: u64 = 1024;

    pub(super) fn new(limits: SolverLimits<'a>) -> NodeCounter<'a> {
        NodeCounter {
            stop: limits.stop,
            used: 0,
            ceiling: limits.nodes,
            stopped: false,
        }
    }

    /// A counter of `nodes` beyond those of this one, which the same question stops.
    pub(super) fn beyond(&mut self, nodes: u64) -> NodeCounter<'_> {
        NodeCounter::new(SolverLimits {
            nodes,
            stop: &mut *self.stop,
        })
    }

    /// Counts one move. Returns false, and does not count it, at the limit.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.used >= self.ceiling {
            return false;
        }
        self.used += 1;
        if self.used.is_multiple_of(Self::BETWEEN_QUESTIONS) && (self.stop)() {
            self.stopped = true;
            self.ceiling = 0;
        }
        true
    }

    /// Allows at most `nodes` more. Returns the previous limit, for
    /// [`NodeCounter::restore`].
    pub(super) fn cap(&mut self, nodes: u64) -> u64 {
        let before = self.ceiling;
        self.ceiling = before.min(self.used.saturating_add(nodes));
        before
    }

    /// Restores the limit that [`NodeCounter::cap`] returned.
    pub(super) fn restore(&mut self, before: u64) {
        if !self.stopped {
            self.ceiling = before;
        }
    }

    /// Returns whether the limit is reached.
    pub(super) fn is_spent(&self) -> bool {
        self.used >= self.ceiling
    }

    /// Moves counted.
    pub(super) fn used(&self) -> u64 {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_stops_work_beyond_the_limit() {
        let mut stop = || true;
        let mut counter = NodeCounter::new(SolverLimits {
            nodes: 0,
            stop: &mut stop,
        });
        assert!(!counter.tick());
        let mut beyond = counter.beyond(5000);
        while beyond.tick() {}
        assert_eq!(beyond.used(), NodeCounter::BETWEEN_QUESTIONS);
    }
}
