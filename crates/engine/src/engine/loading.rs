//! Weights that are loaded during a search, so that a first move need not wait for them.

use crate::eval::{HybridWeights, WeightSet};
use crate::rules::Rule;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

/// The time between two checks whether the weights are loaded.
const MOMENT: Duration = Duration::from_micros(500);

/// A thread that loads weights. They stay loaded as long as this value lives.
#[derive(Clone)]
pub(super) struct Loading {
    rule: Rule,
    set: Arc<WeightSet>,
    thread: Arc<JoinHandle<Arc<HybridWeights>>>,
}

impl Loading {
    /// Loads the weights for `rule` on a thread of its own, after `before`. `None` if the
    /// system can't start a thread.
    pub(super) fn begin(
        rule: Rule,
        set: &Arc<WeightSet>,
        before: impl FnOnce() + Send + 'static,
    ) -> Option<Loading> {
        let own = Arc::clone(set);
        let load = move || {
            before();
            own.of(rule)
        };
        let thread = Builder::new().name("load".to_owned()).spawn(load).ok()?;
        Some(Loading {
            rule,
            set: Arc::clone(set),
            thread: Arc::new(thread),
        })
    }

    /// Returns whether these are the weights of `set` for `rule`.
    pub(super) fn is_of(&self, rule: Rule, set: &Arc<WeightSet>) -> bool {
        self.rule == rule && Arc::ptr_eq(&self.set, set)
    }

    /// Returns whether the weights are loaded.
    pub(super) fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until the weights are loaded or `is_late` says so.
    pub(super) fn wait(&self, is_late: &dyn Fn() -> bool) {
        while !self.is_over() && !is_late() {
            sleep(MOMENT);
        }
    }
}
