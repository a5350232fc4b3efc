//! An engine that does jobs on the calling thread, one after another: in a worker of a page, or
//! in the threads of a thinker.

#[cfg(feature = "threads")]
use super::job::JobId;
use super::job::{Job, Purpose, Report};
use super::lines::Lines;
use super::solver_report::SolverReport;
use quincunx_engine::engine::{Engine, Event, RequestError, Started};
use quincunx_engine::position::Position;
use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
#[cfg(feature = "threads")]
use {
    quincunx_engine::engine::MonotonicClock,
    quincunx_engine::eval::WeightSet,
    std::sync::Arc,
    std::sync::atomic::{AtomicBool, Ordering},
};

/// The memory of the search for forced wins, in bytes.
const SOLVER_BYTES: usize = 64 << 20;

/// The most moves that the search for a forced win tries.
const SOLVER_NODES: u64 = 20_000_000;

/// An engine that does jobs on the calling thread.
pub struct Worker {
    engine: Engine,
}

impl Worker {
    /// A worker with this engine. Its [interrupt](Engine::set_interrupt) is what ends a search.
    pub fn new(engine: Engine) -> Worker {
        Worker { engine }
    }

    /// A worker with an engine of its own, which evaluates with these weights.
    #[cfg(feature = "threads")]
    pub fn with_weights(weights: Arc<WeightSet>) -> Worker {
        Worker::new(Engine::with_weights(MonotonicClock::system(), weights))
    }

    /// Does a job until it is done, or `stop` says that it is no longer wanted. `tell` hears
    /// all that was found so far, again and again.
    pub fn work(
        &mut self,
        job: &Job,
        stop: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Report),
    ) {
        let mut report = Report::default();
        match job.purpose {
            Purpose::Proof | Purpose::Threat => report.solution = Some(prove(&job.position, stop)),
            _ => match begin(&mut self.engine, job) {
                Ok(Started::Answered(answer)) => report.answer = Some(answer),
                Ok(Started::Searching(search)) => {
                    let mut lines = Lines::default();
                    let answer = search.answer(&mut |event| {
                        if let Event::Info(info) = event
                            && lines.take(info)
                        {
                            tell(Report {
                                lines: lines.last().to_vec(),
                                ..Report::default()
                            });
                        }
                    });
                    report.lines = lines.last().to_vec();
                    report.answer = Some(answer);
                }
                Err(_) => report.failed = true,
            },
        }
        tell(report);
    }
}

#[cfg(feature = "threads")]
impl super::background::BackgroundJob for Job {
    type Worker = Worker;
    type Report = Report;

    fn id(&self) -> JobId {
        self.id
    }

    fn run(&self, worker: &mut Worker, stop: &Arc<AtomicBool>, report: &mut dyn FnMut(Report)) {
        let interrupt = Arc::clone(stop);
        let is_due = move || interrupt.load(Ordering::Relaxed);
        worker.engine.set_interrupt(is_due);
        worker.work(self, &mut || stop.load(Ordering::Relaxed), report);
    }
}

/// Begins with a job of the engine.
fn begin(engine: &mut Engine, job: &Job) -> Result<Started, RequestError> {
    *engine.options_mut() = job.options;
    engine.set_position(job.position.clone());
    *engine.excluded_mut() = job.excluded;
    if let Some(left) = job.options.time_left {
        engine.set_time_left(left);
    }
    engine.start(job.request, engine.clock().now())
}

/// Looks for a forced win of the side to move.
fn prove(position: &Position, stop: &mut dyn FnMut() -> bool) -> SolverReport {
    let limits = SolverLimits {
        nodes: SOLVER_NODES,
        stop,
    };
    let solution = Solver::new(SOLVER_BYTES).solve(position, WinKind::Any, limits);
    (&solution).into()
}
