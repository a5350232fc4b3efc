//! The trained tables that are part of the program.

use super::tables::EvalTables;
use crate::rules::Rule;

/// Trained tables by rule, in the format of [`EvalTables::to_bytes`].
const TRAINED: [Option<&[u8]>; Rule::ALL.len()] = [
    Some(include_bytes!("learned/freestyle.tables")),
    Some(include_bytes!("learned/standard.tables")),
    Some(include_bytes!("learned/renju.tables")),
    Some(include_bytes!("learned/caro.tables")),
    Some(include_bytes!("learned/caro-overline.tables")),
];

impl EvalTables {
    /// Returns the tables that are part of the program: the trained ones, or the
    /// hand-set ones for a rule that has none.
    pub fn built_in(rule: Rule) -> EvalTables {
        TRAINED[rule as usize]
            .and_then(|bytes| EvalTables::from_bytes(bytes).ok())
            .unwrap_or_else(|| EvalTables::hand_set(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trained_tables_are_whole_and_of_their_rule() {
        for (rule, bytes) in Rule::ALL.into_iter().zip(TRAINED) {
            if let Some(bytes) = bytes {
                let tables = EvalTables::from_bytes(bytes).expect("whole tables");
                assert_eq!(tables.rule, rule);
                assert!(tables.to_bytes() == bytes, "{rule}");
            }
        }
    }
}
