//! The link between a search and the clock.
//!
//! A search has no clock. It reports what it found after each iteration, and asks
//! whether to stop. The reporter answers from the time limits, the clock and the
//! stop flag, and passes progress on as events.

use super::request::Event;
use super::task::SearchTask;
use super::time::Stability;
use crate::rules::Point;
use crate::score::Score;
use crate::search::{Line, Report};

/// Moves at the root are not reported in the first milliseconds of a search, because
/// the first iterations are faster than a person can see.
const MOVES_SHOWN_AFTER: u64 = 100;

/// If no time is left, a search ends with its first iteration, or after this many nodes for
/// each thread, which take about a millisecond. Without any search even an open three would
/// be overlooked.
const LEAST_NODES: u64 = 500;

/// Reports the searches of one task.
pub(super) struct Reporter<'a> {
    task: &'a SearchTask,
    listener: &'a mut dyn FnMut(Event),
    stability: Stability,
    /// True if there is no time for another iteration.
    enough: bool,
    last: Option<Line>,
}

impl<'a> Reporter<'a> {
    /// A reporter to `listener`.
    pub(super) fn new(task: &'a SearchTask, listener: &'a mut dyn FnMut(Event)) -> Self {
        Reporter {
            task,
            listener,
            stability: Stability::default(),
            enough: false,
            last: None,
        }
    }

    /// The listener, for a search before this one.
    pub(super) fn listener(&mut self) -> &mut dyn FnMut(Event) {
        self.listener
    }

    /// The best line of the last complete iteration: the answer if the search
    /// panics.
    pub(super) fn into_last(self) -> Option<Line> {
        self.last
    }

    /// Returns whether a best line was reported.
    pub(super) fn has_line(&self) -> bool {
        self.last.is_some()
    }

    /// Returns whether no new part of the work should be begun.
    pub(super) fn past_optimum(&self) -> bool {
        self.task.elapsed_ms() >= self.task.time.optimum
    }

    /// Returns whether the search is to stop: it was told to, or there is no time for more.
    pub(super) fn is_over(&self) -> bool {
        self.enough || self.task.is_stopped() || self.task.elapsed_ms() >= self.task.time.maximum
    }

    /// Returns whether there is an answer after so many nodes, so that the search may stop.
    pub(super) fn has_answer(&self, nodes: u64) -> bool {
        self.has_line() || nodes >= LEAST_NODES * self.task.threads as u64
    }

    /// Passes an event on.
    pub(super) fn emit(&mut self, event: Event) {
        if !self.task.is_silent {
            (self.listener)(event);
        }
    }

    /// Passes on an event about one move at the root, if such events are reported by now.
    fn show_move(&mut self, event: Event) {
        if self.task.shows_moves && self.task.elapsed_ms() >= MOVES_SHOWN_AFTER {
            self.emit(event);
        }
    }

    /// Reports a line. The best one is kept as an answer to fall back on.
    pub(super) fn report(&mut self, line: &Line) {
        if line.rank == 0 {
            self.last = Some(line.clone());
        }
        self.emit(Event::Info(line.clone()));
    }

    /// Decides after an iteration whether there is time for another.
    pub(super) fn iteration_done(&mut self, best: &Line) {
        let scale = self.stability.update(best.best(), best.score.units());
        self.enough = self.task.elapsed_ms() >= self.task.time.scaled_optimum(scale);
    }
}

