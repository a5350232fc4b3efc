//! An engine that does the jobs of one session, in threads of its own.

use super::job::{Job, JobId, Purpose, Report};
use quincunx_engine::engine::{
    Engine, EngineThread, Event, MonotonicClock, PvInfo, SearchId, Started,
};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::search::STACK_SIZE;
use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The memory of the search for forced wins, in bytes.
const SOLVER_BYTES: usize = 64 << 20;

/// The most moves that the search for a forced win tries.
const SOLVER_NODES: u64 = 20_000_000;

/// An engine that does the jobs of one [`Session`](super::Session).
///
/// The engine and its thread are there from the first job on. Dropping a thinker
/// stops whatever it searches.
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

/// What searches have found and nobody has read yet. It does not grow: newer lines
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
    /// The last line of each rank.
    ranks: Vec<PvInfo>,
    /// The rank that was heard last, and whether it is still to be told.
    rank: usize,
    is_untold: bool,
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
        let begun = match job.purpose {
            Purpose::Proof | Purpose::Threat => self.prove(job, stopped),
            _ => self.search(job),
        };
        if !begun {
            self.news.finish(job.id, |report| report.failed = true);
        }
    }

    /// What was found since the last call, if anything was.
    pub fn news(&self) -> Option<(JobId, Report)> {
        let mut latest = self.news.lock();
        let job = latest.job.filter(|_| latest.is_new)?;
        latest.is_new = false;
        Some((job, latest.report.clone()))
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
        *engine.options_mut() = job.options;
        engine.set_position(job.position.clone());
        *engine.excluded_mut() = job.excluded;
        if let Some(left) = job.options.time_left {
            engine.set_time_left(left);
        }
        match engine.start(job.request, engine.clock().now()) {
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

    /// Begins the search for a forced win. Returns whether it could.
    fn prove(&self, job: &Job, stopped: Arc<AtomicBool>) -> bool {
        let news = Arc::clone(&self.news);
        let (id, position) = (job.id, job.position.clone());
        news.begin(id, None);
        let solve = move || {
            let limits = SolverLimits {
                nodes: SOLVER_NODES,
                stop: &mut || stopped.load(Ordering::Relaxed),
            };
            let solution = Solver::new(SOLVER_BYTES).solve(&position, WinKind::Any, limits);
            news.finish_if_current(id, |report| report.solution = Some(solution));
        };
        let thread = std::thread::Builder::new().name("solver".to_owned());
        thread.stack_size(STACK_SIZE).spawn(solve).is_ok()
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
            Event::Info(info) => latest.is_new |= latest.take_line(info),
            Event::Answer(answer) => {
                if latest.is_untold {
                    latest.tell_lines();
                }
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

impl Latest {
    /// Takes in a line, and returns whether there is something to tell. That is all lines of
    /// an iteration, whose values can be compared as they are of the same depth; of the first
    /// iteration the lines so far.
    fn take_line(&mut self, info: PvInfo) -> bool {
        // Lines that are decided are not searched again, so an iteration may lack its last.
        let is_next = info.rank <= self.rank && self.is_untold;
        if is_next {
            self.tell_lines();
        }
        self.rank = info.rank;
        let is_first = info.rank >= self.ranks.len();
        let is_last = info.rank + 1 >= info.lines;
        match self.ranks.get_mut(info.rank) {
            Some(line) => *line = info,
            None => self.ranks.push(info),
        }
        self.is_untold = true;
        if is_first || is_last {
            self.tell_lines();
        }
        is_first || is_last || is_next
    }

    /// Tells the lines, the best first: one may turn out better than another that was
    /// searched before it.
    fn tell_lines(&mut self) {
        self.is_untold = false;
        let lines = &mut self.report.lines;
        lines.clone_from(&self.ranks);
        // A move that has changed its rank may still have its old one, too.
        lines.sort_by_key(|line| Reverse(line.depth));
        let mut moves = Vec::new();
        lines.retain(|line| {
            let is_new = !moves.contains(&line.pv.first().copied());
            moves.push(line.pv.first().copied());
            is_new
        });
        lines.sort_by_key(|line| Reverse(line.score));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::score::Score;
    use std::time::Duration;

    fn told(latest: &Latest) -> String {
        let line = |line: &PvInfo| format!("{}={}", line.pv[0], line.score.units());
        latest
            .report
            .lines
            .iter()
            .map(line)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Lines of different depths once stood beside each other in the order of the searches.
    #[test]
    fn lines_are_told_by_iterations_the_best_first() {
        let mut latest = Latest::default();
        let mut hear = |depth, rank, point: &str, score| {
            let info = PvInfo {
                rank,
                lines: 3,
                depth,
                seldepth: depth,
                score: Score::new(score),
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: vec![point.parse().unwrap()],
            };
            (latest.take_line(info), told(&latest))
        };
        let news = |lines: &str| (true, lines.to_owned());
        let silence = |lines: &str| (false, lines.to_owned());
        assert_eq!(hear(1, 0, "h8", 50), news("h8=50"));
        assert_eq!(hear(1, 1, "h7", 60), news("h7=60 h8=50"));
        let first = "h7=60 h8=50 h6=10";
        assert_eq!(hear(1, 2, "h6", 10), news(first));
        assert_eq!(hear(2, 0, "h8", 40), silence(first));
        assert_eq!(hear(2, 1, "h6", 45), silence(first));
        let second = "h6=45 h8=40 h7=30";
        assert_eq!(hear(2, 2, "h7", 30), news(second));
        // The first line is decided and not heard of again, nor is the last.
        assert_eq!(hear(3, 1, "h7", 20), silence(second));
        let third = "h8=40 h7=20";
        assert_eq!(hear(4, 1, "h6", 25), news(third));
        assert_eq!(hear(4, 2, "h7", 15), news("h8=40 h6=25 h7=15"));
    }
}
