//! The link between a search and the clock.
//!
//! A search knows nothing of time. It tells what it found, depth by depth, and
//! asks whether to stop; here that is answered from the bounds, a monotonic
//! clock and the stop flag, and progress goes out as events.

use super::clock::{Bounds, Pace};
use super::{Event, Request, Thought};
use crate::search::{Progress, Report};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Watches over one search.
pub(super) struct Driver<'a> {
    request: Request,
    bounds: Bounds,
    started: Instant,
    stopped: &'a AtomicBool,
    emit: &'a dyn Fn(Event),
    pace: Pace,
    enough: bool,
    last: Option<Thought>,
}

impl<'a> Driver<'a> {
    /// A driver for a request that was read at `started`.
    pub(super) fn new(
        request: Request,
        bounds: Bounds,
        started: Instant,
        stopped: &'a AtomicBool,
        emit: &'a dyn Fn(Event),
    ) -> Self {
        Driver {
            request,
            bounds,
            started,
            stopped,
            emit,
            pace: Pace::default(),
            enough: false,
            last: None,
        }
    }

    /// Time since the request was read.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the deepest finished iteration found: an answer to fall back on
    /// when the search itself comes to grief.
    pub(super) fn last(&self) -> Option<&Thought> {
        self.last.as_ref()
    }

    /// The same in milliseconds.
    pub(super) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The time that should be used, in milliseconds since the request.
    pub(super) fn optimum(&self) -> u64 {
        self.bounds.optimum
    }

    /// Whether no new part of the work should be begun.
    pub(super) fn past_optimum(&self) -> bool {
        self.elapsed_ms() >= self.bounds.optimum
    }

    /// Lets the listener hear of something.
    pub(super) fn emit(&self, event: Event) {
        (self.emit)(event);
    }

    /// Tells a thought.
    pub(super) fn show(&self, thought: &Thought) {
        self.emit(Event::Progress(self.request, thought.clone()));
    }

    /// Tells a line; the best one is kept to fall back on.
    pub(super) fn tell(&mut self, thought: &Thought) {
        if thought.rank == 0 {
            self.last = Some(thought.clone());
        }
        self.show(thought);
    }

    /// A depth is finished: is there time for another?
    pub(super) fn finished(&mut self, best: &Thought) {
        let point = best.line.first().copied();
        let pace = self.pace.finished(point, best.score.units());
        self.enough = self.elapsed_ms() >= self.bounds.stretched(pace);
    }
}

impl Report for Driver<'_> {
    fn progress(&mut self, progress: &Progress) {
        let thought = Thought {
            rank: 0,
            lines: 1,
            depth: progress.depth,
            selective: progress.selective,
            score: progress.score,
            nodes: progress.nodes,
            elapsed: self.elapsed(),
            line: progress.line.clone(),
        };
        // A better move may also be told within a depth.
        let deeper = self.last().is_none_or(|last| last.depth < thought.depth);
        if deeper {
            self.finished(&thought);
        }
        self.tell(&thought);
    }

    fn stop(&mut self, _nodes: u64) -> bool {
        self.enough
            || self.stopped.load(Ordering::Relaxed)
            || self.elapsed_ms() >= self.bounds.maximum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Score;
    use crate::rules::Point;

    fn progress(depth: u32) -> Progress {
        Progress {
            depth,
            selective: depth,
            score: Score::ZERO,
            nodes: 1,
            line: vec![Point::new(3, 4)],
        }
    }

    #[test]
    fn time_and_flag_stop_a_search() {
        let flag = AtomicBool::new(false);
        let emit = |_| ();
        let now = Instant::now();
        let mut free = Driver::new(Request(1), Bounds::UNLIMITED, now, &flag, &emit);
        free.progress(&progress(1));
        assert!(!free.stop(1000));
        let past = Bounds {
            optimum: 0,
            maximum: 1_000_000,
            elastic: true,
        };
        let mut soft = Driver::new(Request(2), past, now, &flag, &emit);
        assert!(!soft.stop(1000), "the first depth is always finished");
        soft.progress(&progress(1));
        assert!(soft.stop(1000));
        let over = Bounds { maximum: 0, ..past };
        assert!(Driver::new(Request(3), over, now, &flag, &emit).stop(1));
        flag.store(true, Ordering::Relaxed);
        assert!(free.stop(1001));
        assert_eq!(free.last().map(|thought| thought.depth), Some(1));
    }
}
