//! The engine of a guest, on a thread of its own, so that the connection is served while it
//! thinks.

use anyhow::{Context, Result};
use quincunx_arena::{EngineConfig, EngineSlot, EngineSlotError, SlotEngine, Variant};
use quincunx_club::rooms::RoomId;
use quincunx_engine::game::TimeControl;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::rules::{Color, Point};
use quincunx_runs::StopSignal;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// The stack of the engine's thread, which only exchanges messages.
const STACK: usize = 256 << 10;

/// What the engine does next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Task {
    /// It plays a move.
    Move(Color),
    /// It makes one of these choices of an opening.
    Choose(Vec<Choice>),
    /// It places stones of an opening, the first on one of these points.
    Place(Option<Vec<Point>>),
    /// It offers one of these points for black's fifth stone.
    Offer(Option<Vec<Point>>),
}

/// A turn of the engine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Job {
    /// The room, and the number of its game.
    pub(crate) game: (RoomId, u32),
    pub(crate) variant: Variant,
    pub(crate) opening: OpeningRule,
    pub(crate) stones: Vec<(Color, Point)>,
    pub(crate) task: Task,
    pub(crate) time: TimeControl,
}

/// The answer of the engine: its choice and its stones. `None` if it has failed.
pub(crate) struct Done {
    pub(crate) job: Job,
    pub(crate) did: Option<(Option<Choice>, Vec<Point>)>,
}

/// The engine and its thread, which end with this value.
pub(crate) struct BackgroundEngine {
    /// `None` once the thread ends.
    jobs: Option<Sender<Asked>>,
    done: Receiver<Done>,
    /// Ends the search that is under way.
    stop: StopSignal,
    /// The engine has still to answer.
    is_busy: bool,
    thread: Option<JoinHandle<()>>,
}

/// A job, and the signal that ends its search.
type Asked = (Job, StopSignal);

impl BackgroundEngine {
    /// Starts the thread. The program is started with its first move.
    pub(crate) fn start(engine: EngineConfig) -> Result<BackgroundEngine> {
        let context = || format!("can't start {}", engine.program);
        engine.program.try_start().with_context(context)?;
        let (jobs, waiting) = channel::<Asked>();
        let (sender, done) = channel();
        let work = move || {
            let mut next = waiting.recv().ok();
            while let Some(first) = next {
                next = play(&engine, first, &waiting, &sender);
            }
        };
        let thread = std::thread::Builder::new().name("guest engine".to_owned());
        let thread = thread.stack_size(STACK).spawn(work)?;
        Ok(BackgroundEngine {
            jobs: Some(jobs),
            done,
            stop: StopSignal::default(),
            is_busy: false,
            thread: Some(thread),
        })
    }

    /// Has the engine do this, and nothing else any more.
    pub(crate) fn think(&mut self, job: Job) {
        self.forget();
        self.is_busy = true;
        if let Some(jobs) = &self.jobs {
            // The thread ends after this value only.
            _ = jobs.send((job, self.stop.clone()));
        }
    }

    /// Ends the search that is under way, and the program with it: the protocol has no other
    /// word for that.
    pub(crate) fn forget(&mut self) {
        // What has been found already is dropped.
        _ = self.answer();
        if std::mem::take(&mut self.is_busy) {
            std::mem::take(&mut self.stop).give();
        }
    }

    pub(crate) fn answer(&mut self) -> Option<Done> {
        let done = self.done.try_recv().ok();
        self.is_busy &= done.is_none();
        done
    }
}

/// Ends the engine's program and all its children, even in the middle of a search. A program that
/// outlived the guest would think forever.
impl Drop for BackgroundEngine {
    fn drop(&mut self) {
        self.stop.give();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has said so.
            _ = thread.join();
        }
    }
}

/// Does one job after another with one program, until a search of it is ended. Returns the job
/// that comes then.
fn play(
    engine: &EngineConfig,
    first: Asked,
    waiting: &Receiver<Asked>,
    done: &Sender<Done>,
) -> Option<Asked> {
    let stop = first.1.clone();
    let slot = EngineSlot::new(engine.clone(), stop.clone());
    let mut engine = slot.engine();
    let mut next = Some(first);
    while let Some((job, _)) = next.take_if(|_| !stop.is_given()) {
        let did = act(&mut engine, &job);
        if stop.is_given() {
            // A search that the guest has ended itself has not failed. The program searches still,
            // and would not hear that it is to leave.
            engine.kill();
        } else {
            if let Err(error) = &did {
                log::error!("{error}");
            }
            let did = did.ok();
            _ = done.send(Done { job, did });
        }
        next = waiting.recv().ok();
    }
    engine.leave();
    // What was asked for before that is not wanted any more.
    while next.as_ref().is_some_and(|(_, stop)| stop.is_given()) {
        next = waiting.recv().ok();
    }
    next
}

