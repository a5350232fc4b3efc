//! How much work a solver may still do.

/// The limits of one call to a solver. The solver knows no clock: whoever
/// calls says when to stop.
pub struct Limits<'a> {
    /// The most moves to try.
    pub nodes: u64,
    /// Asked every thousand nodes or so; the solver gives up when it says yes.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// Counts the moves tried and says when it is enough.
pub(super) struct Meter<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    used: u64,
    /// Where the part of the work that is under way must end.
    ceiling: u64,
    stopped: bool,
}

impl<'a> Meter<'a> {
    /// One call of the stop function costs little beside so many nodes.
    const BETWEEN_QUESTIONS: u64 = 1024;

    pub(super) fn new(limits: Limits<'a>) -> Meter<'a> {
        Meter {
            stop: limits.stop,
            used: 0,
            ceiling: limits.nodes,
            stopped: false,
        }
    }

    /// Counts one move; false when there is no more work to be done.
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

    /// Allows no more than `nodes` from here on; hand what it returns to
    /// [`Meter::restore`].
    pub(super) fn cap(&mut self, nodes: u64) -> u64 {
        let before = self.ceiling;
        self.ceiling = before.min(self.used.saturating_add(nodes));
        before
    }

    /// Takes a cap away again.
    pub(super) fn restore(&mut self, before: u64) {
        if !self.stopped {
            self.ceiling = before;
        }
    }

    /// Whether no more may be done under the present cap.
    pub(super) fn is_spent(&self) -> bool {
        self.used >= self.ceiling
    }

    /// How many moves were tried.
    pub(super) fn used(&self) -> u64 {
        self.used
    }
}
