//! The engine of a guest, on a thread of its own, so that the connection is served while it
//! thinks.

use anyhow::{Context, Result};
use quincunx_arena::{EngineConfig, Seat, SeatError, SeatedEngine, StopSignal, Variant};
use quincunx_engine::game::TimeControl;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::rules::{Color, Point};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// The stack of the engine's thread, which only exchanges messages.
const STACK: usize = 256 << 10;

/// What the engine does next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// It plays a move.
    Move(Color),
    /// It places the stones of an opening, or makes one of these choices.
    Open(Vec<Choice>),
}

/// A turn of the engine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// The room, and the number of its game.
    pub(super) game: (String, u64),
    pub(super) variant: Variant,
    pub(super) opening: OpeningRule,
    pub(super) stones: Vec<(Color, Point)>,
    pub(super) task: Task,
    pub(super) time: TimeControl,
}

/// The answer of the engine: its choice and its stones. `None` if it has failed.
pub(super) struct Done {
    pub(super) job: Job,
    pub(super) did: Option<(Option<Choice>, Vec<Point>)>,
}

/// The engine and its thread, which end with this value.
pub(super) struct Thinker {
    /// `None` once the thread ends.
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// Starts the thread. The program is started with its first move.
    pub(super) fn start(engine: EngineConfig) -> Result<Thinker> {
        let context = || format!("can't start {}", engine.program);
        engine.program.try_start().with_context(context)?;
        let (jobs, waiting) = channel::<Job>();
        let (sender, done) = channel();
        let stop = StopSignal::default();
        let (stopped, ended) = (stop.clone(), stop.clone());
        let work = move || {
            let seat = Seat::new(engine, stopped);
            let mut engine = seat.engine();
            for job in waiting {
                let did = act(&mut engine, &job);
                // A search that the guest has ended itself has not failed.
                if let Err(error) = &did
                    && !ended.is_given()
                {
                    log::error!("{error}");
                }
                let did = did.ok();
                if sender.send(Done { job, did }).is_err() {
                    break;
                }
            }
            engine.leave();
        };
        let thread = std::thread::Builder::new().name("guest engine".to_owned());
        let thread = thread.stack_size(STACK).spawn(work)?;
        Ok(Thinker {
            jobs: Some(jobs),
            done,
            stop,
            thread: Some(thread),
        })
    }

    pub(super) fn think(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread ends after this value only.
            _ = jobs.send(job);
        }
    }

    pub(super) fn answer(&self) -> Option<Done> {
        self.done.try_recv().ok()
    }
}

/// Ends the engine's program and all its children, even in the middle of a search. A program that
/// outlived the guest would think forever.
impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.give();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has said so.
            _ = thread.join();
        }
    }
}

fn act(
    engine: &mut SeatedEngine<'_>,
    job: &Job,
) -> Result<(Option<Choice>, Vec<Point>), SeatError> {
    engine.begin(job.variant, job.opening);
    let played = |engine: &mut SeatedEngine<'_>, own| {
        let point = engine.play(&job.stones, own, job.time)?;
        Ok((None, vec![point]))
    };
    match (&job.task, job.opening) {
        (Task::Move(own), _) => played(engine, *own),
        (Task::Open(options), OpeningRule::Swap2) => {
            let stones: Vec<Point> = job.stones.iter().map(|(_, point)| *point).collect();
            engine.open(&stones, options, job.time)
        }
        // The protocol has no word for other openings: the engine keeps its colour.
        (Task::Open(options), _) if options.is_empty() => played(engine, Color::Black),
        (Task::Open(_), _) => Ok((Some(Choice::White), Vec::new())),
    }
}
