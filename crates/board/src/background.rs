//! Jobs of a session that are done in the background, one at a time, in threads of their own.

use super::job::{JobId, JobReport};
use super::threads;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A job of a session.
pub trait BackgroundJob: Clone + Send + 'static {
    /// The state that jobs have in common, such as an engine with its tables.
    type Worker: Send + 'static;
    /// The results of the job so far.
    type Report: JobReport;

    /// The number of the job.
    fn id(&self) -> JobId;

    /// Does the job until it is done or `stop` is set. `report` is called with new results, and
    /// at the end with a report that [is over](JobReport::is_over).
    fn run(
        &self,
        worker: &mut Self::Worker,
        stop: &Arc<AtomicBool>,
        report: &mut dyn FnMut(Self::Report),
    );
}

/// Does the jobs of one session. Dropping it stops the job.
pub struct Background<J: BackgroundJob> {
    new_worker: Arc<dyn Fn() -> J::Worker + Send + Sync>,
    /// `None` until there is a job.
    worker: Arc<Mutex<Option<J::Worker>>>,
    pending: Arc<Pending<J::Report>>,
    running: Option<RunningJob>,
}

struct RunningJob {
    id: JobId,
    stop: Arc<AtomicBool>,
}

/// The report that was not taken yet. It does not grow where later results replace earlier ones.
struct Pending<R> {
    report: Mutex<Option<(JobId, R)>>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl<J: BackgroundJob> Background<J> {
    /// Returns a background without a job. `wake` is called from its threads when
    /// [`Background::take_report`] has something.
    pub fn new(
        new_worker: impl Fn() -> J::Worker + Send + Sync + 'static,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Background<J> {
        Background {
            new_worker: Arc::new(new_worker),
            worker: Arc::default(),
            pending: Arc::new(Pending {
                report: Mutex::new(None),
                wake: Box::new(wake),
            }),
            running: None,
        }
    }

    /// Does this job. Another one that is running is stopped.
    pub fn work_on(&mut self, job: Option<&J>) {
        let id = job.map(J::id);
        if id == self.running.as_ref().map(|running| running.id) {
            return;
        }
        self.stop();
        let Some(job) = job.cloned() else {
            return;
        };
        let (id, stop) = (job.id(), Arc::<AtomicBool>::default());
        self.running = Some(RunningJob {
            id,
            stop: Arc::clone(&stop),
        });
        let (pending, worker) = (Arc::clone(&self.pending), Arc::clone(&self.worker));
        let (failed, stopped) = (Arc::clone(&self.pending), Arc::clone(&stop));
        let new_worker = Arc::clone(&self.new_worker);
        let work = move || {
            let mut worker = worker.lock().unwrap_or_else(|poisoned| {
                // A job that panicked leaves its worker in an unknown state.
                worker.clear_poison();
                let mut worker = poisoned.into_inner();
                *worker = None;
                worker
            });
            // The job before this one may have taken a while to stop.
            if !stop.load(Ordering::Relaxed) {
                let worker = worker.get_or_insert_with(|| new_worker());
                job.run(worker, &stop, &mut |report| pending.add(id, &stop, report));
            }
        };
        let fail = move || failed.add(id, &stopped, J::Report::failure());
        threads::spawn("background", work, fail);
    }

    /// Returns the results that came since the last call, if there are any.
    pub fn take_report(&self) -> Option<(JobId, J::Report)> {
        self.pending.lock().take()
    }

    /// Stops the job, and frees the memory of the worker until there is another job.
    pub fn rest(&mut self) {
        self.stop();
        self.worker = Arc::default();
    }

    fn stop(&mut self) {
        let mut report = self.pending.lock();
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
        }
        *report = None;
    }
}

