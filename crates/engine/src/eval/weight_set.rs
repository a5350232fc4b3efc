//! The weights of an evaluator under every rule.

use super::classical::ClassicalWeights;
use super::evaluator::Evaluator;
use super::hybrid::{Hybrid, HybridWeights};
use super::line::LineNetwork;
use super::simd::InstructionSet;
use crate::rules::Rule;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

/// The weights of an evaluator for every rule: the built-in ones, unless others have
/// replaced them. Built-in weights are loaded when they are asked for, and dropped when
/// nothing uses them any more, because memory is limited.
pub struct WeightSet<E: Evaluator = Hybrid> {
    by_rule: [Weights<E>; Rule::ALL.len()],
}

/// The weights for one rule.
enum Weights<E: Evaluator> {
    /// The built-in weights, if they are loaded.
    BuiltIn(Mutex<Weak<E::Weights>>),
    Replaced(Arc<E::Weights>),
}

impl<E: Evaluator> WeightSet<E> {
    /// Returns the weights for `rule`.
    pub fn of(&self, rule: Rule) -> Arc<E::Weights> {
        match &self.by_rule[rule as usize] {
            Weights::Replaced(weights) => Arc::clone(weights),
            Weights::BuiltIn(loaded) => {
                let mut loaded = lock(loaded);
                loaded.upgrade().unwrap_or_else(|| {
                    let weights = Arc::new(E::built_in(rule));
                    *loaded = Arc::downgrade(&weights);
                    weights
                })
            }
        }
    }

    /// Returns whether the weights for `rule` are loaded or being loaded. Never waits.
    pub fn has(&self, rule: Rule) -> bool {
        match &self.by_rule[rule as usize] {
            Weights::Replaced(_) => true,
            Weights::BuiltIn(loaded) => match loaded.try_lock() {
                Ok(loaded) => loaded.strong_count() > 0,
                Err(TryLockError::Poisoned(loaded)) => loaded.into_inner().strong_count() > 0,
                Err(TryLockError::WouldBlock) => true,
            },
        }
    }

    /// Replaces the weights for `rule`.
    pub fn replace(&mut self, rule: Rule, weights: Arc<E::Weights>) {
        self.by_rule[rule as usize] = Weights::Replaced(weights);
    }
}

/// Locks weights. A panic while they were loaded leaves nothing half done: they are not loaded.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WeightSet {
    /// Returns a checksum that tells these weights from others.
    pub fn checksum(&self) -> u32 {
        self.checksum_of(&Rule::ALL)
    }

    /// Returns a checksum that tells the weights for these rules from others.
    pub fn checksum_of(&self, rules: &[Rule]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for &rule in rules {
            let weights = self.of(rule);
            hasher.update(&weights.classical.tables().to_bytes());
            if let Some(line) = &weights.line {
                hasher.update(&line.checksum().to_le_bytes());
            }
        }
        hasher.finalize()
    }

    /// Replaces the weights of the classical evaluation for `rule`, and removes the line
    /// network, which corrected the old ones.
    pub fn set_classical(&mut self, rule: Rule, classical: Arc<ClassicalWeights>) {
        self.replace(rule, Arc::new(HybridWeights::new(classical, None)));
    }

    /// Removes the line networks of all rules.
    pub fn clear_lines(&mut self) {
        for rule in Rule::ALL {
            self.set_classical(rule, self.classical(rule));
        }
    }

    /// Returns the weights of the classical evaluation for `rule`, without loading the
    /// built-in network.
    fn classical(&self, rule: Rule) -> Arc<ClassicalWeights> {
        match &self.by_rule[rule as usize] {
            Weights::Replaced(weights) => Arc::clone(&weights.classical),
            Weights::BuiltIn(_) => Arc::new(ClassicalWeights::built_in(rule)),
        }
    }

    /// Evaluates positions of all rules with these instructions. Weights that are replaced
    /// later have the best instructions again.
    pub fn set_instructions(&mut self, instructions: InstructionSet) {
        for rule in Rule::ALL {
            let mut weights = HybridWeights::clone(&self.of(rule));
            weights.instructions = instructions;
            self.replace(rule, Arc::new(weights));
        }
    }

    /// Replaces the line network for its rule.
    pub fn set_line(&mut self, line: Arc<LineNetwork>) {
        let rule = line.rule();
        let weights = HybridWeights::new(self.classical(rule), Some(line));
        self.replace(rule, Arc::new(weights));
    }
}

impl<E: Evaluator> Default for WeightSet<E> {
    fn default() -> Self {
        WeightSet {
            by_rule: [const { Weights::BuiltIn(Mutex::new(Weak::new())) }; Rule::ALL.len()],
        }
    }
}

/// A clone shares the weights that have been loaded.
impl<E: Evaluator> Clone for WeightSet<E> {
    fn clone(&self) -> Self {
        let clone = |weights: &Weights<E>| match weights {
            Weights::Replaced(weights) => Weights::Replaced(Arc::clone(weights)),
            Weights::BuiltIn(loaded) => Weights::BuiltIn(Mutex::new(lock(loaded).clone())),
        };
        WeightSet {
            by_rule: self.by_rule.each_ref().map(clone),
        }
    }
}
