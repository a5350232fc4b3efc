//! The time of a turn. Nothing here reads a clock: messages say when they came.

use crate::tree::NodeId;
use std::time::Duration;

/// The duration of the turn, by the times at which messages arrive.
#[derive(Default)]
pub(super) struct TurnClock {
    /// The time of the message that is handled.
    pub(super) now: Duration,
    /// The time at which the turn began or continued.
    began: Duration,
    /// The time of the turn that was used before a pause or a reload.
    pub(super) used_before: Duration,
    /// The position of a person's turn that was left for another position, and the time used of it.
    pub(super) left: Option<(NodeId, Duration)>,
}

impl TurnClock {
    /// Takes in the time of a message. It never goes back.
    pub(super) fn set(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    /// Begins a turn.
    pub(super) fn begin(&mut self) {
        self.began = self.now;
        self.used_before = Duration::ZERO;
    }

    /// The time since the turn began.
    pub(super) fn used(&self) -> Duration {
        self.used_before + self.now.saturating_sub(self.began)
    }

    /// The time at which this much of the turn is used.
    pub(super) fn after(&self, used: Duration) -> Duration {
        self.began + used.saturating_sub(self.used_before)
    }

    /// Pauses the turn.
    pub(super) fn pause(&mut self) {
        self.used_before = self.used();
        self.began = self.now;
    }

    /// Continues a paused turn.
    pub(super) fn resume(&mut self) {
        self.began = self.now;
    }
}