impl Report for Reporter<'_> {
    fn progress(&mut self, line: &Line) {
        let line = Line {
            elapsed: self.task.elapsed(),
            ..line.clone()
        };
        self.iteration_done(&line);
        self.report(&line);
    }

    fn stop(&mut self, nodes: u64) -> bool {
        self.has_answer(nodes) && self.is_over()
    }

    fn searching(&mut self, point: Point) {
        self.show_move(Event::Searching(point));
    }

    fn searched(&mut self, point: Point, score: Score) {
        self.show_move(Event::Searched(point, score));
    }

    fn new_best(&mut self, point: Point) {
        self.show_move(Event::NewBest(point));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::MonotonicClock;
    use crate::engine::options::Options;
    use crate::engine::request::{Request, SearchId};
    use crate::engine::time::TimeLimits;
    use crate::position::Position;
    use crate::rules::{BoardSize, Rule};
    use crate::search::Limits;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    fn progress(depth: u32) -> Line {
        Line {
            depth,
            nodes: 1,
            ..Line::new(Score::ZERO, vec![Point::new(3, 4)])
        }
    }

    /// A task at this time since its request was made, in milliseconds.
    fn task(time: TimeLimits, stopped: &Arc<AtomicBool>, now: u64) -> SearchTask {
        SearchTask {
            id: SearchId(1),
            request: Request::Move,
            position: Position::new(Rule::default(), BoardSize::default()),
            limits: Limits::default(),
            weights: Arc::default(),
            clock: MonotonicClock::new(move || Duration::from_millis(now)),
            asked_at: Duration::ZERO,
            time,
            table: Options::default().table_size(0),
            threads: 1,
            tuned: Vec::new(),
            level: None,
            may_swap: false,
            is_silent: false,
            shows_moves: true,
            stopped: Arc::clone(stopped),
            interrupt: None,
            used: Arc::default(),
        }
    }

    #[test]
    fn time_and_flag_stop_a_search() {
        let flag = Arc::default();
        let mut listener = |_| ();
        let free = task(TimeLimits::UNLIMITED, &flag, 1000);
        let mut free = Reporter::new(&free, &mut listener);
        free.progress(&progress(1));
        assert!(!free.stop(1000));
        let limits = TimeLimits {
            optimum: 100,
            maximum: 200,
            elastic: false,
        };
        let mut listener = |_| ();
        let soft = task(limits, &flag, 100);
        let mut soft = Reporter::new(&soft, &mut listener);
        assert!(!soft.stop(1000), "the first iteration is always completed");
        soft.progress(&progress(1));
        assert!(soft.stop(1000));
        let over = task(limits, &flag, 200);
        assert!(Reporter::new(&over, &mut |_| ()).stop(LEAST_NODES));
        flag.store(true, Ordering::Relaxed);
        assert!(free.stop(1001));
        assert_eq!(free.into_last().map(|last| last.depth), Some(1));
    }

    #[test]
    fn there_is_a_first_iteration_without_any_time() {
        let limits = TimeLimits {
            optimum: 0,
            maximum: 0,
            elastic: false,
        };
        let mut listener = |_| ();
        let late = SearchTask {
            threads: 4,
            ..task(limits, &Arc::default(), 0)
        };
        let mut late = Reporter::new(&late, &mut listener);
        assert!(late.is_over() && !late.stop(4 * LEAST_NODES - 1));
        assert!(late.stop(4 * LEAST_NODES), "it has an end");
        late.progress(&progress(1));
        assert!(late.stop(1));
    }

    #[test]
    fn moves_are_reported_once_there_is_time_to_see_them() {
        let flag = Arc::default();
        let point = Point::new(3, 4);
        let reported = |task: &SearchTask| {
            let mut count = 0;
            let mut listener = |_| count += 1;
            let mut reporter = Reporter::new(task, &mut listener);
            reporter.searching(point);
            reporter.searched(point, Score::ZERO);
            reporter.new_best(point);
            count
        };
        let at = |now| task(TimeLimits::UNLIMITED, &flag, now);
        assert_eq!(reported(&at(MOVES_SHOWN_AFTER - 1)), 0, "too early");
        assert_eq!(reported(&at(MOVES_SHOWN_AFTER)), 3);
        let mut silent = at(MOVES_SHOWN_AFTER);
        silent.is_silent = true;
        assert_eq!(reported(&silent), 0, "no report was asked for");
        let mut plain = at(MOVES_SHOWN_AFTER);
        plain.shows_moves = false;
        assert_eq!(reported(&plain), 0, "no report was asked for");
    }
}