fn act(
    engine: &mut SlotEngine<'_>,
    job: &Job,
) -> Result<(Option<Choice>, Vec<Point>), EngineSlotError> {
    engine.begin(job.variant, job.opening);
    let side = match job.stones.len() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    let (options, allowed): (&[Choice], _) = match &job.task {
        Task::Move(own) => return play_one(engine, job, *own, None),
        Task::Choose(options) => (options, None),
        Task::Place(allowed) | Task::Offer(allowed) => (&[], allowed.as_deref()),
    };
    // The protocol has no word for other openings: the engine keeps its colour, offers one stone,
    // and places its moves as near as the opening allows.
    match options {
        _ if job.opening == OpeningRule::Swap2 => {
            let stones: Vec<Point> = job.stones.iter().map(|(_, point)| *point).collect();
            engine.open(&stones, options, job.time)
        }
        [] => play_one(engine, job, side, allowed),
        [offers @ Choice::Offers(_), ..] => Ok((Some(*offers), Vec::new())),
        _ if side == Color::Black => Ok((Some(Choice::Black), Vec::new())),
        _ => Ok((Some(Choice::White), Vec::new())),
    }
}

/// The engine's move, or the nearest of the points that the opening allows.
fn play_one(
    engine: &mut SlotEngine<'_>,
    job: &Job,
    own: Color,
    allowed: Option<&[Point]>,
) -> Result<(Option<Choice>, Vec<Point>), EngineSlotError> {
    let point = engine.play(&job.stones, own, job.time)?;
    let nearest = allowed.and_then(|points| nearest(points, point));
    Ok((None, vec![nearest.unwrap_or(point)]))
}

/// The nearest of these points to a point.
fn nearest(points: &[Point], to: Point) -> Option<Point> {
    (points.iter().copied()).min_by_key(|point| point.distance(to))
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_arena::{EngineLimits, Program};
    use quincunx_engine::rules::{BoardSize, Rule};
    use std::time::{Duration, Instant};

    /// A program that thinks for ever about the empty board, and not at all about any other.
    const PROGRAM: &str = "while read -r line; do case \"$line\" in \
        START*) echo OK;; BEGIN*) sleep 60;; DONE*) echo 0,0;; END*) exit;; esac; done";

    fn job(stones: Vec<(Color, Point)>) -> Job {
        Job {
            game: (RoomId(1), 1),
            variant: Variant {
                rule: Rule::default(),
                size: BoardSize::default(),
            },
            opening: OpeningRule::Free,
            stones,
            task: Task::Move(Color::Black),
            time: TimeControl {
                game: Some(Duration::from_secs(50)),
                ..TimeControl::default()
            },
        }
    }

    /// An engine once thought on about a game that was over, while its clock ran in the next.
    #[test]
    fn a_search_that_is_not_wanted_any_more_ends() {
        let mut background = BackgroundEngine::start(EngineConfig {
            name: "A".to_owned(),
            program: Program {
                command: ["sh", "-c", PROGRAM].map(Into::into).to_vec(),
                folder: None,
            },
            limits: EngineLimits::default(),
            options: Vec::new(),
            threads: None,
            memory: None,
        })
        .unwrap();
        let stones = ["h8", "i9"].map(|point| point.parse::<Point>().unwrap());
        let stones: Vec<_> = Color::ALL.into_iter().zip(stones).collect();
        let began = Instant::now();
        background.think(job(Vec::new()));
        std::thread::sleep(Duration::from_millis(300));
        background.forget();
        background.think(job(stones.clone()));
        let done = loop {
            match background.answer() {
                Some(done) => break done,
                None => std::thread::sleep(Duration::from_millis(10)),
            }
            assert!(began.elapsed() < Duration::from_secs(20), "it thinks on");
        };
        // The search that was ended has no answer, not even that it has failed.
        assert_eq!(done.job.stones, stones);
        assert_eq!(done.did.unwrap().1.len(), 1);
    }
}