impl<J: BackgroundJob> Drop for Background<J> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<R: JobReport> Pending<R> {
    fn lock(&self) -> MutexGuard<'_, Option<(JobId, R)>> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a report of a job, unless it was stopped meanwhile.
    fn add(&self, job: JobId, stop: &AtomicBool, later: R) {
        let mut report = self.lock();
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let (_, sum) = report.get_or_insert_with(|| (job, R::default()));
        sum.add(later);
        drop(report);
        (self.wake)();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gravity::{GravityJob, GravityMessage, GravityReply, GravitySession, GravityWorker};
    use crate::job::Job;
    use crate::review_job::ReviewJob;
    use crate::{ClientMessage, Session, Worker};
    use quincunx_engine::engine::{MonotonicClock, Options};
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::Rule;
    use quincunx_records::{GameRecord, RecordedMove};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// A background whose first report panics, and the receiver of its wake-ups.
    fn panicking<J: BackgroundJob>(
        new_worker: impl Fn() -> J::Worker + Send + Sync + 'static,
    ) -> (Background<J>, Receiver<()>) {
        let (wake, woken) = channel();
        let is_first = AtomicBool::new(true);
        let background = Background::new(new_worker, move || {
            assert!(!is_first.swap(false, Ordering::Relaxed), "on purpose");
            wake.send(()).unwrap();
        });
        (background, woken)
    }

    fn review(id: u64, moves: &str) -> ReviewJob {
        let position = Position::from_moves(Rule::Freestyle, "9".parse().unwrap(), moves).unwrap();
        let mut record = GameRecord::new(Some(Rule::Freestyle), position.size());
        record.moves = (position.moves())
            .map(|(color, point)| RecordedMove::new(color, point))
            .collect();
        let id = JobId(id);
        ReviewJob { id, record }
    }

    #[test]
    fn a_review_is_reported_in_pieces_and_another_replaces_it() {
        let (wake, woken) = channel();
        let mut reviews =
            Background::<ReviewJob>::new(Arc::default, move || wake.send(()).unwrap());
        // A long game is given up for a short one.
        reviews.work_on(Some(&review(1, "e5d6f6d4f4d5d7e6c6f5g5")));
        reviews.work_on(Some(&review(2, "e5e6")));
        let (mut positions, mut moves) = (Vec::new(), 0);
        let summary = loop {
            woken.recv_timeout(PATIENCE).unwrap();
            let Some((id, report)) = reviews.take_report() else {
                continue;
            };
            assert_eq!((id, report.failed), (JobId(2), false));
            positions.extend(report.positions.iter().map(|(number, _)| *number));
            moves += report.moves.len();
            if let Some(summary) = report.summary {
                break summary;
            }
        };
        assert_eq!((positions, moves), (vec![2, 1, 0], 2));
        let accuracy = [summary.accuracy.black, summary.accuracy.white];
        assert!(accuracy.iter().all(Option::is_some));
        assert_eq!(reviews.take_report(), None);
    }

    /// A job that panicked once had no end.
    #[test]
    fn a_review_that_panics_has_an_end() {
        let (mut reviews, woken) = panicking::<ReviewJob>(Arc::default);
        reviews.work_on(Some(&review(1, "e5e6")));
        woken.recv_timeout(PATIENCE).unwrap();
        let (id, report) = reviews.take_report().unwrap();
        assert!(id == JobId(1) && report.failed);
    }

    #[test]
    fn a_search_for_a_win_that_panics_has_an_end() {
        let (mut engine, woken) = panicking::<Job>(|| Worker::with_weights(Arc::default()));
        let mut session = Session::new(Options::default());
        let mut say = |message: &str| {
            let message: ClientMessage = serde_json::from_str(message).unwrap();
            session.handle(Duration::ZERO, message);
            session.job().cloned()
        };
        say(r#"{ "type": "hello", "version": 1 }"#);
        say(r#"{ "type": "open", "text": "15 freestyle h8a1h9a2h10a3" }"#);
        let job = say(r#"{ "type": "prove" }"#).unwrap();
        engine.work_on(Some(&job));
        woken.recv_timeout(PATIENCE).unwrap();
        let (id, report) = engine.take_report().unwrap();
        assert!(id == job.id && report.failed);
        // The next job has a worker of its own.
        engine.work_on(None);
        engine.work_on(Some(&job));
        woken.recv_timeout(PATIENCE).unwrap();
        let (_, report) = engine.take_report().unwrap();
        assert!(report.solution.is_some());
    }

    #[test]
    fn a_search_that_panics_has_an_end_and_the_game_goes_on() {
        let new_worker = || GravityWorker::new(MonotonicClock::system());
        let (mut engine, woken) = panicking::<GravityJob>(new_worker);
        let mut session = GravitySession::new();
        session.handle(GravityMessage::Drop { column: 3, ply: 0 });
        engine.work_on(session.job());
        woken.recv_timeout(PATIENCE).unwrap();
        let (failed, report) = engine.take_report().unwrap();
        assert!(report.failed);
        let replies = session.report(failed, &report);
        let [GravityReply::State(state), GravityReply::Error { code, .. }] = &replies[..] else {
            panic!("{replies:?}");
        };
        assert!(!state.thinking && *code == "engine");
        assert!(session.job().is_none(), "it is not asked again at once");
        assert!(session.report(failed, &report).is_empty());
        engine.work_on(session.job());
        // The next message has it try again.
        session.handle(GravityMessage::Analyse { on: false });
        engine.work_on(session.job());
        woken.recv_timeout(PATIENCE).unwrap();
        let (job, report) = engine.take_report().unwrap();
        assert!(report.is_over() && !report.failed);
        session.report(job, &report);
        assert!(session.job().is_none());
    }
}
