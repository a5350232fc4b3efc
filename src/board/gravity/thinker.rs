//! Does the jobs of a session of four in a row, each in a thread of its own.

use super::session::{GravityJob, GravityJobId, GravityNews};
use crate::engine::MonotonicClock;
use crate::gravity::{Level, Limits, Machine, Position, Progress};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The memory of the search in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// The longest time for a move.
const LONGEST: Duration = Duration::from_secs(3);

/// Does the jobs of a session of four in a row. Dropping it stops the search.
pub struct GravityThinker {
    news: Arc<News>,
    machine: Arc<Mutex<Option<Machine>>>,
    doing: Option<(GravityJobId, Arc<AtomicBool>)>,
}

/// What was found and nobody has read yet.
struct News {
    latest: Mutex<Latest>,
    wake: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Latest {
    job: Option<GravityJobId>,
    found: Vec<GravityNews>,
    is_over: bool,
    is_new: bool,
}

impl GravityThinker {
    /// A thinker that calls `wake` from its own threads when
    /// [`GravityThinker::news`] has something.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> GravityThinker {
        GravityThinker {
            news: Arc::new(News {
                latest: Mutex::default(),
                wake: Box::new(wake),
            }),
            machine: Arc::default(),
            doing: None,
        }
    }

    /// Does this job, and ends the one under way if it is another.
    pub fn work_on(&mut self, job: Option<&GravityJob>) {
        let id = job.map(|job| job.id);
        if id == self.doing.as_ref().map(|(id, _)| *id) {
            return;
        }
        self.stop();
        let Some(job) = job else {
            return;
        };
        let stopped: Arc<AtomicBool> = Arc::default();
        self.doing = Some((job.id, Arc::clone(&stopped)));
        self.news.lock().job = Some(job.id);
        let news = Arc::clone(&self.news);
        let machine = Arc::clone(&self.machine);
        let job = job.clone();
        let work = move || {
            let mut machine = machine.lock().unwrap_or_else(PoisonError::into_inner);
            let machine = machine.get_or_insert_with(|| {
                Machine::new(Level::PERFECT, TABLE_BYTES, fastrand::u64(..))
            });
            match job.level {
                Some(level) => choose(machine, level, &job, &stopped, &news),
                None => values(machine, &job, &stopped, &news),
            }
        };
        // Where the system gives no thread the engine stays silent.
        if let Err(error) = std::thread::Builder::new().spawn(work) {
            log::error!("no thread to search in: {error}");
        }
    }

    /// What was found since the last call, and whether the job is done.
    pub fn news(&self) -> Option<(GravityJobId, Vec<GravityNews>, bool)> {
        let mut latest = self.news.lock();
        let job = latest.job.filter(|_| latest.is_new)?;
        latest.is_new = false;
        Some((job, std::mem::take(&mut latest.found), latest.is_over))
    }

    fn stop(&mut self) {
        if let Some((_, stopped)) = self.doing.take() {
            stopped.store(true, Ordering::Relaxed);
        }
        *self.news.lock() = Latest::default();
    }
}

impl Drop for GravityThinker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl News {
    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, job: GravityJobId, found: Option<GravityNews>, is_over: bool) {
        let mut latest = self.lock();
        if latest.job == Some(job) {
            latest.found.extend(found);
            latest.is_over = is_over;
            latest.is_new = true;
            drop(latest);
            (self.wake)();
        }
    }
}

/// Chooses the engine's move within [`LONGEST`].
fn choose(
    machine: &mut Machine,
    level: Level,
    job: &GravityJob,
    stopped: &AtomicBool,
    news: &News,
) {
    let clock = MonotonicClock::system();
    machine.level = level;
    let watch = &mut |_: Progress| go_on(!stopped.load(Ordering::Relaxed) && clock.now() < LONGEST);
    let outcome = machine.choose(&job.position, &Limits::default(), watch);
    news.tell(job.id, outcome.column.map(GravityNews::Column), true);
}

/// Finds the exact values of all columns, one after another.
fn values(machine: &mut Machine, job: &GravityJob, stopped: &AtomicBool, news: &News) {
    let after = |column| {
        let mut position = job.position.clone();
        position.play(column).ok().map(|_| (column, position))
    };
    let positions: Vec<(usize, Position)> =
        job.position.playable_columns().filter_map(after).collect();
    for (column, position) in positions {
        let watch = &mut |_: Progress| go_on(!stopped.load(Ordering::Relaxed));
        let solution = machine.search().solve(&position, &Limits::default(), watch);
        let value = solution.value.map(|value| value.before_move());
        let found = value.map(|value| GravityNews::Value(column, value));
        news.tell(job.id, found, false);
    }
    news.tell(job.id, None, true);
}

fn go_on(goes_on: bool) -> ControlFlow<()> {
    match goes_on {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}
