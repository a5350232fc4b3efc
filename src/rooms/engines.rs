//! A few engines for all rooms. They run below the priority of the games of people.

use super::club::EngineJob;
use super::number::RoomId;
use crate::engine::{Answer, Engine, MonotonicClock, Options};
use crate::eval::WeightSet;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;

/// Deep lines recurse; stack that is never touched costs nothing.
const STACK: usize = 16 << 20;

/// A few engines, each with a thread of its own. Jobs wait until one is free.
pub struct EnginePool {
    sender: Sender<EngineJob>,
}

/// No engines: nobody does a job.
impl Default for EnginePool {
    fn default() -> EnginePool {
        EnginePool {
            sender: unbounded().0,
        }
    }
}

impl EnginePool {
    /// Starts a number of engines. They call `report` with the room and the turn of every
    /// job, and with the answer if there is one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        engines: usize,
        weights: &Arc<WeightSet>,
        options: Options,
        report: impl Fn(RoomId, u64, Option<&Answer>) + Send + Sync + 'static,
    ) -> io::Result<EnginePool> {
        let (sender, receiver) = unbounded::<EngineJob>();
        let report = Arc::new(report);
        for _ in 0..engines {
            let (receiver, report) = (Receiver::clone(&receiver), Arc::clone(&report));
            let weights = Arc::clone(weights);
            let work = move || {
                give_way();
                let mut engine = Engine::with_weights(MonotonicClock::system(), weights);
                while let Ok(mut job) = receiver.recv() {
                    let most = &mut job.options.timeout_turn;
                    *most = most.map(|most| fair_share(most, receiver.len(), engines));
                    let answer = answer(&mut engine, options, &job);
                    report(job.room, job.turn, answer.as_ref());
                }
            };
            let thread = std::thread::Builder::new().name("club engine".to_owned());
            thread.stack_size(STACK).spawn(work)?;
        }
        Ok(EnginePool { sender })
    }

    /// Has a job done.
    pub fn add(&self, job: EngineJob) {
        _ = self.sender.send(job);
    }

    /// How many jobs wait.
    pub fn waiting(&self) -> usize {
        self.sender.len()
    }
}

/// How much of the most time for a move a job gets while others wait: their clocks run
/// too. A round of all of them takes hardly longer than one move alone.
fn fair_share(most: i64, waiting: usize, engines: usize) -> i64 {
    let rounds = 1 + waiting / engines.max(1);
    (most / i64::try_from(rounds).unwrap_or(i64::MAX)).max(1)
}

fn answer(engine: &mut Engine, options: Options, job: &EngineJob) -> Option<Answer> {
    *engine.options_mut() = Options {
        threads: 1,
        max_memory: options.max_memory,
        ..job.options
    };
    engine.set_position(job.position.clone());
    engine.answer(job.request, &mut |_| ()).ok()
}

/// Lets everything else on the machine go first, where the system has priorities of
/// threads.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10) {
        log::warn!("event=priority error={error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_moves_takes_hardly_longer_than_one() {
        assert_eq!(fair_share(1000, 0, 1), 1000);
        assert_eq!(fair_share(1000, 1, 2), 1000);
        for (waiting, engines) in [(7, 1), (7, 2), (100, 4)] {
            let jobs = 1 + waiting as i64;
            let round = fair_share(1000, waiting, engines) * jobs / engines as i64;
            assert!(
                (900..=1100).contains(&round),
                "{waiting} {engines}: {round}"
            );
        }
        assert_eq!(fair_share(1000, 100_000, 1), 1);
    }
}
