//! The search as its caller sees it, with what stays from one search to the next.

use super::budget::NodeBudget;
use super::report::{Line, Report};
#[cfg(not(feature = "threads"))]
use super::root;
use super::search_thread::{SearchContext, ThreadData};
use super::{Limits, Params, STACK_SIZE, TranspositionTable, has_room};
use crate::eval::{Evaluator, Hybrid, WeightSet};
use crate::position::Position;
use crate::rules::Rule;
use std::sync::Arc;

/// The maximum memory of a further thread, in bytes: its stack, its position and its data.
const THREAD_MEMORY: usize = STACK_SIZE + (8 << 20);

/// Finds the best move.
///
/// A searcher keeps what its threads learn from one search to the next, and
/// shares the transposition table with others.
pub struct Searcher<E: Evaluator = Hybrid> {
    tt: Arc<TranspositionTable>,
    weights: Arc<WeightSet<E>>,
    /// The weights that are loaded, and the rule they are for.
    loaded: Option<(Rule, Arc<E::Weights>)>,
    /// The data of the calling thread, which reports.
    main: ThreadData,
    /// The data of each further thread.
    helpers: Vec<ThreadData>,
    /// Values of [`Params`] by name, in place of the default ones.
    tuned: Vec<(String, i32)>,
    /// The search, compiled where the evaluator is chosen.
    run: RunSearch<E>,
}

/// Searches with the data of the calling thread and of its helpers.
type RunSearch<E> =
    for<'a> fn(SearchContext<'a, E>, &mut ThreadData, &mut [ThreadData], &mut dyn Report) -> Line;

