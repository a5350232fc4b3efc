//! The engine as a value: a position, options, and a thread that thinks.
//!
//! Floor 6. This is what a program embeds; the text protocol is one user of
//! it. Nothing here reads or prints text.
//!
//! ```
//! use quincunx::engine::Engine;
//! use quincunx::rules::{BoardSize, Rule};
//!
//! let mut engine = Engine::new(|_event| ())?;
//! engine.set_rule(Rule::Freestyle);
//! engine.new_game(BoardSize::default());
//! engine.options_mut().max_node = 20_000;
//! engine.play("h8".parse()?)?;
//! let choice = engine.think()?;
//! engine.play(choice.point)?;
//! assert_eq!(engine.position().ply(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod balance;
pub mod clock;
mod driver;
mod evaluation;
mod lines;
mod memory;
mod options;
mod strength;
mod study;
mod swap2;
mod table_file;
mod task;
mod worker;

pub use crate::eval::Score;
pub use evaluation::{EvaluationError, read_tables};
pub use options::{Options, Patience};
pub use table_file::TableFileError;
pub use task::{Answer, Choice, Task};

use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet, Rule};
use crate::search::{Limits, Params};
use clock::Bounds;
use options::TableSize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use worker::{Job, Worker};

/// The number of a request for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request(u64);

/// What a search found at some depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Which of several lines it is, the best being 0.
    pub rank: usize,
    /// How many lines there are.
    pub lines: usize,
    /// Plies searched in full.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective: u32,
    /// From the side to move.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the request was read.
    pub elapsed: Duration,
    /// What both sides are expected to play.
    pub line: Vec<Point>,
}

/// What an engine tells while it works, from its own thread.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Another depth is finished.
    Progress(Request, Thought),
    /// One move among all is searched: told where each is looked at alone, or
    /// where [`Options::shows_moves`] asks for it.
    Trying(Request, Point),
    /// What that came to, for the side to move: at most this, unless the move
    /// is the best.
    Tried(Request, Point, Score),
    /// A better move was found before the depth is finished; told as
    /// [`Options::shows_moves`] asks for it.
    Preferred(Request, Point),
    /// The search is over. Comes exactly once for every request that
    /// [`Engine::start`] did not answer itself, dropped ones included.
    Answer(Request, Answer),
}

impl Event {
    /// The request that it belongs to.
    pub fn request(&self) -> Request {
        match *self {
            Event::Progress(request, _)
            | Event::Trying(request, _)
            | Event::Tried(request, ..)
            | Event::Preferred(request, _)
            | Event::Answer(request, _) => request,
        }
    }
}

/// What [`Engine::start`] did.
#[derive(Clone, Debug, PartialEq)]
pub enum Started {
    /// No search is needed: here is the answer, no event will follow.
    Answered(Answer),
    /// A search is running; its answer will be an event with this number.
    Searching(Request),
}

/// A stone can't be put there, or taken from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The point is not on the board.
    #[error("{0} is off the board")]
    OffBoard(Point),
    /// A stone is there already.
    #[error("{0} is taken")]
    Taken(Point),
    /// No player's stone is there.
    #[error("{0} has no stone that could be taken back")]
    NoStone(Point),
}

/// There is no move to choose: every point has a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the board is full")]
pub struct BoardFull;

/// A stone of a position that is set up; `color` is `None` for a stone that
/// belongs to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Whose it is.
    pub color: Option<Color>,
    /// Where it is.
    pub point: Point,
}

/// The latest search, which may be over.
struct Running {
    stopped: Arc<AtomicBool>,
    is_pondering: bool,
}

/// A position, options, and a thread that thinks about them.
pub struct Engine {
    position: Position,
    options: Options,
    excluded: PointSet,
    worker: Worker,
    requests: u64,
    running: Option<Running>,
    /// Milliseconds used since the time left was told, or since the game
    /// began. Searches keep the counter they began with: one that is dropped
    /// costs the next game nothing.
    used: Arc<AtomicU64>,
}

