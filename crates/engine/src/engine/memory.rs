//! The memory from one search to the next: the searcher with its histories, the
//! transposition table, and the weights of the evaluation.
//!
//! The table can be read, emptied and replaced while a search runs. The running
//! search keeps the table that it began with.

use super::loading::Loading;
use super::options::TableSize;
use crate::eval::{HybridWeights, WeightSet};
use crate::rules::Rule;
use crate::search::{Searcher, TranspositionTable};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The parts that only one search can use at a time.
#[derive(Default)]
struct Held {
    searcher: Option<SearcherOnTable>,
    /// The weights that are loaded, and the rule they are for. A new searcher need not load
    /// them again.
    weights: Option<(Rule, Arc<HybridWeights>)>,
    /// The weights that are being loaded.
    loading: Option<Loading>,
}

/// A searcher and the table it was made with.
struct SearcherOnTable {
    searcher: Searcher,
    table: Arc<TranspositionTable>,
}

/// A table, and the conditions under which it was made.
struct SizedTable {
    table: Arc<TranspositionTable>,
    /// The size that was asked for, in bytes.
    bytes: usize,
    /// If the table is smaller than that: the milliseconds after which allocation was too
    /// late, or 0 if it was stopped.
    cut_after: Option<u64>,
    /// The weights with which it is filled.
    weights: Arc<WeightSet>,
    /// True if anything may be in it.
    is_used: bool,
}

/// The searcher and the table of an engine, for one search at a time.
#[derive(Default)]
pub(super) struct SearchMemory {
    held: Mutex<Held>,
    table: Mutex<Option<SizedTable>>,
}

/// The memory while a search uses it.
pub(super) struct LockedMemory<'a> {
    memory: &'a SearchMemory,
    held: MutexGuard<'a, Held>,
}

impl Held {
    /// Lets go of the weights of other rules than this one.
    fn unload_others(&mut self, rule: Rule) {
        let others = self.weights.take_if(|(loaded, _)| *loaded != rule);
        if let (Some(_), Some(on_table)) = (others, &mut self.searcher) {
            on_table.searcher.unload();
        }
    }
}