impl Searcher {
    /// Creates a searcher that shares `tt` and evaluates with `weights`.
    // If it were inlined, every crate that calls it would compile the search once more, with its
    // own settings.
    #[inline(never)]
    pub fn new(tt: Arc<TranspositionTable>, weights: Arc<WeightSet>) -> Searcher {
        Searcher::with_evaluator(tt, weights)
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Creates a searcher that shares `tt` and evaluates with the evaluator of `weights`.
    pub fn with_evaluator(tt: Arc<TranspositionTable>, weights: Arc<WeightSet<E>>) -> Searcher<E> {
        Searcher {
            tt,
            weights,
            loaded: None,
            main: ThreadData::new(),
            helpers: Vec::new(),
            tuned: Vec::new(),
            #[cfg(feature = "threads")]
            run: super::threads::search::<E>,
            #[cfg(not(feature = "threads"))]
            run: |context, main, _, report| root::search::<E>(context, main, 1, Some(report)),
        }
    }

    /// Loads the weights for `rule`, unless they are loaded. Those of another rule are
    /// dropped first.
    pub fn load(&mut self, rule: Rule) -> Arc<E::Weights> {
        self.loaded.take_if(|(loaded, _)| *loaded != rule);
        let load = || (rule, self.weights.of(rule));
        Arc::clone(&self.loaded.get_or_insert_with(load).1)
    }

    /// Drops the loaded weights.
    pub fn unload(&mut self) {
        self.loaded = None;
    }

    /// Sets the number of search threads, at least one, and at most as many as there is
    /// memory for. Without the feature `threads` only the calling thread searches.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = if cfg!(feature = "threads") {
            threads.saturating_sub(1)
        } else {
            0
        };
        self.helpers.truncate(helpers);
        while self.helpers.len() < helpers
            && has_room(THREAD_MEMORY.saturating_mul(self.helpers.len() + 1))
        {
            self.helpers.push(ThreadData::new());
        }
    }

    /// Sets parameters of the search by name, and resets all others to their defaults.
    /// Names that [`Params`] does not have are ignored.
    pub fn tune(&mut self, values: &[(String, i32)]) {
        self.tuned = values.to_vec();
    }

    /// Forgets what was learned from earlier searches. The transposition table stays,
    /// because others may be using it.
    pub fn forget(&mut self) {
        for data in self.helpers.iter_mut().chain([&mut self.main]) {
            data.history.clear();
        }
    }

    /// Searches `position` for the best move until a limit is reached or
    /// `report` stops the search. Even if that is at once, the result has a legal
    /// move if there is one.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Line {
        self.age();
        self.search_on(position, limits, report)
    }

    /// Makes what was learned from earlier searches count less than what follows.
    pub(crate) fn age(&mut self) {
        self.tt.new_search();
        for data in self.helpers.iter_mut().chain([&mut self.main]) {
            data.history.age();
        }
    }

    /// Searches like [`Searcher::search`], but nothing ages. This is for several searches
    /// that make one answer.
    pub(crate) fn search_on(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Line {
        let mut params = Params::of(position.rule());
        for (name, value) in &self.tuned {
            params.set(name, *value);
        }
        let budget = NodeBudget::new(limits.nodes);
        let weights = self.load(position.rule());
        let context = SearchContext {
            position,
            tt: &self.tt,
            weights: &weights,
            params: &params,
            budget: &budget,
            limits,
        };
        (self.run)(context, &mut self.main, &mut self.helpers, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BoardSize, Color};
    use crate::search::search_thread::tests::Even;
    use crate::search::{DrawRule, TtRecord};

    /// The search finds what is forced with any evaluator.
    #[test]
    fn other_evaluators_plug_in() {
        let moves = "h8a1i8o1g9o15g10a15";
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), moves);
        let tt = Arc::new(TranspositionTable::new(1 << 16));
        let mut searcher = Searcher::<Even>::with_evaluator(tt, Arc::default());
        let limits = Limits {
            nodes: 20_000,
            ..Limits::default()
        };
        let result = searcher.search(&position.expect("a position"), &limits, &mut ());
        assert_eq!(result.score.to_string(), "+M5");
    }

    /// A table that was filled before, from a file for example, stays of use.
    #[test]
    fn another_draw_rule_leaves_the_table() {
        let position = Position::new(Rule::Freestyle, BoardSize::default());
        let tt = Arc::new(TranspositionTable::new(1 << 16));
        let known = TtRecord {
            key: 5 << 50,
            data: 1 << 56 | 1,
        };
        tt.add(known);
        let mut searcher = Searcher::<Even>::with_evaluator(Arc::clone(&tt), Arc::default());
        for max_moves in [100, 200] {
            let limits = Limits {
                nodes: 10,
                draw_rule: DrawRule {
                    max_moves,
                    winner: None,
                },
                ..Limits::default()
            };
            searcher.search(&position, &limits, &mut ());
            assert!(tt.records().any(|record| record.key == known.key));
        }
    }

    /// Black wins in five plies, unless the game ends before. The searchers share a table,
    /// and scores in it hold under the draw rule that they come from.
    #[test]
    fn wins_after_the_end_of_the_game_are_none() {
        let moves = "h8a1i8o1g9o15g10a15";
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), moves);
        let position = position.expect("a position");
        let tt = Arc::new(TranspositionTable::new(1 << 16));
        let score = |max_moves, winner| {
            let mut searcher = Searcher::<Even>::with_evaluator(Arc::clone(&tt), Arc::default());
            let limits = Limits {
                nodes: 20_000,
                draw_rule: DrawRule { max_moves, winner },
                ..Limits::default()
            };
            let result = searcher.search(&position, &limits, &mut ());
            result.score.to_string()
        };
        assert_eq!(score(usize::MAX, None), "+M5");
        assert_eq!(score(position.ply() + 5, None), "+M5");
        assert_eq!(score(position.ply() + 4, None), "+0");
        assert_eq!(score(position.ply() + 4, Some(Color::Black)), "+M4");
        assert_eq!(score(position.ply() + 4, Some(Color::White)), "-M4");
        assert_eq!(score(usize::MAX, Some(Color::White)), "+M5");
    }
}
