//! The thread that searches.
//!
//! It lives as long as its engine: managers suspend and resume the whole
//! process, and nothing has to be started while a clock runs. It owns the
//! search and its table, so that the table is first allocated by the first
//! search and one of another size replaces the old one only after that is
//! gone.

use super::clock::Bounds;
use super::driver::Driver;
use super::options::TableSize;
use super::strength::Level;
use super::study::Study;
use super::task::{Answer, Choice, Task};
use super::{Event, Request};
use crate::position::Position;
use crate::rules::{Point, PointSet};
use crate::search::{Limits, Searcher, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Deep lines recurse; pages that are never touched cost nothing.
const STACK: usize = 16 << 20;

/// A search to be made.
pub(super) struct Job {
    /// Who hears of it; nobody while the engine ponders.
    pub(super) request: Option<Request>,
    pub(super) task: Task,
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) bounds: Bounds,
    pub(super) started: Instant,
    pub(super) table: TableSize,
    pub(super) threads: usize,
    /// How well to play, if not as well as possible.
    pub(super) level: Option<Level>,
    /// Whether each move at the root is told.
    pub(super) shows_moves: bool,
    pub(super) stopped: Arc<AtomicBool>,
    /// Where the milliseconds it takes are added.
    pub(super) used: Arc<AtomicU64>,
}

enum Order {
    Work(Box<Job>),
    Forget,
    Tune(String, i32),
    /// Have such a table, and show it.
    Prepare(TableSize, Sender<Arc<Table>>),
}

/// What the worker tells its engine.
#[derive(Default)]
struct Desk {
    answer: Mutex<Option<(Request, Answer)>>,
    answered: Condvar,
    /// The table in use, to be looked at while a search runs.
    table: Mutex<Option<Arc<Table>>>,
}

/// The engine's end of the worker thread.
pub(super) struct Worker {
    orders: Sender<Order>,
    desk: Arc<Desk>,
}

impl Worker {
    /// Starts the thread; it ends when this value is dropped.
    pub(super) fn start(emit: impl Fn(Event) + Send + 'static) -> std::io::Result<Worker> {
        let (orders, inbox) = channel();
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
        Ok(Worker { orders, desk })
    }

    /// Hands a search over; its answer comes as an event and from
    /// [`Worker::wait`].
    pub(super) fn search(&self, job: Job) {
        if self.orders.send(Order::Work(Box::new(job))).is_err() {
            log::error!("the search thread is gone");
        }
    }

    /// Empties the table once the running search is over.
    pub(super) fn forget(&self) {
        if self.orders.send(Order::Forget).is_err() {
            log::error!("the search thread is gone");
        }
    }

    /// Changes a number of the search once the running one is over.
    pub(super) fn tune(&self, name: &str, value: i32) {
        if self
            .orders
            .send(Order::Tune(name.to_owned(), value))
            .is_err()
        {
            log::error!("the search thread is gone");
        }
    }

    /// The table, made anew if there is none yet or one of another size;
    /// `None` if the thread is gone. Waits until the running search is over.
    pub(super) fn prepare(&self, size: TableSize) -> Option<Arc<Table>> {
        let (ready, table) = channel();
        self.orders.send(Order::Prepare(size, ready)).ok()?;
        table.recv().ok()
    }

    /// The table, if there is one yet.
    pub(super) fn table(&self) -> Option<Arc<Table>> {
        self.desk.table()
    }

