//! The weights of an evaluator under every rule.

use super::classical::ClassicalWeights;
use super::evaluator::Evaluator;
use super::hybrid::{Hybrid, HybridWeights};
use super::line::{InstructionSet, LineNetwork};
use crate::rules::Rule;
use std::sync::{Arc, OnceLock};

/// The weights of an evaluator for every rule. The weights that are part of the
/// program are loaded on first use, unless others have replaced them.
pub struct WeightSet<E: Evaluator = Hybrid> {
    by_rule: [OnceLock<Arc<E::Weights>>; Rule::ALL.len()],
}

impl<E: Evaluator> WeightSet<E> {
    /// Returns the weights for `rule`.
    pub fn of(&self, rule: Rule) -> &Arc<E::Weights> {
        self.by_rule[rule as usize].get_or_init(|| Arc::new(E::built_in(rule)))
    }

    /// Whether the weights for `rule` are loaded.
    pub fn has(&self, rule: Rule) -> bool {
        self.by_rule[rule as usize].get().is_some()
    }

    /// Replaces the weights for `rule`.
    pub fn replace(&mut self, rule: Rule, weights: Arc<E::Weights>) {
        self.by_rule[rule as usize] = OnceLock::from(weights);
    }
}

impl WeightSet {
    /// Replaces the weights of the classical evaluation for `rule`. There is no
    /// network any more then: it corrected the old ones.
    pub fn set_classical(&mut self, rule: Rule, classical: Arc<ClassicalWeights>) {
        let line = None;
        self.replace(rule, Arc::new(HybridWeights { classical, line }));
    }

    /// Leaves out the line networks of all rules.
    pub fn clear_lines(&mut self) {
        for rule in Rule::ALL {
            self.set_classical(rule, Arc::clone(&self.of(rule).classical));
        }
    }

    /// Evaluates the line networks of all rules with these instructions.
    pub fn set_instructions(&mut self, instructions: InstructionSet) {
        for rule in Rule::ALL {
            if let Some(line) = &self.of(rule).line {
                let line = LineNetwork::clone(line).with_instructions(instructions);
                self.set_line(Arc::new(line));
            }
        }
    }

    /// Replaces the line network for its rule.
    pub fn set_line(&mut self, line: Arc<LineNetwork>) {
        let rule = line.rule();
        let weights = HybridWeights {
            classical: Arc::clone(&self.of(rule).classical),
            line: Some(line),
        };
        self.replace(rule, Arc::new(weights));
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
