//! The built-in trained tables, if the program has any.

use super::tables::EvalTables;
use crate::rules::Rule;

/// Trained tables by rule, in the format of [`EvalTables::to_bytes`].
#[cfg(feature = "weights")]
const TRAINED: &[&[u8]] = &[
    include_bytes!("learned/freestyle.tables"),
    include_bytes!("learned/standard.tables"),
    include_bytes!("learned/renju.tables"),
    include_bytes!("learned/caro.tables"),
    include_bytes!("learned/caro-overline.tables"),
];
#[cfg(not(feature = "weights"))]
const TRAINED: &[&[u8]] = &[];

impl EvalTables {
    /// Returns the built-in tables, or the hand-set ones if there are none or their bytes are
    /// incomplete.
    pub fn built_in(rule: Rule) -> EvalTables {
        let trained = TRAINED.get(rule as usize);
        trained
            .and_then(|bytes| EvalTables::from_bytes(bytes).ok())
            .unwrap_or_else(|| EvalTables::hand_set(rule))
    }
}

#[cfg(all(test, feature = "weights"))]
mod tests {
    use super::*;

    #[test]
    fn trained_tables_are_whole_and_of_their_rule() {
        assert_eq!(TRAINED.len(), Rule::ALL.len());
        for (rule, &bytes) in Rule::ALL.into_iter().zip(TRAINED) {
            let tables = EvalTables::from_bytes(bytes).expect("whole tables");
            assert_eq!(tables.rule, rule);
            assert!(tables.to_bytes() == bytes, "{rule}");
        }
    }
}
