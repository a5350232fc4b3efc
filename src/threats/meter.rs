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
    limits: Limits<'a>,
    used: u64,
    /// Where the part of the work that is under way must end.
    ceiling: u64,
    stopped: bool,
}

impl<'a> Meter<'a> {
    /// One call of the stop function costs little beside so many nodes.
    const BETWEEN_QUESTIONS: u64 = 1024;

    pub(super) fn new(limits: Limits<'a>) -> Meter<'a> {
        let ceiling = limits.nodes;
        Meter {
            limits,
            used: 0,
            ceiling,
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
        if self.used.is_multiple_of(Self::BETWEEN_QUESTIONS) && (self.limits.stop)() {
            self.stopped = true;
            self.ceiling = 0;
        }
        true
    }

    /// Allows no more than `nodes` from here on, until [`Meter::lift`].
    pub(super) fn cap(&mut self, nodes: u64) {
        if !self.stopped {
            self.ceiling = self.limits.nodes.min(self.used.saturating_add(nodes));
        }
    }

    /// Takes the cap away.
    pub(super) fn lift(&mut self) {
        if !self.stopped {
            self.ceiling = self.limits.nodes;
        }
    }

    /// Whether the whole work must end, whatever cap there is.
    pub(super) fn is_spent(&self) -> bool {
        self.stopped || self.used >= self.limits.nodes
    }

    /// How many moves were tried.
    pub(super) fn used(&self) -> u64 {
        self.used
    }
}
