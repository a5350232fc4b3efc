//! A search that is ready to be run, on any thread.

use super::loading::Loading;
use super::memory::SearchMemory;
use super::options::TableSize;
use super::reporter::Reporter;
use super::request::{Answer, BestMove, Event, Request, SearchId};
use super::runner::Runner;
use super::task::SearchTask;
use crate::eval::{ClassicalWeights, WeightSet};
use crate::rules::Rule;
use crate::score::Score;
use crate::search::{Line, Searcher, TranspositionTable};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The size of the table of a search that begins before its weights are loaded, in bytes.
const EARLY_TABLE: usize = 1 << 20;

/// The work before a search: loading its weights and allocating its memory while no clock
/// runs.
#[must_use = "nothing is prepared unless it is run"]
pub struct Preparation {
    pub(super) id: SearchId,
    pub(super) memory: Arc<SearchMemory>,
    pub(super) table: TableSize,
    pub(super) rule: Rule,
    pub(super) weights: Arc<WeightSet>,
    pub(super) stopped: Arc<AtomicBool>,
}

impl Preparation {
    /// The number of the preparation, from the same series as those of searches.
    pub fn id(&self) -> SearchId {
        self.id
    }

    /// Does the work, or as much of it as there is time for before the next search.
    pub fn run(self) {
        let stopped = || self.stopped.load(Ordering::Relaxed);
        if stopped() {
            return;
        }
        let mut memory = self.memory.lock();
        if let Some(loading) = memory.loading(self.rule, &self.weights) {
            loading.wait(&stopped);
        }
        if !stopped() {
            memory.searcher(self.rule, &self.table, &self.weights, &|| false, &stopped);
        }
    }
}

/// A search that is ready to be run.
///
/// It shares the transposition table of its [`Engine`](super::Engine), which can
/// stop it. Only one search of an engine runs at a time, and others wait for it.
///
/// If the time is limited, a search waits for its weights at most an eighth of the time. After
/// that it searches with the classical evaluation and a small table until they are loaded.
#[must_use = "a search does nothing unless it is run"]
pub struct Search {
    task: SearchTask,
    memory: Arc<SearchMemory>,
}

impl Search {
    /// A search for this task.
    pub(super) fn new(task: SearchTask, memory: Arc<SearchMemory>) -> Search {
        Search { task, memory }
    }

    /// The number of the search.
    pub fn id(&self) -> SearchId {
        self.task.id
    }

    /// Searches on the calling thread, which should have 16 MiB of stack.
    /// `listener` receives the events and should be quick. The last event is the
    /// answer, and the only one of a search on the opponent's time is [`Event::Ended`].
    pub fn run(self, listener: &mut dyn FnMut(Event)) {
        let is_silent = self.task.is_silent;
        let answer = self.answer(listener);
        listener(if is_silent {
            Event::Ended
        } else {
            Event::Answer(answer)
        });
    }

