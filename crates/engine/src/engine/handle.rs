//! The engine: a position, options, and requests to search.

use super::book::Book;
use super::clock::MonotonicClock;
use super::memory::SearchMemory;
use super::options::{Options, TableSize};
use super::prepared::{Preparation, Search};
use super::request::{Answer, BestMove, Event, Request, RequestError, SearchId};
use super::stones::{PlayError, Stone, check_empty, rebuilt, set_up};
use super::task::{Interrupt, SearchTask};
use super::time::{TimeLimits, UsedTime};
use crate::eval::{ClassicalWeights, WeightSet};
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet, Rule};
use crate::search::{Limits, Params};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The result of [`Engine::start`].
#[must_use]
pub enum Started {
    /// No search is needed.
    Answered(Answer),
    /// A search is ready to be run. Its last event is the answer.
    Searching(Box<Search>),
}

/// The latest search, which may have ended.
struct Running {
    stopped: Arc<AtomicBool>,
    is_pondering: bool,
}

/// A position, options, and requests to search.
///
/// The engine itself never blocks: [`Engine::start`] prepares a search, which the
/// program runs on a thread of its choice. [`Engine::answer`] does all of it on the
/// calling thread.
pub struct Engine {
    position: Position,
    options: Options,
    pub(super) excluded: PointSet,
    pub(super) books: Vec<Arc<dyn Book>>,
    pub(super) weights: Arc<WeightSet>,
    tuned: Vec<(String, i32)>,
    clock: MonotonicClock,
    pub(super) memory: Arc<SearchMemory>,
    searches: u64,
    running: Option<Running>,
    interrupt: Option<Interrupt>,
    /// Stops the preparation of a search.
    preparing: Option<Arc<AtomicBool>>,
    /// True if the stones of the next answer are played.
    plays_answer: bool,
    /// The moves since the time left was set, or since the game began. A search keeps the
    /// counter that it began with, so a dropped search costs the next game nothing.
    pub(super) used: Arc<UsedTime>,
    /// True if there was a request since the time left was set.
    has_used_time: bool,
}

impl Engine {
    /// Creates an engine on an empty board, with the built-in weights.
    pub fn new(clock: MonotonicClock) -> Engine {
        Engine::with_weights(clock, Arc::default())
    }