impl Engine {
    /// An engine on an empty standard board. `listener` hears of events on
    /// the engine's thread and should be quick.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(listener: impl Fn(Event) + Send + 'static) -> std::io::Result<Engine> {
        Ok(Engine {
            position: Position::new(Rule::default(), BoardSize::default()),
            options: Options::default(),
            excluded: PointSet::EMPTY,
            worker: Worker::start(listener)?,
            requests: 0,
            running: None,
            used: Arc::default(),
        })
    }

    /// The position moves are made on.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options, to be changed; a running search keeps the old ones.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// The position, to be changed: what is pondered on is out of date.
    fn position_mut(&mut self) -> &mut Position {
        self.stop_pondering();
        &mut self.position
    }

    /// Points that the engine does not play, as long as there are others;
    /// a running search keeps the old ones.
    pub fn excluded_mut(&mut self) -> &mut PointSet {
        &mut self.excluded
    }

    /// Tells the time left for the game, which counts from now on.
    pub fn set_time_left(&mut self, milliseconds: i64) {
        self.options.time_left = Some(milliseconds);
        self.used = Arc::default();
    }

    /// Changes the rule; the stones stay.
    pub fn set_rule(&mut self, rule: Rule) {
        if rule != self.position.rule() {
            let side = self.position.side();
            self.rebuild(rule, None);
            self.position_mut().set_side(side);
        }
    }

    /// Clears the board and makes it this large. The rule, the options and
    /// what the table knows stay.
    pub fn new_game(&mut self, size: BoardSize) {
        *self.position_mut() = Position::new(self.position.rule(), size);
        // A time that was told before the last game's moves is out of date;
        // one told since then may be meant for this game.
        if self.used.load(Ordering::Relaxed) > 0 {
            self.options.time_left = None;
        }
        self.used = Arc::default();
    }

    /// The position with these stones, in the order they were played, and
    /// `side` to move, on this board and under this rule.
    ///
    /// # Errors
    /// When a stone is off the board or on another.
    pub fn set_up(&self, stones: &[Stone], side: Color) -> Result<Position, PlayError> {
        let mut position = Position::new(self.position.rule(), self.position.size());
        for stone in stones {
            check_empty(&position, stone.point)?;
            match stone.color {
                Some(color) => position.place(color, stone.point),
                None => position.block(stone.point),
            }
        }
        position.set_side(side);
        Ok(position)
    }

    /// Goes on from another position.
    pub fn set_position(&mut self, position: Position) {
        *self.position_mut() = position;
    }

    /// The side to move plays `point`, forbidden or not.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub fn play(&mut self, point: Point) -> Result<(), PlayError> {
        check_empty(&self.position, point)?;
        self.position_mut().play(point);
        Ok(())
    }

    /// Whether [`Engine::play`] would accept `point`.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub fn check(&self, point: Point) -> Result<(), PlayError> {
        check_empty(&self.position, point)
    }

    /// Takes the stone on `point` back; its owner is to move then.
    ///
    /// # Errors
    /// When neither player has a stone there.
    pub fn take_back(&mut self, point: Point) -> Result<(), PlayError> {
        if !self.position.size().has(point) {
            return Err(PlayError::OffBoard(point));
        }
        let Some(color) = self.position.stone(point) else {
            return Err(PlayError::NoStone(point));
        };
        if self.position.recent(1) == Some(point) {
            self.position_mut().undo();
        } else {
            self.rebuild(self.position.rule(), Some(point));
        }
        self.position_mut().set_side(color);
        Ok(())
    }

    /// Begins with a task. The clock runs since `read_at`, when the request was
    /// heard. A search that still runs is dropped.
    ///
    /// # Errors
    /// When the board has no room for the answer.
    pub fn start(&mut self, task: Task, read_at: Instant) -> Result<Started, BoardFull> {
        self.stop();
        if let Some(point) = self.obvious_move(task)? {
            let thought = None;
            let choice = Choice { point, thought };
            return Ok(Started::Answered(Answer::Move(choice)));
        }
        self.requests += 1;
        let request = Request(self.requests);
        let bounds = self.bounds();
        log::debug!("{request:?}: {:?}, {bounds:?}", self.options);
        let job = self.job(task, bounds, read_at);
        self.search(Job {
            request: Some(request),
            limits: Limits {
                excluded: self.excluded,
                ..job.limits
            },
            level: self.options.level(),
            shows_moves: self.options.shows_moves,
            used: Arc::clone(&self.used),
            ..job
        });
        Ok(Started::Searching(request))
    }

    /// When to stop thinking about a move in the position as it is.
    fn bounds(&self) -> Bounds {
        let empty = self.position.empty_points();
        let used = self.used.load(Ordering::Relaxed);
        Bounds::of(&self.options.allowance(used, empty))
    }

    /// The table for moves in the time there is for one: pondering has no limit
    /// and serves the move after it, with the same table.
    fn table_size(&self) -> TableSize {
        self.options.table_size(self.bounds().maximum)
    }

    /// A job on the position as it is, within the limits of depth and nodes,
    /// that nobody hears of.
    fn job(&self, task: Task, bounds: Bounds, started: Instant) -> Job {
        Job {
            request: None,
            task,
            position: self.position.clone(),
            limits: self.options.limits(),
            bounds,
            started,
            table: self.table_size(),
            threads: self.options.thread_count(),
            level: None,
            shows_moves: false,
            stopped: Arc::default(),
            used: Arc::default(),
        }
    }

    fn search(&mut self, job: Job) {
        self.running = Some(Running {
            stopped: Arc::clone(&job.stopped),
            is_pondering: job.request.is_none(),
        });
        self.worker.search(job);
    }

    /// Makes the running search answer with the best it has, within a few
    /// milliseconds, or ends pondering. Does nothing if neither goes on.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for the answer to `request`, which must be the latest one.
    pub fn wait(&mut self, request: Request) -> Answer {
        self.worker.wait(request)
    }

    /// Does a task and waits for its answer.
    ///
    /// # Errors
    /// When the board has no room for the answer.
    pub fn answer(&mut self, task: Task) -> Result<Answer, BoardFull> {
        match self.start(task, Instant::now())? {
            Started::Answered(answer) => Ok(answer),
            Started::Searching(request) => Ok(self.wait(request)),
        }
    }

    /// Looks for a move and waits for it.
    ///
    /// # Errors
    /// When the board is full.
    pub fn think(&mut self) -> Result<Choice, BoardFull> {
        match self.answer(Task::Move)? {
            Answer::Move(choice) => Ok(choice),
            Answer::Stones(_) | Answer::Swap => Err(BoardFull),
        }
    }

    /// Searches with another value for the number of
    /// [`Params`] called `name` from the next move on.
    /// Returns whether there is such a number.
    pub fn tune(&mut self, name: &str, value: i32) -> bool {
        let known = Params::TUNABLES.iter().any(|tunable| tunable.name == name);
        if known {
            self.worker.tune(name, value);
        }
        known
    }

    /// A move that needs no search: the first of a game, the last, or any
    /// after the game was won.
    fn obvious_move(&self, task: Task) -> Result<Option<Point>, BoardFull> {
        let empty = self.position.empty_points();
        let stones = match task {
            Task::Balance { pair, .. } => 1 + usize::from(pair),
            Task::Opening => 3,
            Task::Move | Task::Lines(_) | Task::Defences => {
                let first = empty == self.position.size().points();
                if first || empty <= 1 || self.position.won() {
                    let point = worker::any_move(&self.position, &self.excluded);
                    return point.ok_or(BoardFull).map(Some);
                }
                return Ok(None);
            }
        };
        if empty < stones {
            Err(BoardFull)
        } else {
            Ok(None)
        }
    }

    /// Makes the position anew under `rule`, without the stone on `without`.
    fn rebuild(&mut self, rule: Rule, without: Option<Point>) {
        let old = &self.position;
        let mut position = Position::new(rule, old.size());
        for point in old.size().iter() {
            if !old.is_empty(point) && old.stone(point).is_none() {
                position.block(point);
            }
        }
        for (color, point) in old.moves() {
            if point == Point::NONE {
                position.pass();
            } else if Some(point) != without {
                position.place(color, point);
            }
        }
        *self.position_mut() = position;
    }
}

/// Ends the thread soon, without waiting for it.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

fn check_empty(position: &Position, point: Point) -> Result<(), PlayError> {
    if !position.size().has(point) {
        Err(PlayError::OffBoard(point))
    } else if !position.is_empty(point) {
        Err(PlayError::Taken(point))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
