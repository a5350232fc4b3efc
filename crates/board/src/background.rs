//! Jobs of a session that are done in the background, in threads of their own.

use super::job::{Job, Report};
use super::job_id::JobId;
use super::threads;
use super::worker::Worker;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Does the jobs of one session, one of each kind at a time. Dropping it stops them.
pub struct Background {
    new_worker: Arc<dyn Fn() -> Worker + Send + Sync>,
    wake: Arc<dyn Fn() + Send + Sync>,
    lanes: HashMap<Discriminant<Job>, Lane>,
}

/// The jobs of one kind, one at a time.
#[derive(Default)]
struct Lane {
    /// `None` until there is a job.
    worker: Arc<Mutex<Option<Worker>>>,
    pending: Arc<Pending>,
    running: Option<RunningJob>,
}

struct RunningJob {
    id: JobId,
    stop: Arc<AtomicBool>,
}

/// The report that was not taken yet. It does not grow where later results replace earlier ones.
#[derive(Default)]
struct Pending(Mutex<Option<(JobId, Report)>>);

impl Background {
    /// Returns a background without a job. Its threads call `wake` when
    /// [`Background::take_reports`] has reports.
    pub fn new(
        new_worker: impl Fn() -> Worker + Send + Sync + 'static,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Background {
        Background {
            new_worker: Arc::new(new_worker),
            wake: Arc::new(wake),
            lanes: HashMap::new(),
        }
    }

    /// Does these jobs. Others that are running are stopped.
    pub fn work_on(&mut self, jobs: Vec<Job>) {
        let is_wanted = |running: &RunningJob| jobs.iter().any(|job| job.id() == running.id);
        for lane in self.lanes.values_mut() {
            if !lane.running.as_ref().is_some_and(is_wanted) {
                lane.stop();
            }
        }
        for job in jobs {
            let lane = self.lanes.entry(discriminant(&job)).or_default();
            if lane.running.is_none() {
                lane.start(job, &self.new_worker, &self.wake);
            }
        }
    }

    /// Returns the results of each job that came since the last call.
    pub fn take_reports(&self) -> Vec<(JobId, Report)> {
        let lanes = self.lanes.values();
        lanes
            .filter_map(|lane| lane.pending.lock().take())
            .collect()
    }

    /// Stops the jobs, and frees the memory of the workers until there is another job.
    pub fn rest(&mut self) {
        self.lanes.clear();
    }
}

impl Lane {
    fn start(
        &mut self,
        job: Job,
        new_worker: &Arc<dyn Fn() -> Worker + Send + Sync>,
        wake: &Arc<dyn Fn() + Send + Sync>,
    ) {
        let (id, stop) = (job.id(), Arc::<AtomicBool>::default());
        self.running = Some(RunningJob {
            id,
            stop: Arc::clone(&stop),
        });
        let (pending, wake) = (Arc::clone(&self.pending), Arc::clone(wake));
        let stopped = Arc::clone(&stop);
        let add = Arc::new(move |report| {
            if pending.add(id, &stopped, report) {
                wake();
            }
        });
        let (new_worker, worker) = (Arc::clone(new_worker), Arc::clone(&self.worker));
        let failed = Arc::clone(&add);
        let work = move || {
            let mut worker = worker.lock().unwrap_or_else(|poisoned| {
                // A job that panicked leaves its worker in an unknown state.
                worker.clear_poison();
                let mut worker = poisoned.into_inner();
                *worker = None;
                worker
            });
            let is_due = move || stop.load(Ordering::Relaxed);
            // The job before this one may have taken a while to stop.
            if !is_due() {
                let worker = worker.get_or_insert_with(|| new_worker());
                worker.work(&job, is_due, &mut |report| add(report));
            }
        };
        threads::spawn("background", work, move || failed(Report::Failed));
    }

