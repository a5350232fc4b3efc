//! The trained tables that are part of the program.

use super::tables::EvalTables;
use crate::rules::Rule;

/// Trained tables by rule, in the format of [`EvalTables::to_bytes`].
const TRAINED: [&[u8]; Rule::ALL.len()] = [
    include_bytes!("learned/freestyle.tables"),
    include_bytes!("learned/standard.tables"),
    include_bytes!("learned/renju.tables"),
    include_bytes!("learned/caro.tables"),
    include_bytes!("learned/caro-overline.tables"),
];

impl EvalTables {
    /// Returns the tables that are part of the program; the hand-set ones if their bytes
    /// are not whole.
    pub fn built_in(rule: Rule) -> EvalTables {
        EvalTables::from_bytes(TRAINED[rule as usize])
            .unwrap_or_else(|_| EvalTables::hand_set(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trained_tables_are_whole_and_of_their_rule() {
        for (rule, bytes) in Rule::ALL.into_iter().zip(TRAINED) {
            let tables = EvalTables::from_bytes(bytes).expect("whole tables");
            assert_eq!(tables.rule, rule);
            assert!(tables.to_bytes() == bytes, "{rule}");
        }
    }
}