    /// Creates an engine on an empty board that evaluates with these weights.
    pub fn with_weights(clock: MonotonicClock, weights: Arc<WeightSet>) -> Engine {
        Engine {
            position: Position::new(Rule::default(), BoardSize::default()),
            options: Options::default(),
            excluded: PointSet::EMPTY,
            books: Vec::new(),
            weights,
            tuned: Vec::new(),
            clock,
            memory: Arc::default(),
            searches: 0,
            running: None,
            interrupt: None,
            preparing: None,
            plays_answer: false,
            used: Arc::default(),
            has_used_time: false,
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options, for changes. A running search keeps the old ones.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// The clock that requests are timed by.
    pub fn clock(&self) -> &MonotonicClock {
        &self.clock
    }

    /// The points that the engine does not play as long as there are others, for
    /// changes. A running search keeps the old ones.
    pub fn excluded_mut(&mut self) -> &mut PointSet {
        &mut self.excluded
    }

    /// Plays moves of these books. If several books know a move, the first of them decides.
    pub fn set_books(&mut self, books: Vec<Arc<dyn Book>>) {
        self.books = books;
    }

    /// Asks `is_due` every few hundred nodes whether the running search is to stop. This is for
    /// hosts without threads, which cannot call [`Engine::stop`] during a search.
    pub fn set_interrupt(&mut self, is_due: impl Fn() -> bool + Send + Sync + 'static) {
        self.interrupt = Some(Arc::new(is_due));
    }

    /// Evaluates positions of `rule` with these weights from the next search on,
    /// and forgets what earlier searches have found with others.
    pub fn set_weights(&mut self, rule: Rule, weights: Arc<ClassicalWeights>) {
        Arc::make_mut(&mut self.weights).set_classical(rule, weights);
        self.forget();
    }

    /// Sets the time left for the game, which counts from now on.
    pub fn set_time_left(&mut self, left: Duration) {
        self.options.time_left = Some(left);
        self.used = Arc::default();
        self.has_used_time = false;
    }

    /// Changes the search parameter of [`Params`] called `name` from the next request on.
    /// Returns whether there is such a parameter.
    pub fn tune(&mut self, name: &str, value: i32) -> bool {
        let known = Params::TUNABLES.iter().any(|tunable| tunable.name == name);
        if known {
            self.tuned.retain(|(tuned, _)| tuned != name);
            self.tuned.push((name.to_owned(), value));
        }
        known
    }

    /// The position, for changes. A search on the opponent's time ends, because it
    /// would search the old position.
    fn position_mut(&mut self) -> &mut Position {
        self.stop_pondering();
        &mut self.position
    }

    /// Changes the rule. The stones stay.
    pub fn set_rule(&mut self, rule: Rule) {
        if rule != self.position.rule() {
            let side = self.position.side();
            let mut position = rebuilt(&self.position, rule, None);
            position.set_side(side);
            *self.position_mut() = position;
        }
    }

    /// Begins a game on an empty board of this size. The rule, the options and
    /// the transposition table stay, and so do the excluded points unless the
    /// size changes.
    pub fn new_game(&mut self, size: BoardSize) {
        if size != self.position.size() {
            self.excluded = PointSet::EMPTY;
        }
        *self.position_mut() = Position::new(self.position.rule(), size);
        // A time that was set before a request of the last game is out of date; one set
        // since then may be meant for this game.
        if self.has_used_time {
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
        set_up(self.position.rule(), self.position.size(), stones, side)
    }

    /// The position after these moves from the empty board, black's first.
    ///
    /// # Errors
    /// When a move is off the board or on another.
    pub fn set_up_moves(&self, moves: &[Point]) -> Result<Position, PlayError> {
        let colors = Color::ALL.into_iter().cycle();
        let stone = |(&point, color)| Stone {
            color: Some(color),
            point,
        };
        let stones: Vec<Stone> = moves.iter().zip(colors).map(stone).collect();
        self.set_up(&stones, Color::ALL[moves.len() % 2])
    }

    /// Replaces the position on the board.
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

    /// Returns whether [`Engine::play`] would accept `point`.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub fn check(&self, point: Point) -> Result<(), PlayError> {
        check_empty(&self.position, point)
    }

    /// Takes back the stone on `point`. Its owner is then to move.
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
            *self.position_mut() = rebuilt(&self.position, self.position.rule(), Some(point));
        }
        self.position_mut().set_side(color);
        Ok(())
    }

    /// Starts to answer a request that was made at the time `asked_at` of the engine's
    /// [clock](Engine::clock). A search that is still running is stopped.
    ///
    /// # Errors
    /// When the board has no room for the answer, or the number of stones does
    /// not fit the request.
    pub fn start(&mut self, request: Request, asked_at: Duration) -> Result<Started, RequestError> {
        self.stop();
        self.has_used_time = true;
        self.plays_answer = request.is_played();
        if let Request::Swap2Step(step) = request {
            let (needed, found) = (step.stones(), self.position.ply());
            if needed != found {
                return Err(RequestError::Swap2Stones { needed, found });
            }
            self.position.set_side(Color::ALL[found % 2]);
        }
        let request = self.under_swap1(request);
        let book = self.book_moves(request);
        if let Some(answer) = self.book_answer(request, &book) {
            return Ok(self.answered(answer, asked_at));
        }
        let excluded = self.excluded.union(&book.avoid);
        if let Some(point) = self.obvious_move(request, &excluded)? {
            let best = BestMove::unsearched(point);
            return Ok(self.answered(Answer::Move(best), asked_at));
        }
        let task = SearchTask {
            limits: Limits {
                excluded,
                deepens_single_move: self.is_analysis(request),
                ..self.options.limits()
            },
            level: self.options.level(),
            may_swap: self.may_swap(),
            shows_moves: self.options.shows_moves,
            used: Arc::clone(&self.used),
            ..self.bare_task(request, self.time_limits(), asked_at)
        };
        log::debug!("{:?}: {:?}, {:?}", task.id, self.options, task.time);
        Ok(Started::Searching(Box::new(self.search(task))))
    }