impl SearchMemory {
    /// Locks the memory for one search. Waits for the search that uses it.
    pub(super) fn lock(&self) -> LockedMemory<'_> {
        LockedMemory {
            memory: self,
            held: lock(&self.held),
        }
    }

    /// Locks the memory, unless a search uses it.
    pub(super) fn try_lock(&self) -> Option<LockedMemory<'_>> {
        let held = match self.held.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(held)) => held.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(LockedMemory { memory: self, held })
    }

    /// The table, unless it is certain to be empty.
    pub(super) fn table(&self) -> Option<Arc<TranspositionTable>> {
        let sized = lock(&self.table);
        let used = sized.as_ref().filter(|sized| sized.is_used);
        used.map(|sized| Arc::clone(&sized.table))
    }

    /// Marks the table as one that may have entries.
    pub(super) fn mark_used(&self) {
        if let Some(sized) = &mut *lock(&self.table) {
            sized.is_used = true;
        }
    }

    /// Forgets what earlier searches have found. A running search keeps what it has.
    pub(super) fn forget(&self) {
        match self.try_lock() {
            Some(mut memory) => memory.forget(),
            None => *lock(&self.table) = None,
        }
    }

    /// The table, if there is one for these weights and its size is right. A table that was
    /// cut short is kept unless there is much more time to make another.
    pub(super) fn reusable_table(
        &self,
        size: &TableSize,
        weights: &Arc<WeightSet>,
    ) -> Option<Arc<TranspositionTable>> {
        let sized = lock(&self.table);
        let fits = |sized: &&SizedTable| {
            size.reusable.contains(&sized.bytes)
                && (sized.cut_after).is_none_or(|time| size.time <= time.saturating_mul(2))
                && Arc::ptr_eq(&sized.weights, weights)
        };
        let reusable = sized.as_ref().filter(fits);
        reusable.map(|sized| Arc::clone(&sized.table))
    }

    /// The table, if it was cut short, its entries are of use, and there is room beside it
    /// for a whole one.
    pub(super) fn cut_table(
        &self,
        size: &TableSize,
        weights: &Arc<WeightSet>,
    ) -> Option<Arc<TranspositionTable>> {
        let sized = lock(&self.table);
        let is_cut = |sized: &&SizedTable| {
            sized.is_used
                && sized.cut_after.is_some()
                && Arc::ptr_eq(&sized.weights, weights)
                && sized.table.bytes().saturating_add(size.new) <= *size.reusable.end()
        };
        let cut = sized.as_ref().filter(is_cut);
        cut.map(|sized| Arc::clone(&sized.table))
    }

    /// Makes a whole table with the entries of `old`, which was cut short. If `is_late` or
    /// `is_stopped` becomes true, the old table stays.
    fn grown_table(
        &self,
        old: Arc<TranspositionTable>,
        size: &TableSize,
        is_late: &dyn Fn() -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Arc<TranspositionTable> {
        let mut is_cut = false;
        let whole = TranspositionTable::touched(size.new, &mut || {
            is_cut = is_late() || is_stopped();
            is_cut
        });
        let mut held = lock(&self.table);
        let Some(sized) = &mut *held else { return old };
        if !is_cut && whole.bytes() > old.bytes() {
            old.records().for_each(|record| whole.add(record));
            sized.table = Arc::new(whole);
        }
        if !is_cut {
            sized.cut_after = None;
        } else if !is_stopped() {
            sized.cut_after = Some(size.time);
        }
        sized.bytes = size.new;
        Arc::clone(&sized.table)
    }

    /// Makes a table. The old one should have been dropped, because memory is limited.
    /// The system zeroes new memory when it is touched, which is quicker than wiping an
    /// old table. When `is_late` or `is_stopped` becomes true, the table stays as small
    /// as it is by then.
    pub(super) fn new_table(
        &self,
        size: &TableSize,
        weights: &Arc<WeightSet>,
        is_late: &dyn Fn() -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Arc<TranspositionTable> {
        let mut is_cut = false;
        let table = Arc::new(TranspositionTable::touched(size.new, &mut || {
            is_cut = is_late() || is_stopped();
            is_cut
        }));
        *lock(&self.table) = Some(SizedTable {
            table: Arc::clone(&table),
            bytes: size.new,
            cut_after: is_cut.then(|| if is_stopped() { 0 } else { size.time }),
            weights: Arc::clone(weights),
            is_used: false,
        });
        table
    }
}

impl LockedMemory<'_> {
    /// Loads the weights for `rule`. Those of two rules are never loaded at once, because
    /// memory is limited.
    fn load(&mut self, rule: Rule, weights: &Arc<WeightSet>) {
        let held = &mut *self.held;
        held.unload_others(rule);
        held.weights = Some((rule, weights.of(rule)));
        held.loading = None;
    }

    /// The thread that loads the weights for `rule`, if they are not loaded. There is none
    /// without threads.
    pub(super) fn loading(&mut self, rule: Rule, weights: &Arc<WeightSet>) -> Option<Loading> {
        let held = &mut *self.held;
        let unwanted = held
            .loading
            .take_if(|loading| !loading.is_of(rule, weights));
        if held.loading.is_none() && cfg!(feature = "threads") && !weights.has(rule) {
            held.unload_others(rule);
            // Weights that nothing needs any more are dropped before.
            held.loading = Loading::begin(rule, weights, || {
                if let Some(unwanted) = unwanted {
                    unwanted.wait(&|| false);
                }
            });
        }
        held.loading.clone().filter(|loading| !loading.is_over())
    }

    /// Loads the weights for `rule` after `before`, which runs on the loading thread.
    #[cfg(test)]
    pub(super) fn load_after(
        &mut self,
        before: impl FnOnce() + Send + 'static,
        rule: Rule,
        weights: &Arc<WeightSet>,
    ) {
        self.held.loading = Loading::begin(rule, weights, before);
    }

    /// The searcher, on a table of this size, with the weights for `rule` loaded. The memory
    /// of a new table is allocated at once, as far as [`SearchMemory::new_table`] allows, so
    /// that a search never waits for memory.
    pub(super) fn searcher(
        &mut self,
        rule: Rule,
        size: &TableSize,
        weights: &Arc<WeightSet>,
        is_late: &dyn Fn() -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> &mut Searcher {
        // The weights come first: a table gets the memory that they leave.
        self.load(rule, weights);
        let reusable = self.memory.reusable_table(size, weights);
        let table = reusable.unwrap_or_else(|| match self.memory.cut_table(size, weights) {
            Some(old) => self.memory.grown_table(old, size, is_late, is_stopped),
            None => {
                self.forget();
                (self.memory).new_table(size, weights, is_late, is_stopped)
            }
        });
        let is_on = |old: &SearcherOnTable| Arc::ptr_eq(&old.table, &table);
        let held = &mut *self.held;
        if !held.searcher.as_ref().is_some_and(is_on) {
            held.searcher = None;
        }
        let SearcherOnTable { searcher, .. } =
            held.searcher.get_or_insert_with(|| SearcherOnTable {
                searcher: Searcher::new(Arc::clone(&table), Arc::clone(weights)),
                table,
            });
        searcher.load(rule);
        searcher
    }

    /// Forgets all that searches have found.
    pub(super) fn forget(&mut self) {
        *lock(&self.memory.table) = None;
        self.held.searcher = None;
    }
}

/// A panic in a search leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::TtRecord;

    #[test]
    fn weights_stay_loaded_with_another_table() {
        let memory = SearchMemory::default();
        let weights = Arc::<WeightSet>::default();
        let size = TableSize {
            new: 1 << 16,
            reusable: 1 << 16..=1 << 16,
            time: 10,
        };
        let never = || false;
        let rules = [Rule::Standard, Rule::Caro];
        let loaded = || rules.map(|rule| weights.has(rule));
        (memory.lock()).searcher(Rule::Standard, &size, &weights, &never, &never);
        assert_eq!(loaded(), [true, false]);
        memory.forget();
        assert!(memory.table().is_none());
        assert_eq!(loaded(), [true, false]);
        (memory.lock()).searcher(Rule::Caro, &size, &weights, &never, &never);
        assert_eq!(loaded(), [false, true]);
    }

    #[test]
    fn a_table_stays_unless_it_was_cut_short_or_its_weights_are_others() {
        let memory = SearchMemory::default();
        let with_time = |time| TableSize {
            new: 8 << 20,
            reusable: 8 << 20..=16 << 20,
            time,
        };
        let size = with_time(10);
        let [weights, others] = [Arc::<WeightSet>::default(), Arc::default()];
        let never = || false;
        let whole = memory.new_table(&size, &weights, &never, &never);
        assert_eq!(whole.bytes(), size.new);
        assert!(memory.reusable_table(&size, &weights).is_some());
        assert!(memory.reusable_table(&size, &others).is_none());
        let late = memory.new_table(&size, &weights, &|| true, &never);
        assert!(late.bytes() < size.new);
        assert!(memory.reusable_table(&with_time(20), &weights).is_some());
        assert!(memory.reusable_table(&with_time(21), &weights).is_none());
        let stopped = memory.new_table(&size, &weights, &never, &|| true);
        assert!(stopped.bytes() < size.new);
        assert!(memory.reusable_table(&size, &weights).is_none());
    }

    /// A table that was cut short by the first command of a game would else be small for
    /// the rest of it.
    #[test]
    fn a_table_that_was_cut_short_grows_with_what_it_knows() {
        let memory = SearchMemory::default();
        let size = TableSize {
            new: 8 << 20,
            reusable: 8 << 20..=16 << 20,
            time: 10,
        };
        let weights = Arc::<WeightSet>::default();
        let never = || false;
        let small = memory.new_table(&size, &weights, &never, &|| true);
        let known = TtRecord {
            key: 5 << 50,
            data: 1 << 56 | 1,
        };
        small.add(known);
        memory.mark_used();
        let bytes_and_knowledge = || {
            let table = memory.table().unwrap();
            let knows = table.records().any(|record| record.key == known.key);
            (table.bytes(), knows)
        };
        let mut search = memory.lock();
        search.searcher(Rule::Standard, &size, &weights, &never, &|| true);
        assert_eq!(bytes_and_knowledge(), (small.bytes(), true));
        search.searcher(Rule::Standard, &size, &weights, &never, &never);
        assert_eq!(bytes_and_knowledge(), (size.new, true));
        assert!(memory.reusable_table(&size, &weights).is_some());
        // Where there is no room beside it what is known is worth more than a whole table.
        memory.new_table(&size, &weights, &|| true, &never);
        memory.mark_used();
        assert!(memory.cut_table(&size, &weights).is_some());
        let full = TableSize {
            reusable: size.new..=size.new,
            ..size
        };
        assert!(memory.cut_table(&full, &weights).is_none());
    }
}
