//! The weights of rules: files beside the module, which are read when a rule is first played.
//! Those of all rules would be most of the module.

use crate::clock::clock;
use crate::stop;
use quincunx_engine::engine::Engine;
use quincunx_engine::eval::line::{LineNetwork, LineWeights};
use quincunx_engine::eval::{ClassicalWeights, EvalTables, HybridWeights, WeightSet};
use quincunx_engine::rules::Rule;
use std::sync::Arc;
use wasm_bindgen::prelude::JsError;

/// The weights of the rules that have been played.
#[derive(Default)]
pub(crate) struct Weights {
    set: Arc<WeightSet>,
    rules: Vec<Rule>,
}

impl Weights {
    /// The name of the rule, as its files have it, if they were not taken yet.
    pub(crate) fn missing(&self, rule: &str) -> Result<Option<String>, JsError> {
        let rule: Rule = rule.parse()?;
        let is_missing = !self.rules.contains(&rule);
        Ok(is_missing.then(|| rule.to_string()))
    }

    /// Takes the files of a rule: the tables of its classical evaluation and its network.
    pub(crate) fn add(&mut self, rule: &str, tables: &[u8], line: &[u8]) -> Result<(), JsError> {
        let rule = rule.parse()?;
        let (tables, line) = (
            EvalTables::from_bytes(tables)?,
            LineWeights::from_bytes(line)?,
        );
        if [tables.rule, line.rule] != [rule; 2] {
            return Err(JsError::new("the weights are those of another rule"));
        }
        let classical = Arc::new(ClassicalWeights::new(tables));
        let line = Arc::new(LineNetwork::new(&line));
        let weights = HybridWeights::new(classical, Some(line));
        Arc::make_mut(&mut self.set).replace(rule, Arc::new(weights));
        self.rules.push(rule);
        Ok(())
    }

    /// An engine that evaluates with them, and is stopped from outside.
    pub(crate) fn engine(&self) -> Engine {
        let mut engine = Engine::with_weights(clock(), Arc::clone(&self.set));
        engine.set_interrupt(stop::is_due);
        engine
    }

    /// The weights themselves.
    pub(crate) fn set(&self) -> &Arc<WeightSet> {
        &self.set
    }
}
