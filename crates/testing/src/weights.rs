//! The weights of the program, loaded once for all tests of a file. A searcher lets go of
//! its weights when it goes, and to load a network takes as long as thousands of nodes.

use quincunx_engine::eval::WeightSet;
use quincunx_engine::rules::Rule;
use std::sync::{Arc, LazyLock};

/// Returns the weights for all rules.
pub fn weights() -> Arc<WeightSet> {
    static WEIGHTS: LazyLock<Arc<WeightSet>> = LazyLock::new(|| {
        let mut weights = WeightSet::default();
        for rule in Rule::ALL {
            let loaded = weights.of(rule);
            weights.replace(rule, loaded);
        }
        Arc::new(weights)
    });
    Arc::clone(&WEIGHTS)
}
