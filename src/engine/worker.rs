//! The thread that searches.
//!
//! It lives as long as its engine: managers suspend and resume the whole
//! process, and nothing has to be started while a clock runs. It owns the
//! search and its table, so that the table is first allocated by the first
//! search and one of another size replaces the old one only after that is
//! gone.

use super::clock::Bounds;
use super::driver::Driver;
use super::{Choice, Event, Request, Thought};
use crate::position::Position;
use crate::rules::Point;
use crate::search::{Limits, Outcome, Searcher, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Deep lines recurse; pages that are never touched cost nothing.
const STACK: usize = 16 << 20;

/// A search to be made.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) bounds: Bounds,
    pub(super) started: Instant,
    pub(super) table_bytes: usize,
    pub(super) threads: usize,
    pub(super) stopped: Arc<AtomicBool>,
    /// Where the milliseconds it takes are added.
    pub(super) used: Arc<AtomicU64>,
}

enum Task {
    Search(Box<Job>),
    Forget,
    Tune(String, i32),
}

/// What the worker tells its engine.
#[derive(Default)]
struct Desk {
    answer: Mutex<Option<(Request, Choice)>>,
    answered: Condvar,
}

/// The engine's end of the worker thread.
pub(super) struct Worker {
    tasks: Sender<Task>,
    desk: Arc<Desk>,
}

impl Worker {
    /// Starts the thread; it ends when this value is dropped.
    pub(super) fn start(emit: impl Fn(Event) + Send + 'static) -> std::io::Result<Worker> {
        let (tasks, inbox) = channel();
        let desk = Arc::new(Desk::default());
        let room = Room {
            desk: Arc::clone(&desk),
            emit: Box::new(emit),
            mind: None,
            tuned: Vec::new(),
        };
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || room.serve(&inbox))?;
        Ok(Worker { tasks, desk })
    }

    /// Hands a search over; its answer comes as an event and from
    /// [`Worker::wait`].
    pub(super) fn search(&self, job: Job) {
        if self.tasks.send(Task::Search(Box::new(job))).is_err() {
            log::error!("the search thread is gone");
        }
    }

    /// Empties the table once the running search is over.
    pub(super) fn forget(&self) {
        if self.tasks.send(Task::Forget).is_err() {
            log::error!("the search thread is gone");
        }
    }

    /// Changes a number of the search once the running one is over.
    pub(super) fn tune(&self, name: &str, value: i32) {
        if self.tasks.send(Task::Tune(name.to_owned(), value)).is_err() {
            log::error!("the search thread is gone");
        }
    }

    /// Waits for the answer to `request`, which must have been handed over.
    pub(super) fn wait(&self, request: Request) -> Choice {
        let lock = self.desk.answer.lock();
        let mut answer = lock.unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some((_, choice)) = answer.take_if(|(answered, _)| *answered == request) {
                return choice;
            }
            let woken = self.desk.answered.wait(answer);
            answer = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A searcher and the size its table was asked to have.
struct Mind {
    searcher: Searcher,
    table_bytes: usize,
}

/// The thread's end.
struct Room {
    desk: Arc<Desk>,
    emit: Box<dyn Fn(Event) + Send>,
    mind: Option<Mind>,
    /// Numbers of the search that were changed, by name.
    tuned: Vec<(String, i32)>,
}

impl Room {
    fn serve(mut self, inbox: &Receiver<Task>) {
        while let Ok(task) = inbox.recv() {
            match task {
                Task::Search(job) => self.answer(&job),
                // A new table is zeroed by the system when it is touched:
                // quicker than to wipe the old one.
                Task::Forget => self.mind = None,
                Task::Tune(name, value) => self.tuned.push((name, value)),
            }
        }
    }

    fn answer(&mut self, job: &Job) {
        let chosen = catch_unwind(AssertUnwindSafe(|| self.choose(job)));
        let choice = chosen.unwrap_or_else(|_| Choice {
            point: empty_points(&job.position).next().unwrap_or(Point::NONE),
            thought: None,
        });
        let elapsed = u64::try_from(job.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        job.used.fetch_add(elapsed, Ordering::Relaxed);
        let lock = self.desk.answer.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) = Some((job.request, choice.clone()));
        self.desk.answered.notify_all();
        (self.emit)(Event::Answer(job.request, choice));
    }

    /// The move, whatever happens: a search that panics leaves its deepest
    /// finished line, or else any legal point is taken.
    fn choose(&mut self, job: &Job) -> Choice {
        let emit = &*self.emit;
        let (mind, tuned) = (&mut self.mind, &self.tuned);
        let mut driver = Driver::new(job.request, job.bounds, job.started, &job.stopped, emit);
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mind = mind_of(mind, job.table_bytes);
            mind.searcher.tune(tuned);
            mind.searcher.set_threads(job.threads);
            mind.searcher
                .search(&job.position, &job.limits, &mut driver)
        }));
        if searched.is_err() {
            log::error!("the search panicked in {:?}", job.position);
            self.mind = None;
        }
        let found = searched.ok().and_then(|outcome| {
            let point = outcome.best?;
            Some((point, thought(outcome, driver.elapsed())))
        });
        let last = driver.last().and_then(|last| {
            let point = *last.line.first()?;
            Some((point, last.clone()))
        });
        let mut position = job.position.clone();
        for (point, thought) in found.into_iter().chain(last) {
            if position.is_legal(point) {
                let thought = Some(thought);
                return Choice { point, thought };
            }
        }
        log::error!("the search found no legal move in {:?}", job.position);
        Choice {
            point: any_move(&job.position).unwrap_or(Point::NONE),
            thought: None,
        }
    }
}

/// The mind with a table of this size.
fn mind_of(mind: &mut Option<Mind>, table_bytes: usize) -> &mut Mind {
    // The old table has to go before the new one comes: memory is limited.
    mind.take_if(|mind| mind.table_bytes != table_bytes);
    mind.get_or_insert_with(|| Mind {
        searcher: Searcher::new(Arc::new(Table::new(table_bytes))),
        table_bytes,
    })
}

fn thought(outcome: Outcome, elapsed: Duration) -> Thought {
    Thought {
        depth: outcome.depth,
        selective: outcome.selective,
        score: outcome.score,
        nodes: outcome.nodes,
        elapsed,
        line: outcome.line,
    }
}

/// A legal point near the middle, found without any search. Where all empty
/// points are forbidden it is one of those; `None` on a full board.
pub(super) fn any_move(position: &Position) -> Option<Point> {
    let mut game = position.clone();
    let legal = empty_points(position).find(|&point| game.is_legal(point));
    legal.or_else(|| empty_points(position).next())
}

/// The empty points, those near the middle first.
fn empty_points(position: &Position) -> impl Iterator<Item = Point> {
    let size = position.size();
    let mut points: Vec<Point> = size
        .iter()
        .filter(|&point| position.is_empty(point))
        .collect();
    points.sort_by_key(|point| point.distance(size.centre()));
    points.into_iter()
}
