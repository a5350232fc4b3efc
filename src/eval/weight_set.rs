//! The weights of an evaluator under every rule.

use super::classical::Classical;
use super::evaluator::Evaluator;
use crate::rules::Rule;
use std::sync::{Arc, OnceLock};

/// The weights of an evaluator for every rule. The weights that are part of the
/// program are loaded on first use, unless others have replaced them.
pub struct WeightSet<E: Evaluator = Classical> {
    by_rule: [OnceLock<Arc<E::Weights>>; Rule::ALL.len()],
}

impl<E: Evaluator> WeightSet<E> {
    /// Returns the weights for `rule`.
    pub fn of(&self, rule: Rule) -> &Arc<E::Weights> {
        self.by_rule[rule as usize].get_or_init(|| Arc::new(E::built_in(rule)))
    }

    /// Replaces the weights for `rule`.
    pub fn replace(&mut self, rule: Rule, weights: Arc<E::Weights>) {
        self.by_rule[rule as usize] = OnceLock::from(weights);
    }
}

impl<E: Evaluator> Default for WeightSet<E> {
    fn default() -> Self {
        WeightSet {
            by_rule: [const { OnceLock::new() }; Rule::ALL.len()],
        }
    }
}

/// A clone shares the weights that have been loaded.
impl<E: Evaluator> Clone for WeightSet<E> {
    fn clone(&self) -> Self {
        WeightSet {
            by_rule: self.by_rule.clone(),
        }
    }
}