    fn stop(&mut self) {
        let mut report = self.pending.lock();
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
        }
        *report = None;
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, Option<(JobId, Report)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a report of a job, unless it was stopped meanwhile. Returns true if it was added.
    fn add(&self, job: JobId, stop: &AtomicBool, later: Report) -> bool {
        let mut report = self.lock();
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        match &mut *report {
            Some((_, sum)) => sum.add(later),
            None => *report = Some((job, later)),
        }
        true
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gravity::{GravityMessage, GravityReply, GravitySession};
    use crate::review_job::ReviewJob;
    use crate::{ClientMessage, HostedSession, Session};
    use quincunx_engine::engine::{MonotonicClock, Options};
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::Rule;
    use quincunx_records::{GameRecord, RecordedMove};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn new_worker() -> Worker {
        Worker::new(MonotonicClock::system(), Arc::default())
    }

    /// A background whose first report panics, and the receiver of its wake-ups.
    fn panicking() -> (Background, Receiver<()>) {
        let (wake, woken) = channel();
        let is_first = AtomicBool::new(true);
        let background = Background::new(new_worker, move || {
            assert!(!is_first.swap(false, Ordering::Relaxed), "on purpose");
            wake.send(()).unwrap();
        });
        (background, woken)
    }

    /// The only report.
    fn only(background: &Background) -> (JobId, Report) {
        let mut reports = background.take_reports();
        assert_eq!(reports.len(), 1);
        reports.remove(0)
    }

    fn review(id: u64, moves: &str) -> Vec<Job> {
        let position = Position::from_moves(Rule::Freestyle, "9".parse().unwrap(), moves).unwrap();
        let mut record = GameRecord::new(Some(Rule::Freestyle), position.size());
        record.moves = (position.moves())
            .map(|(color, point)| RecordedMove::new(color, point))
            .collect();
        let id = JobId(id);
        vec![Job::Review(Box::new(ReviewJob { id, record }))]
    }

    #[test]
    fn a_review_is_reported_in_pieces_and_another_replaces_it() {
        let (wake, woken) = channel();
        let mut reviews = Background::new(new_worker, move || wake.send(()).unwrap());
        // A long game is given up for a short one.
        reviews.work_on(review(1, "e5d6f6d4f4d5d7e6c6f5g5"));
        reviews.work_on(review(2, "e5e6"));
        let (mut positions, mut moves) = (Vec::new(), 0);
        let summary = loop {
            woken.recv_timeout(PATIENCE).unwrap();
            let Some((id, report)) = reviews.take_reports().pop() else {
                continue;
            };
            let Report::Review(report) = report else {
                panic!("{report:?}");
            };
            assert_eq!(id, JobId(2));
            positions.extend(report.positions.iter().map(|(number, _)| *number));
            moves += report.moves.len();
            if let Some(summary) = report.summary {
                break summary;
            }
        };
        assert_eq!((positions, moves), (vec![2, 1, 0], 2));
        let accuracy = [summary.accuracy.black, summary.accuracy.white];
        assert!(accuracy.iter().all(Option::is_some));
        assert_eq!(reviews.take_reports(), []);
    }

    /// A job that panicked once had no end.
    #[test]
    fn a_review_that_panics_has_an_end() {
        let (mut reviews, woken) = panicking();
        reviews.work_on(review(1, "e5e6"));
        woken.recv_timeout(PATIENCE).unwrap();
        assert_eq!(only(&reviews), (JobId(1), Report::Failed));
    }

    #[test]
    fn a_search_for_a_win_that_panics_has_an_end() {
        let (mut engine, woken) = panicking();
        let mut session = Session::new(Options::default());
        let mut say = |message: &str| {
            let message: ClientMessage = serde_json::from_str(message).unwrap();
            session.handle(Duration::ZERO, message);
            session.jobs()
        };
        say(r#"{ "type": "hello", "version": 1 }"#);
        say(r#"{ "type": "open", "text": "15 freestyle h8a1h9a2h10a3" }"#);
        let jobs = say(r#"{ "type": "prove" }"#);
        engine.work_on(jobs.clone());
        woken.recv_timeout(PATIENCE).unwrap();
        assert_eq!(only(&engine), (jobs[0].id(), Report::Failed));
        // The next job has a worker of its own.
        engine.work_on(Vec::new());
        engine.work_on(jobs);
        woken.recv_timeout(PATIENCE).unwrap();
        let (_, report) = only(&engine);
        assert!(matches!(report, Report::Search(report) if report.solution.is_some()));
    }

    #[test]
    fn a_search_that_panics_has_an_end_and_the_game_goes_on() {
        let (mut engine, woken) = panicking();
        let mut session = GravitySession::new();
        let drop = GravityMessage::Drop { column: 3, ply: 0 };
        session.handle(Duration::ZERO, drop);
        engine.work_on(session.jobs());
        woken.recv_timeout(PATIENCE).unwrap();
        let (failed, report) = only(&engine);
        assert_eq!(report, Report::Failed);
        let replies = session.report(Duration::ZERO, failed, report.clone());
        let [GravityReply::State(state), GravityReply::Error { code, .. }] = &replies[..] else {
            panic!("{replies:?}");
        };
        assert!(!state.thinking && *code == "engine");
        assert!(session.jobs().is_empty(), "it is not asked again at once");
        assert!(session.report(Duration::ZERO, failed, report).is_empty());
        engine.work_on(session.jobs());
        // The next message has it try again.
        session.handle(Duration::ZERO, GravityMessage::Analyse { on: false });
        engine.work_on(session.jobs());
        woken.recv_timeout(PATIENCE).unwrap();
        let (job, report) = only(&engine);
        assert!(report.is_over() && report != Report::Failed);
        session.report(Duration::ZERO, job, report);
        assert!(session.jobs().is_empty());
    }
}
