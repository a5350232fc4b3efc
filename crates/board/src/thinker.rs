//! An engine that does the jobs of one session, in threads of its own.

use super::job::{Job, JobId, Purpose, Report};
use super::lines::Lines;
use super::threads;
use super::worker::{begin, prove};
use quincunx_engine::engine::{Engine, EngineThread, Event, MonotonicClock, SearchId, Started};
use quincunx_engine::eval::WeightSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An engine that does the jobs of one [`Session`](super::Session).
///
/// The engine and its thread are there from the first job on, until it [rests](Thinker::rest).
/// Dropping a thinker stops whatever it searches.
pub struct Thinker {
    weights: Arc<WeightSet>,
    news: Arc<News>,
    engine: Option<(Engine, EngineThread)>,
    doing: Option<Doing>,
}

/// The job under way.
struct Doing {
    id: JobId,
    stopped: Arc<AtomicBool>,
}

/// The news of searches that were not read yet. It does not grow: newer lines
/// replace older ones.
struct News {
    latest: Mutex<Latest>,
    wake: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Latest {
    job: Option<JobId>,
    /// The search of the engine that does the job.
    search: Option<SearchId>,
    lines: Lines,
    report: Report,
    is_new: bool,
}

impl Thinker {
    /// A thinker that evaluates with these weights. It calls `wake` from its own
    /// threads when [`Thinker::news`] has something.
    pub fn new(weights: Arc<WeightSet>, wake: impl Fn() + Send + Sync + 'static) -> Thinker {
        Thinker {
            weights,
            news: Arc::new(News {
                latest: Mutex::default(),
                wake: Box::new(wake),
            }),
            engine: None,
            doing: None,
        }
    }

    /// Does this job, and ends the one under way if it is another.
    pub fn work_on(&mut self, job: Option<&Job>) {
        let id = job.map(|job| job.id);
        if id == self.doing.as_ref().map(|doing| doing.id) {
            return;
        }
        self.stop();
        let Some(job) = job else {
            return;
        };
        let stopped: Arc<AtomicBool> = Arc::default();
        self.doing = Some(Doing {
            id: job.id,
            stopped: Arc::clone(&stopped),
        });
        match job.purpose {
            Purpose::Proof | Purpose::Threat => self.prove(job, stopped),
            _ if self.search(job) => (),
            _ => self.news.finish(job.id, |report| report.failed = true),
        }
    }

    /// What was found since the last call, if anything was.
    pub fn news(&self) -> Option<(JobId, Report)> {
        let mut latest = self.news.lock();
        let job = latest.job.filter(|_| latest.is_new)?;
        latest.is_new = false;
        Some((job, latest.report.clone()))
    }

    /// Ends what it does, and gives back the memory of the engine until there is another job.
    pub fn rest(&mut self) {
        self.stop();
        self.engine = None;
    }

    fn stop(&mut self) {
        if let Some(doing) = self.doing.take() {
            doing.stopped.store(true, Ordering::Relaxed);
        }
        *self.news.lock() = Latest::default();
        if let Some((engine, _)) = &mut self.engine {
            engine.stop();
        }
    }

    /// Begins a search of the engine. Returns whether it could.
    fn search(&mut self, job: &Job) -> bool {
        let news = Arc::clone(&self.news);
        let Some((engine, thread)) = self.engine() else {
            return false;
        };
        match begin(engine, job) {
            Ok(Started::Answered(answer)) => {
                news.finish(job.id, |report| report.answer = Some(answer));
            }
            Ok(Started::Searching(search)) => {
                news.begin(job.id, Some(search.id()));
                thread.run(search);
            }
            Err(_) => return false,
        }
        true
    }

    /// The engine and its thread; `None` if the system gives no thread.
    fn engine(&mut self) -> Option<&mut (Engine, EngineThread)> {
        if self.engine.is_none() {
            let news = Arc::clone(&self.news);
            let thread = EngineThread::start(move |id, event| news.hear(id, event)).ok()?;
            let weights = Arc::clone(&self.weights);
            let engine = Engine::with_weights(MonotonicClock::system(), weights);
            self.engine = Some((engine, thread));
        }
        self.engine.as_mut()
    }

    /// Begins the search for a forced win.
    fn prove(&self, job: &Job, stopped: Arc<AtomicBool>) {
        let (news, failed) = (Arc::clone(&self.news), Arc::clone(&self.news));
        let (id, position) = (job.id, job.position.clone());
        news.begin(id, None);
        let solve = move || {
            let proved = prove(&position, &mut || stopped.load(Ordering::Relaxed));
            news.finish_if_current(id, |report| report.solution = Some(proved));
        };
        let fail = move || failed.finish_if_current(id, |report| report.failed = true);
        threads::spawn("solver", solve, fail);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl News {
    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for news of this job, which this search of the engine does.
    fn begin(&self, job: JobId, search: Option<SearchId>) {
        *self.lock() = Latest {
            job: Some(job),
            search,
            ..Latest::default()
        };
    }

    /// Ends a job at once.
    fn finish(&self, job: JobId, change: impl FnOnce(&mut Report)) {
        self.begin(job, None);
        self.finish_if_current(job, change);
    }

    fn finish_if_current(&self, job: JobId, change: impl FnOnce(&mut Report)) {
        let mut latest = self.lock();
        if latest.job == Some(job) {
            change(&mut latest.report);
            latest.is_new = true;
            drop(latest);
            (self.wake)();
        }
    }

    /// Hears an event of the engine. Those of other searches are late.
    fn hear(&self, search: SearchId, event: Event) {
        let mut latest = self.lock();
        if latest.search != Some(search) {
            return;
        }
        match event {
            Event::Info(info) => {
                if latest.lines.take(info) {
                    latest.report.lines = latest.lines.last().to_vec();
                    latest.is_new = true;
                }
            }
            Event::Answer(answer) => {
                latest.report.lines = latest.lines.last().to_vec();
                latest.report.answer = Some(answer);
                latest.is_new = true;
            }
            _ => return,
        }
        if !latest.is_new {
            return;
        }
        drop(latest);
        (self.wake)();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{ClientMessage, Session};
    use quincunx_engine::engine::Options;
    use std::sync::mpsc;
    use std::time::Duration;

    /// A search for a win that panicked once went on for ever, as the page had it.
    #[test]
    fn a_search_for_a_win_that_panics_has_an_end() {
        let (wake, woken) = mpsc::channel();
        let is_first = AtomicBool::new(true);
        let mut thinker = Thinker::new(Arc::default(), move || {
            assert!(!is_first.swap(false, Ordering::Relaxed), "on purpose");
            wake.send(()).unwrap();
        });
        let mut session = Session::new(Options::default());
        let mut say = |message: &str| {
            let message: ClientMessage = serde_json::from_str(message).unwrap();
            session.handle(Duration::ZERO, message);
            session.job().cloned()
        };
        say(r#"{ "type": "hello", "version": 1 }"#);
        say(r#"{ "type": "open", "text": "15 freestyle h8a1h9a2h10a3" }"#);
        let job = say(r#"{ "type": "prove" }"#).unwrap();
        thinker.work_on(Some(&job));
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        let (id, report) = thinker.news().unwrap();
        assert!(id == job.id && report.failed);
    }
}