    /// An answer without a search. On the clock it is still a move, after which the
    /// increment is added.
    fn answered(&self, answer: Answer, asked_at: Duration) -> Started {
        self.used.add_move(self.clock.milliseconds_since(asked_at));
        Started::Answered(answer)
    }

    /// Answers a request on the calling thread, which should have 16 MiB of
    /// stack. `listener` receives the events before the answer.
    ///
    /// # Errors
    /// When the board has no room for the answer, or the number of stones does
    /// not fit the request.
    pub fn answer(
        &mut self,
        request: Request,
        listener: &mut dyn FnMut(Event),
    ) -> Result<Answer, RequestError> {
        match self.start(request, self.clock.now())? {
            Started::Answered(answer) => Ok(answer),
            Started::Searching(search) => Ok(search.answer(listener)),
        }
    }

    /// Finishes a request that was answered: plays the answer's stones, unless the
    /// request was for a proposal. If the opponent is then to move and
    /// [`Options::pondering`] is set, it returns a search on the opponent's time,
    /// which the caller may run.
    ///
    /// # Errors
    /// When a stone of the answer is off the board or taken.
    pub fn finish(&mut self, answer: &Answer) -> Result<Option<Box<Search>>, PlayError> {
        let stones = answer.stones();
        if !self.plays_answer {
            return Ok(None);
        }
        for &point in stones {
            self.play(point)?;
        }
        Ok((stones.len() == 1).then(|| self.ponder()).flatten())
    }

