//! A search that is ready to run, on whichever thread.

use super::memory::{LockedMemory, SearchMemory};
use super::options::TableSize;
use super::reporter::Reporter;
use super::request::{Answer, BestMove, Event, PvInfo, Request, SearchId};
use super::runner::Runner;
use super::task::SearchTask;
use crate::eval::WeightSet;
use crate::rules::Rule;
use crate::score::Score;
use crate::search::{Searcher, TranspositionTable};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A search looks so often whether the preparation before it is over.
const MOMENT: Duration = Duration::from_micros(500);

/// The size of the table of a search that can't wait for its memory, in bytes.
const SMALL_TABLE: usize = 1 << 20;

/// The work before a search: its weights are loaded and its memory is found while no
/// clock runs.
#[must_use = "nothing is prepared unless it is run"]
pub struct Preparation {
    pub(super) memory: Arc<SearchMemory>,
    pub(super) table: TableSize,
    pub(super) rule: Rule,
    pub(super) weights: Arc<WeightSet>,
    pub(super) stopped: Arc<AtomicBool>,
}

impl Preparation {
    /// Prepares. A request that comes meanwhile breaks it off.
    pub fn run(self) {
        let stopped = || self.stopped.load(Ordering::Relaxed);
        if stopped() {
            return;
        }
        let mut memory = self.memory.lock();
        // A search may have used the memory for long.
        if !stopped() {
            memory.searcher(self.rule, &self.table, &self.weights, &|| false, &stopped);
        }
    }
}

/// A search that is ready to run.
///
/// It shares the transposition table of its [`Engine`](super::Engine), which
/// stops it. While a preparation or another search of the engine runs it waits for an
/// eighth of its time. Then it searches with a small table of its own, and without a network
/// that is not loaded.
#[must_use = "a search does nothing unless it is run"]
pub struct Search {
    task: SearchTask,
    memory: Arc<SearchMemory>,
    /// What loads the weights, if they are not loaded. Without threads the search does.
    #[cfg_attr(not(feature = "threads"), expect(dead_code))]
    preparation: Option<Preparation>,
    /// Whether another thread loads them.
    is_prepared: bool,
}

impl Search {
    /// A search for this task, which may load its weights itself or have this preparation
    /// do so.
    pub(super) fn new(
        task: SearchTask,
        memory: Arc<SearchMemory>,
        preparation: Option<Preparation>,
    ) -> Search {
        Search {
            task,
            memory,
            preparation,
            is_prepared: false,
        }
    }

    /// What is left to prepare, to be run at once on another thread.
    #[cfg(feature = "threads")]
    pub(super) fn take_preparation(&mut self) -> Option<Preparation> {
        let preparation = self.preparation.take();
        self.is_prepared = preparation.is_some();
        preparation
    }

    /// The memory of the engine; `None` if it isn't there in time.
    fn lock_in_time(&self) -> Option<LockedMemory<'_>> {
        let task = &self.task;
        loop {
            let is_loaded = !self.is_prepared || task.weights.has(task.position.rule());
            if is_loaded && let Some(memory) = self.memory.try_lock() {
                return Some(memory);
            }
            if task.is_stopped() || task.elapsed_ms() >= task.table.time {
                return None;
            }
            std::thread::sleep(MOMENT);
        }
    }

    /// The number of the search.
    pub fn id(&self) -> SearchId {
        self.task.id
    }

    /// Searches on the calling thread, which should have 16 MiB of stack.
    /// `listener` hears of events and should be quick. The last event is the
    /// answer; a search on the opponent's time has no events.
    pub fn run(self, listener: &mut dyn FnMut(Event)) {
        let is_silent = self.task.is_silent;
        let answer = self.answer(listener);
        if !is_silent {
            listener(Event::Answer(answer));
        }
    }

    /// Searches like [`Search::run`] and returns the answer instead of reporting
    /// it.
    ///
    /// A search that panics answers all the same: with the best move so far, or
    /// else with any legal move.
    pub fn answer(mut self, listener: &mut dyn FnMut(Event)) -> Answer {
        if let Some(mut memory) = self.lock_in_time() {
            return self
                .task
                .answer(listener, Some((&self.memory, &mut memory)));
        }
        log::info!("{:?} can't wait for its preparation", self.task.id);
        let weights = self.task.weights.at_once(self.task.position.rule());
        self.task.weights = Arc::new(weights);
        self.task.answer(listener, None)
    }
}

impl SearchTask {
    /// The answer, by the searcher of this memory, or else by one of its own.
    fn answer(
        &self,
        listener: &mut dyn FnMut(Event),
        mut memory: Option<(&SearchMemory, &mut LockedMemory<'_>)>,
    ) -> Answer {
        let task = self;
        let mut reporter = Reporter::new(task, listener);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut own = None;
            let searcher = match &mut memory {
                Some((shared, memory)) => {
                    let is_late = || task.elapsed_ms() >= task.table.time;
                    let is_stopped = || task.is_stopped();
                    let rule = task.position.rule();
                    let searcher =
                        memory.searcher(rule, &task.table, &task.weights, &is_late, &is_stopped);
                    shared.mark_used();
                    searcher
                }
                None => own.insert(Searcher::new(
                    Arc::new(TranspositionTable::new(SMALL_TABLE)),
                    Arc::clone(&task.weights),
                )),
            };
            searcher.tune(&task.tuned);
            searcher.set_threads(task.threads);
            Runner::new(task, searcher, &mut reporter).answer()
        }));
        if found.is_err() {
            log::error!("{:?} panicked in {:?}", task.request, task.position);
            if let Some((_, memory)) = memory {
                memory.forget();
            }
        }
        let last = reporter.into_last().and_then(BestMove::of_pv);
        let answers = found.ok().flatten().into_iter();
        let accepted = (answers.chain(last.map(Answer::Move))).find(|answer| task.accepts(answer));
        let answer = accepted.unwrap_or_else(|| {
            log::error!("no answer to {:?} in {:?}", task.request, task.position);
            task.any_answer()
        });
        task.used.add_move(task.elapsed_ms());
        answer
    }
}

impl Runner<'_, '_> {
    /// The answer to the request, if one was found.
    fn answer(&mut self) -> Option<Answer> {
        match self.task.request {
            Request::Move | Request::Lines(0 | 1) => match self.task.level {
                Some(level) => self.move_at(level),
                None => self.best_move(u64::MAX),
            }
            .map(|best| self.move_or_swap(best)),
            Request::Lines(count) => self.lines(count).map(|best| self.move_or_swap(best)),
            Request::Defences => self.defences().map(|best| self.move_or_swap(best)),
            Request::Balance { pair, bias } => self.balance(pair, bias).map(Answer::Stones),
            Request::Swap2 | Request::Swap2Step(_) => {
                let answer = self.swap2();
                Some(answer.unwrap_or_else(|| self.task.any_answer()))
            }
        }
    }

    /// The move, or a swap where that is allowed and better.
    fn move_or_swap(&self, best: BestMove) -> Answer {
        let behind = |info: &PvInfo| info.score < Score::ZERO;
        if self.task.may_swap && best.info.as_ref().is_some_and(behind) {
            Answer::Swap { info: best.info }
        } else {
            Answer::Move(best)
        }
    }
}
