//! A few engines for all rooms. They run below the priority of the games of people.

use super::club::EngineJob;
use super::number::RoomId;
use super::priority::give_way;
use crossbeam_channel::{Receiver, Sender, unbounded};
use quincunx_engine::engine::{Answer, Engine, Event, Line, Lines, MonotonicClock, Options};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::search::STACK_SIZE;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The queued job of each room. A new job replaces the queued one of the same room, so moves that
/// are made and taken back repeatedly cost one search.
type Jobs = Mutex<HashMap<RoomId, EngineJob>>;

/// A pool of engines, each with its own thread.
pub struct EnginePool {
    /// The queue of rooms with jobs.
    sender: Sender<RoomId>,
    jobs: Arc<Jobs>,
}

/// No engines: no job is done.
impl Default for EnginePool {
    fn default() -> EnginePool {
        EnginePool {
            sender: unbounded().0,
            jobs: Arc::default(),
        }
    }
}

/// A report of an engine on the turn of a room.
#[derive(Clone, Debug)]
pub enum EngineReport {
    /// The search begins.
    Begun,
    /// The search has ended, with an answer unless it failed.
    Ended {
        /// The time of the search, at most its limit: delays of the server are not charged.
        took: Duration,
        /// The answer, and the last lines of the search.
        answer: Option<(Answer, Vec<Line>)>,
    },
}

impl EnginePool {
    /// Starts a number of engines. They call `report` with the room and the turn of every
    /// job when its search begins, and when it has ended.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        engines: usize,
        weights: &Arc<WeightSet>,
        options: Options,
        report: impl Fn(RoomId, u64, EngineReport) + Send + Sync + 'static,
    ) -> io::Result<EnginePool> {
        let (sender, receiver) = unbounded();
        let jobs = Arc::<Jobs>::default();
        let burst = Arc::<AtomicUsize>::default();
        let report = Arc::new(report);
        for _ in 0..engines {
            let (receiver, report) = (Receiver::clone(&receiver), Arc::clone(&report));
            let (jobs, weights) = (Arc::clone(&jobs), Arc::clone(weights));
            let burst = Arc::clone(&burst);
            let work = move || {
                give_way();
                let mut engine = Engine::with_weights(MonotonicClock::system(), weights);
                while let Ok(room) = receiver.recv() {
                    let Some(mut job) = take(&jobs, room) else {
                        continue;
                    };
                    let most = &mut job.options.timeout_turn;
                    let waiting = receiver.len();
                    let waited = burst.fetch_max(waiting, Relaxed).max(waiting);
                    *most = most.map(|most| fair_share(most, waited, engines));
                    if waiting == 0 {
                        burst.store(0, Relaxed);
                    }
                    report(job.room, job.turn, EngineReport::Begun);
                    let begun = Instant::now();
                    let answer = answer(&mut engine, options, &job);
                    let limit = job.options.timeout_turn.unwrap_or(Duration::MAX);
                    let took = begun.elapsed().min(limit);
                    report(job.room, job.turn, EngineReport::Ended { took, answer });
                }
            };
            let thread = std::thread::Builder::new().name("club engine".to_owned());
            thread.stack_size(STACK_SIZE).spawn(work)?;
        }
        Ok(EnginePool { sender, jobs })
    }

    /// Has a job done, in the place of one of the same room that still waits.
    pub fn add(&self, job: EngineJob) {
        let room = job.room;
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.insert(room, job).is_none() {
            _ = self.sender.send(room);
        }
    }

    /// The number of queued jobs.
    pub fn waiting(&self) -> usize {
        self.sender.len()
    }
}

/// Takes out the job of a room.
fn take(jobs: &Jobs, room: RoomId) -> Option<EngineJob> {
    let mut jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
    jobs.remove(&room)
}

/// The share of the maximum time that a job gets, by the number of jobs in the queue since it was
/// last empty: their clocks run too. A round of all of them takes hardly longer than one move
/// alone.
fn fair_share(most: Duration, waiting: usize, engines: usize) -> Duration {
    let rounds = 1 + waiting / engines.max(1);
    (most / u32::try_from(rounds).unwrap_or(u32::MAX)).max(Duration::from_millis(1))
}

fn answer(engine: &mut Engine, options: Options, job: &EngineJob) -> Option<(Answer, Vec<Line>)> {
    *engine.options_mut() = Options {
        threads: 1,
        max_memory: options.max_memory,
        ..job.options
    };
    engine.set_position(job.position.clone());
    *engine.excluded_mut() = job.excluded;
    let mut lines = Lines::default();
    let answer = engine.answer(job.request, &mut |event| {
        if let Event::Info(line) = event {
            lines.add(line);
        }
    });
    Some((answer.ok()?, lines.last().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::engine::Request;
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::{BoardSize, PointSet, Rule};

    /// Jobs for turns that were gone were once done too, and other rooms waited for them.
    #[test]
    fn only_the_last_job_of_a_room_waits() {
        let rooms = [RoomId(2), RoomId(1)];
        let (sender, receiver) = unbounded();
        let pool = EnginePool {
            sender,
            jobs: Arc::default(),
        };
        for turn in 1..=3 {
            for room in rooms {
                pool.add(EngineJob {
                    room,
                    turn,
                    position: Position::new(Rule::Freestyle, BoardSize::default()),
                    request: Request::Move,
                    excluded: PointSet::EMPTY,
                    options: Options::default(),
                });
            }
        }
        assert_eq!(pool.waiting(), 2);
        for room in rooms {
            assert_eq!(receiver.recv(), Ok(room));
            let job = take(&pool.jobs, room);
            assert_eq!(job.map(|job| job.turn), Some(3));
        }
        assert_eq!(pool.waiting(), 0);
    }

    #[test]
    fn a_round_of_moves_takes_hardly_longer_than_one() {
        let second = Duration::from_secs(1);
        assert_eq!(fair_share(second, 0, 1), second);
        assert_eq!(fair_share(second, 1, 2), second);
        for (waiting, engines) in [(7, 1), (7, 2), (100, 4)] {
            let jobs = 1.0 + waiting as f64;
            let round = fair_share(second, waiting, engines).as_secs_f64() * jobs / engines as f64;
            assert!((0.9..=1.1).contains(&round), "{waiting} {engines}: {round}");
        }
        assert_eq!(fair_share(second, 100_000, 1), Duration::from_millis(1));
    }
}
