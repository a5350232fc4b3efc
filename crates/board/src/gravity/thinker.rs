//! Does the jobs of a session of four in a row, each in a thread of its own.

use super::session::{GravityJob, GravityJobId, GravityNews};
use super::worker::GravityWorker;
use quincunx_engine::engine::MonotonicClock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Does the jobs of a session of four in a row. Dropping it stops the search.
pub struct GravityThinker {
    news: Arc<News>,
    worker: Arc<Mutex<GravityWorker>>,
    doing: Option<(GravityJobId, Arc<AtomicBool>)>,
}

/// The newest finding that has not been read.
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
            worker: new_worker(),
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
        let worker = Arc::clone(&self.worker);
        let job = job.clone();
        let work = move || {
            let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            worker.work(
                &job,
                &|| stopped.load(Ordering::Relaxed),
                &|found, is_over| {
                    news.tell(job.id, found, is_over);
                },
            );
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

    /// Ends what it does, and gives back the memory of the search until there is another job.
    pub fn rest(&mut self) {
        self.stop();
        self.worker = new_worker();
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

fn new_worker() -> Arc<Mutex<GravityWorker>> {
    Arc::new(Mutex::new(GravityWorker::new(MonotonicClock::system())))
}

impl News {
    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, job: GravityJobId, found: Option<GravityNews>, is_over: bool) {
        let mut latest = self.lock();
        if latest.job == Some(job) {
            if matches!(found, Some(GravityNews::Progress(..))) {
                (latest.found).retain(|news| !matches!(news, GravityNews::Progress(..)));
            }
            latest.found.extend(found);
            latest.is_over = is_over;
            latest.is_new = true;
            drop(latest);
            (self.wake)();
        }
    }
}