    /// Waits for the answer to `request`, which must have been handed over.
    pub(super) fn wait(&self, request: Request) -> Answer {
        let lock = self.desk.answer.lock();
        let mut answer = lock.unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some((_, found)) = answer.take_if(|(answered, _)| *answered == request) {
                return found;
            }
            let woken = self.desk.answered.wait(answer);
            answer = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A searcher and the size its table was asked to have, in bytes.
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
    fn serve(mut self, inbox: &Receiver<Order>) {
        while let Ok(order) = inbox.recv() {
            match order {
                Order::Work(job) => self.answer(&job),
                // A new table is zeroed by the system when it is touched:
                // quicker than to wipe the old one.
                Order::Forget => self.desk.clear(&mut self.mind),
                Order::Tune(name, value) => self.tuned.push((name, value)),
                Order::Prepare(size, ready) => {
                    self.desk.mind_of(&mut self.mind, &size);
                    if let Some(table) = self.desk.table() {
                        // Whoever asked may have given up.
                        let _ = ready.send(table);
                    }
                }
            }
        }
    }

    fn answer(&mut self, job: &Job) {
        let found = catch_unwind(AssertUnwindSafe(|| self.work(job)));
        let Some(request) = job.request else { return };
        let answer = found.unwrap_or_else(|_| any_answer(job));
        let elapsed = u64::try_from(job.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        job.used.fetch_add(elapsed, Ordering::Relaxed);
        let lock = self.desk.answer.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) = Some((request, answer.clone()));
        self.desk.answered.notify_all();
        (self.emit)(Event::Answer(request, answer));
    }

    /// The answer, whatever happens: a search that panics leaves its deepest
    /// finished line, or else anything that is legal is taken.
    fn work(&mut self, job: &Job) -> Answer {
        let emit = &*self.emit;
        let (mind, desk, tuned) = (&mut self.mind, &*self.desk, &self.tuned);
        let mut driver = Driver::new(job, emit);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mind = desk.mind_of(mind, &job.table);
            mind.searcher.tune(tuned);
            mind.searcher.set_threads(job.threads);
            Study::new(job, &mut mind.searcher, &mut driver).answer()
        }));
        if found.is_err() {
            log::error!("{:?} panicked in {:?}", job.task, job.position);
            desk.clear(&mut self.mind);
        }
        let last = driver.last().and_then(|last| {
            let point = *last.line.first()?;
            let thought = Some(last.clone());
            Some(Answer::Move(Choice { point, thought }))
        });
        for answer in found.ok().flatten().into_iter().chain(last) {
            if job.accepts(&answer) {
                return answer;
            }
        }
        log::error!("no answer to {:?} in {:?}", job.task, job.position);
        any_answer(job)
    }
}

impl Job {
    /// Whether `answer` is one to this task, and legal.
    fn accepts(&self, answer: &Answer) -> bool {
        let mut position = self.position.clone();
        match answer {
            Answer::Swap => self.task == Task::Opening,
            Answer::Move(choice) => {
                let pair = matches!(self.task, Task::Balance { .. });
                !pair && position.is_legal(choice.point)
            }
            Answer::Stones(stones) => stones.iter().all(|&point| {
                let legal = position.is_legal(point);
                if legal {
                    position.play(point);
                }
                legal
            }),
        }
    }
}

/// Some answer to the job's task, found without any search.
pub(super) fn any_answer(job: &Job) -> Answer {
    let stones = match job.task {
        Task::Balance { pair, .. } => 1 + usize::from(pair),
        Task::Opening if job.position.ply() == 0 => 3,
        Task::Opening => return Answer::Swap,
        Task::Move | Task::Lines(_) | Task::Defences => {
            let point = any_move(&job.position, &job.limits.excluded);
            return Answer::Move(Choice {
                point: point.unwrap_or(Point::NONE),
                thought: None,
            });
        }
    };
    let mut position = job.position.clone();
    let any = (0..stones).filter_map(|_| {
        let point = any_move(&position, &job.limits.excluded)?;
        position.play(point);
        Some(point)
    });
    Answer::Stones(any.collect())
}

impl Desk {
    /// The mind with a table of such a size.
    fn mind_of<'m>(&self, mind: &'m mut Option<Mind>, size: &TableSize) -> &'m mut Mind {
        // The old table has to go before the new one comes: memory is limited.
        if mind
            .as_ref()
            .is_some_and(|mind| !size.kept.contains(&mind.table_bytes))
        {
            self.clear(mind);
        }
        mind.get_or_insert_with(|| {
            let table = Arc::new(Table::new(size.new));
            self.show_table(Some(Arc::clone(&table)));
            Mind {
                searcher: Searcher::new(table),
                table_bytes: size.new,
            }
        })
    }

    /// Forgets everything.
    fn clear(&self, mind: &mut Option<Mind>) {
        self.show_table(None);
        *mind = None;
    }

    fn table(&self) -> Option<Arc<Table>> {
        let lock = self.table.lock();
        lock.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn show_table(&self, table: Option<Arc<Table>>) {
        let lock = self.table.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) = table;
    }
}

/// A legal point near the middle that is not excluded, found without any
/// search. Where there is none, one that is; where all empty points are
/// forbidden, one of those; `None` on a full board.
pub(super) fn any_move(position: &Position, excluded: &PointSet) -> Option<Point> {
    let mut game = position.clone();
    let mut legal = empty_points(position).filter(|&point| game.is_legal(point));
    let first = legal.next();
    let allowed = (first.into_iter().chain(legal)).find(|&point| !excluded.has(point));
    (allowed.or(first)).or_else(|| empty_points(position).next())
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