    /// Searches like [`Search::run`] and returns the answer instead of reporting
    /// it.
    ///
    /// A search that panics still answers, with the best move so far or, if there is
    /// none, with any legal move.
    pub fn answer(self, listener: &mut dyn FnMut(Event)) -> Answer {
        let task = &self.task;
        let mut memory = self.memory.lock();
        let mut reporter = Reporter::new(task, listener);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let rule = task.position.rule();
            let loading = memory.loading(rule, &task.weights);
            let early = loading
                .as_ref()
                .and_then(|loading| task.early_answer(loading, reporter.listener()));
            let is_loading = loading.is_some_and(|loading| !loading.is_over());
            if early.is_some() && (is_loading || reporter.is_over()) {
                return early;
            }
            let loaded = task.elapsed_ms();
            let is_late = || task.elapsed_ms() - loaded >= task.table.time;
            // Where the weights were loaded late, or the search had to wait, the time may be up.
            let is_stopped = || reporter.is_over();
            let searcher = memory.searcher(rule, &task.table, &task.weights, &is_late, &is_stopped);
            self.memory.mark_used();
            searcher.tune(&task.tuned);
            searcher.set_threads(task.threads);
            let late = Runner::new(task, searcher, &mut reporter).answer();
            better(early, late)
        }));
        if found.is_err() {
            log::error!("{:?} panicked in {:?}", task.request, task.position);
            memory.forget();
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

/// The answer with the network, unless both answers have a depth and the one without it was
/// searched deeper, because there may have been hardly any time for the other.
fn better(early: Option<Answer>, late: Option<Answer>) -> Option<Answer> {
    let depth = |answer: Option<&Answer>| Some(answer?.info()?.depth);
    match (depth(early.as_ref()), depth(late.as_ref())) {
        (Some(before), Some(after)) if after < before => early,
        _ => late.or(early),
    }
}

impl SearchTask {
    /// The answer of a search that does not wait for its weights. `None` if they are loaded in
    /// time.
    fn early_answer(&self, loading: &Loading, listener: &mut dyn FnMut(Event)) -> Option<Answer> {
        loading.wait(&|| self.is_stopped() || self.elapsed_ms() >= self.table.time);
        if loading.is_over() {
            return None;
        }
        log::info!("{:?} begins before its weights are loaded", self.id);
        let rule = self.position.rule();
        let mut weights = WeightSet::default();
        weights.set_classical(rule, Arc::new(ClassicalWeights::built_in(rule)));
        let (loading, interrupt) = (loading.clone(), self.interrupt.clone());
        let task = SearchTask {
            weights: Arc::new(weights),
            threads: 1,
            // A search that is stopped in the middle of a move does not report the move's end.
            shows_moves: false,
            interrupt: Some(Arc::new(move || {
                loading.is_over() || interrupt.as_ref().is_some_and(|is_due| is_due())
            })),
            ..self.clone()
        };
        let table = Arc::new(TranspositionTable::new(EARLY_TABLE));
        let mut searcher = Searcher::new(table, Arc::clone(&task.weights));
        searcher.tune(&task.tuned);
        let mut reporter = Reporter::new(&task, listener);
        Runner::new(&task, &mut searcher, &mut reporter).answer()
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

    /// The move, or a swap if that is allowed and better.
    fn move_or_swap(&self, best: BestMove) -> Answer {
        let behind = |info: &Line| info.score < Score::ZERO;
        if self.task.may_swap && best.info.as_ref().is_some_and(behind) {
            Answer::Swap { info: best.info }
        } else {
            Answer::Move(best)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::{Engine, MonotonicClock, Started};
    use crate::rules::Point;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// An engine with a clock that always shows one second.
    fn engine_at_one_second() -> Engine {
        Engine::new(MonotonicClock::new(|| Duration::from_secs(1)))
    }

    /// A search for a request that was made at the start of the clock.
    fn search(engine: &mut Engine, request: Request) -> Box<Search> {
        match engine.start(request, Duration::ZERO) {
            Ok(Started::Searching(search)) => search,
            _ => panic!("it needs a search"),
        }
    }

    #[test]
    fn no_memory_is_looked_for_after_the_time_is_up() {
        let mut engine = engine_at_one_second();
        engine.options_mut().timeout_turn = Some(Duration::from_secs(1));
        engine.options_mut().hash_size = Some(1 << 20);
        engine.prepare().unwrap().run();
        engine.options_mut().hash_size = Some(16 << 20);
        engine.play("h8".parse().unwrap()).unwrap();
        search(&mut engine, Request::Move).answer(&mut |_| ());
        let table = engine.memory.table().unwrap();
        assert!(table.bytes() < 16 << 20, "{}", table.bytes());
    }

    /// It has one thread, however many are wanted, so its least number of nodes is that of one.
    #[test]
    fn an_early_search_without_time_takes_few_nodes() {
        let (release, released) = channel::<()>();
        let mut engine = engine_at_one_second();
        engine.options_mut().timeout_turn = Some(Duration::ZERO);
        engine.options_mut().threads = 64;
        for text in ["a1", "h8", "o1", "h9", "a15"] {
            engine.play(text.parse().unwrap()).unwrap();
        }
        let search = search(&mut engine, Request::Swap2);
        let load = move || released.recv().unwrap_or(());
        (search.memory.lock()).load_after(load, Rule::Freestyle, &engine.weights);
        let answer = search.answer(&mut |_| ());
        // White has two stones in the middle against three in the corners, and the move.
        assert!(matches!(answer, Answer::Move(_)), "{answer:?}");
        assert!(answer.info().unwrap().nodes < 1_000, "{answer:?}");
        drop(release);
    }

    /// A choice of a colour has no depth.
    #[test]
    fn an_early_answer_stands_only_against_a_shallower_move() {
        let answer = |depth| {
            let line = Line {
                depth,
                ..Line::new(Score::ZERO, vec![Point::new(7, 7)])
            };
            BestMove::of_pv(line).map(Answer::Move)
        };
        let swap = || Some(Answer::Swap { info: None });
        let stones = || Some(Answer::Stones(vec![Point::new(7, 7), Point::new(3, 4)]));
        assert_eq!(better(answer(9), answer(2)), answer(9));
        assert_eq!(better(answer(9), answer(10)), answer(10));
        assert_eq!(better(answer(9), None), answer(9));
        assert_eq!(better(None, answer(2)), answer(2));
        assert_eq!(better(answer(9), swap()), swap());
        assert_eq!(better(answer(9), stones()), stones());
        assert_eq!(better(swap(), answer(2)), answer(2));
    }
}
