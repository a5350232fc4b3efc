//! The link between a search and the clock.
//!
//! A search knows nothing of time. It tells what it found, depth by depth, and
//! asks whether to stop; here that is answered from the bounds, a monotonic
//! clock and the stop flag, and progress goes out as events.

use super::clock::{Bounds, Pace};
use super::worker::Job;
use super::{Event, Request, Thought};
use crate::eval::Score;
use crate::rules::Point;
use crate::search::{Progress, Report};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A search is not told move by move before it took so many milliseconds: the
/// first depths go by faster than anybody can see.
const MOVES_SHOWN_AFTER: u64 = 100;

/// Watches over one search.
pub(super) struct Driver<'a> {
    /// Who hears of it; nobody while the engine ponders.
    request: Option<Request>,
    bounds: Bounds,
    started: Instant,
    stopped: &'a AtomicBool,
    shows_moves: bool,
    emit: &'a dyn Fn(Event),
    pace: Pace,
    enough: bool,
    last: Option<Thought>,
}

impl<'a> Driver<'a> {
    /// A driver for this job.
    pub(super) fn new(job: &'a Job, emit: &'a dyn Fn(Event)) -> Self {
        Driver {
            request: job.request,
            bounds: job.bounds,
            started: job.started,
            stopped: &job.stopped,
            shows_moves: job.shows_moves,
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

    /// Lets the listener, if there is one, hear of something.
    pub(super) fn emit(&self, event: impl FnOnce(Request) -> Event) {
        if let Some(request) = self.request {
            (self.emit)(event(request));
        }
    }

    /// Whether a listener wants to hear of each move by now.
    fn shows_moves(&self) -> bool {
        self.shows_moves && self.elapsed_ms() >= MOVES_SHOWN_AFTER
    }

    /// Tells a thought.
    pub(super) fn show(&self, thought: &Thought) {
        self.emit(|request| Event::Progress(request, thought.clone()));
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

    fn trying(&mut self, point: Point) {
        if self.shows_moves() {
            self.emit(|request| Event::Trying(request, point));
        }
    }

    fn tried(&mut self, point: Point, score: Score) {
        if self.shows_moves() {
            self.emit(|request| Event::Tried(request, point, score));
        }
    }

    fn preferred(&mut self, point: Point) {
        if self.shows_moves() {
            self.emit(|request| Event::Preferred(request, point));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Task;
    use crate::position::Position;
    use crate::rules::{BoardSize, Rule};
    use crate::search::Limits;
    use std::cell::Cell;
    use std::sync::Arc;

    fn progress(depth: u32) -> Progress {
        Progress {
            depth,
            selective: depth,
            score: Score::ZERO,
            nodes: 1,
            line: vec![Point::new(3, 4)],
        }
    }

    fn job(bounds: Bounds, stopped: &Arc<AtomicBool>) -> Job {
        Job {
            request: Some(Request(1)),
            task: Task::Move,
            position: Position::new(Rule::default(), BoardSize::default()),
            limits: Limits::default(),
            bounds,
            started: Instant::now(),
            table: crate::engine::Options::default().table_size(0),
            threads: 1,
            level: None,
            shows_moves: true,
            stopped: Arc::clone(stopped),
            used: Arc::default(),
        }
    }

    #[test]
    fn time_and_flag_stop_a_search() {
        let flag = Arc::default();
        let emit = |_| ();
        let free = job(Bounds::UNLIMITED, &flag);
        let mut free = Driver::new(&free, &emit);
        free.progress(&progress(1));
        assert!(!free.stop(1000));
        let past = Bounds {
            optimum: 0,
            maximum: 1_000_000,
            elastic: true,
        };
        let soft = job(past, &flag);
        let mut soft = Driver::new(&soft, &emit);
        assert!(!soft.stop(1000), "the first depth is always finished");
        soft.progress(&progress(1));
        assert!(soft.stop(1000));
        let over = job(Bounds { maximum: 0, ..past }, &flag);
        assert!(Driver::new(&over, &emit).stop(1));
        flag.store(true, Ordering::Relaxed);
        assert!(free.stop(1001));
        assert_eq!(free.last().map(|thought| thought.depth), Some(1));
    }

    #[test]
    fn moves_are_told_once_there_is_time_to_see_them() {
        let flag = Arc::default();
        let told = Cell::new(0);
        let emit = |_| told.set(told.get() + 1);
        let mut job = job(Bounds::UNLIMITED, &flag);
        let point = Point::new(3, 4);
        let tell = |job: &Job| {
            let mut driver = Driver::new(job, &emit);
            driver.trying(point);
            driver.tried(point, Score::ZERO);
            driver.preferred(point);
            told.take()
        };
        assert_eq!(tell(&job), 0, "too early");
        job.started -= Duration::from_millis(MOVES_SHOWN_AFTER);
        assert_eq!(tell(&job), 3);
        job.request = None;
        assert_eq!(tell(&job), 0, "nobody asked");
        (job.request, job.shows_moves) = (Some(Request(2)), false);
        assert_eq!(tell(&job), 0, "nobody wants to know");
    }
}