    /// Plays a move that the engine has not chosen, in the same way as
    /// [`Engine::finish`] plays an answer.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub fn play_as_answer(&mut self, point: Point) -> Result<Option<Box<Search>>, PlayError> {
        self.plays_answer = true;
        self.finish(&Answer::Move(BestMove::unsearched(point)))
    }

    /// Stops the running search. It answers with the best move so far within a few
    /// milliseconds. A search on the opponent's time ends without an answer.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Stops a search on the opponent's time. A search for an answer continues.
    pub fn stop_pondering(&mut self) {
        if (self.running.as_ref()).is_some_and(|running| running.is_pondering) {
            self.stop();
        }
    }

    /// Forgets what earlier searches have found.
    pub fn forget(&mut self) {
        self.stop_pondering();
        self.stop_preparing();
        self.memory.forget();
    }

    /// Returns whether a search or a preparation is using the transposition table. It ends with an
    /// event.
    pub fn is_busy(&self) -> bool {
        self.memory.try_lock().is_none()
    }

    /// The share of the transposition table with entries of the last search,
    /// per mille, and its size in bytes; `None` if there is no table.
    pub fn table_usage(&self) -> Option<(u32, usize)> {
        let table = self.memory.table()?;
        Some((table.hashfull(), table.bytes()))
    }

    /// A search on the opponent's time, which fills the transposition table before the
    /// opponent moves. `None` where the options do not ask for it, where the game is
    /// over, and below full strength.
    fn ponder(&mut self) -> Option<Box<Search>> {
        let is_over = self.position.won() || self.position.empty_points() <= 1;
        if !self.options.pondering || is_over || self.options.level().is_some() {
            return None;
        }
        self.stop();
        let task = SearchTask {
            is_silent: true,
            ..self.bare_task(Request::Move, TimeLimits::UNLIMITED, self.clock.now())
        };
        Some(Box::new(self.search(task)))
    }

    /// A task on the position as it is, within the limits of depth and nodes: at full
    /// strength, of all moves, with every report but that of single moves.
    fn bare_task(&mut self, request: Request, time: TimeLimits, asked_at: Duration) -> SearchTask {
        SearchTask {
            id: self.next_id(),
            request,
            position: self.position.clone(),
            limits: self.options.limits(),
            weights: Arc::clone(&self.weights),
            clock: self.clock.clone(),
            asked_at,
            time,
            table: self.table_size(),
            threads: self.options.thread_count(),
            tuned: self.tuned.clone(),
            level: None,
            may_swap: false,
            is_silent: false,
            shows_moves: false,
            stopped: Arc::default(),
            interrupt: self.interrupt.clone(),
            used: Arc::default(),
        }
    }

    fn next_id(&mut self) -> SearchId {
        self.searches += 1;
        SearchId(self.searches)
    }

    /// The work that the next search would begin with, loading weights and allocating memory,
    /// to be done while no clock runs. `None` if there is none. The next search ends it.
    pub fn prepare(&mut self) -> Option<Preparation> {
        self.stop_preparing();
        let size = self.table_size();
        // A table with something in it grows if it was cut short, or else stays if the next
        // search keeps it.
        let is_used = self.memory.table().is_some();
        let grows = self.memory.cut_table(&size, &self.weights).is_some();
        let table = TableSize {
            time: if is_used && !grows {
                size.time
            } else {
                u64::MAX
            },
            ..size
        };
        let rule = self.position.rule();
        if self.memory.reusable_table(&table, &self.weights).is_some() && self.weights.has(rule) {
            return None;
        }
        let stopped = Arc::<AtomicBool>::default();
        self.preparing = Some(Arc::clone(&stopped));
        Some(Preparation {
            id: self.next_id(),
            memory: Arc::clone(&self.memory),
            table,
            rule,
            weights: Arc::clone(&self.weights),
            stopped,
        })
    }

    pub(super) fn stop_preparing(&mut self) {
        if let Some(stopped) = self.preparing.take() {
            stopped.store(true, Ordering::Relaxed);
        }
    }

    fn search(&mut self, task: SearchTask) -> Search {
        self.stop_preparing();
        self.running = Some(Running {
            stopped: Arc::clone(&task.stopped),
            is_pondering: task.is_silent,
        });
        Search::new(task, Arc::clone(&self.memory))
    }

    pub(super) fn time_limits(&self) -> TimeLimits {
        let empty = self.position.empty_points();
        TimeLimits::of(&self.options.time_allowance(&self.used, empty))
    }

    /// The size of the table for the time of a move. A search on the opponent's time
    /// has no time limit, and uses the table of the move after it.
    pub(super) fn table_size(&self) -> TableSize {
        self.options.table_size(self.time_limits().maximum)
    }
}

/// Stops the running search and preparation, without waiting for them.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.stop_preparing();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_without_a_search_counts_on_the_clock() {
        let mut engine = Engine::new(MonotonicClock::new(|| Duration::from_millis(7)));
        let started = engine.start(Request::Move, Duration::from_millis(4));
        assert!(matches!(started, Ok(Started::Answered(_))));
        assert_eq!(engine.used.rest(1000, 10), 1000 - 3 + 10);
    }

    #[test]
    fn nothing_is_prepared_for_an_engine_that_is_gone() {
        let mut engine = Engine::new(MonotonicClock::system());
        let weights = Arc::clone(&engine.weights);
        // What is prepared stays as long as the memory.
        let _memory = Arc::clone(&engine.memory);
        let preparation = engine.prepare().expect("nothing is prepared yet");
        drop(engine);
        preparation.run();
        assert!(!weights.has(Rule::default()));
    }
}
