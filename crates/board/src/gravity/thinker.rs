//! Does the jobs of a session of four in a row, each in a thread of its own.

use super::session::{GravityJob, GravityJobId, GravityNews};
use super::worker::GravityWorker;
use crate::threads;
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
    has_failed: bool,
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
        let (news, failed) = (Arc::clone(&self.news), Arc::clone(&self.news));
        let workers = Arc::clone(&self.worker);
        let (id, job) = (job.id, job.clone());
        let work = move || {
            let mut worker = workers.lock().unwrap_or_else(|broken| {
                // Nothing is known of what a search that panicked has left behind.
                let mut worker = broken.into_inner();
                *worker = GravityWorker::new(MonotonicClock::system());
                worker
            });
            workers.clear_poison();
            worker.work(
                &job,
                &|| stopped.load(Ordering::Relaxed),
                &|found, is_over| {
                    news.tell(id, found, is_over);
                },
            );
        };
        threads::spawn("gravity", work, move || failed.fail(id));
    }

    /// What was found since the last call, and whether the job is done.
    pub fn news(&self) -> Option<(GravityJobId, Vec<GravityNews>, bool)> {
        let mut latest = self.news.lock();
        let job = latest.job.filter(|_| latest.is_new)?;
        latest.is_new = false;
        Some((job, std::mem::take(&mut latest.found), latest.is_over))
    }

    /// The job that could not be done, if there is one.
    pub fn failed(&self) -> Option<GravityJobId> {
        let latest = self.news.lock();
        latest.job.filter(|_| latest.has_failed)
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

    fn fail(&self, job: GravityJobId) {
        let mut latest = self.lock();
        if latest.job == Some(job) {
            latest.has_failed = true;
            drop(latest);
            (self.wake)();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gravity::{GravityMessage, GravityReply, GravitySession};
    use std::sync::mpsc;
    use std::time::Duration;

    /// An engine that panicked once thought for ever.
    #[test]
    fn a_search_that_panics_has_an_end_and_the_game_goes_on() {
        let (wake, woken) = mpsc::channel();
        let is_first = AtomicBool::new(true);
        let mut thinker = GravityThinker::new(move || {
            assert!(!is_first.swap(false, Ordering::Relaxed), "on purpose");
            wake.send(()).unwrap();
        });
        let patience = Duration::from_secs(60);
        let mut session = GravitySession::new();
        session.handle(GravityMessage::Drop { column: 3, ply: 0 });
        thinker.work_on(session.job());
        woken.recv_timeout(patience).unwrap();
        let failed = thinker.failed().unwrap();
        let replies = session.fail(failed);
        let [GravityReply::State(state), GravityReply::Error { code, .. }] = &replies[..] else {
            panic!("{replies:?}");
        };
        assert!(!state.thinking && *code == "engine");
        assert!(session.job().is_none(), "it is not asked again at once");
        assert!(session.fail(failed).is_empty());
        thinker.work_on(session.job());
        // Whatever is said next has it try again.
        session.handle(GravityMessage::Analyse { on: false });
        thinker.work_on(session.job());
        woken.recv_timeout(patience).unwrap();
        assert_eq!(thinker.failed(), None);
        let (job, found, is_over) = thinker.news().unwrap();
        session.report(job, &found, is_over);
        assert!(session.job().is_none() && is_over);
    }
}
