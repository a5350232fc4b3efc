//! The numbers by which managers name rules.

use crate::rules::Rule;

/// Who speaks, as far as the numbers of rules go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Gomocup's: a sum of 1 (exactly five), 2 (continuous game), 4 (renju)
    /// and 8 (caro).
    #[default]
    Gomocup,
    /// Yixin's: 2 is renju, 5 and 6 are freestyle with an opening rule.
    Yixin,
}

/// Yixin's number of freestyle with the swap1 opening: after the first stone the
/// second player may take its side.
pub(super) const SWAP1: i64 = 5;

/// The rule that `code` stands for, `None` if it can't be any.
pub(super) fn rule_of(code: i64, dialect: Dialect) -> Option<Rule> {
    match (dialect, code) {
        (Dialect::Yixin, 2) => return Some(Rule::Renju),
        (Dialect::Yixin, 5 | 6) => return Some(Rule::Freestyle),
        (_, 0..16) => (),
        _ => return None,
    }
    // A continuous game only begins anew after each five. GUIs that let users
    // tick any boxes send sums that no rule has: the rarer rule wins.
    let has = |bit: i64| code & bit != 0;
    Some(match (has(4), has(8), has(1)) {
        (true, _, _) => Rule::Renju,
        (_, true, true) => Rule::Caro,
        (_, true, false) => Rule::CaroOverline,
        (_, _, true) => Rule::ExactFive,
        _ => Rule::Freestyle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managers_numbers_mean_what_they_mean_there() {
        use Rule::{Caro, CaroOverline, ExactFive, Freestyle, Renju};
        for (code, rule) in [
            (0, Freestyle),
            (1, ExactFive),
            (2, Freestyle),
            (3, ExactFive),
            (4, Renju),
            (6, Renju),
            (8, CaroOverline),
            (9, Caro),
            (10, CaroOverline),
            (11, Caro),
            (12, Renju),
        ] {
            assert_eq!(rule_of(code, Dialect::Gomocup), Some(rule), "{code}");
        }
        for (code, rule) in [
            (0, Freestyle),
            (1, ExactFive),
            (2, Renju),
            (4, Renju),
            (5, Freestyle),
        ] {
            assert_eq!(rule_of(code, Dialect::Yixin), Some(rule), "{code}");
        }
        for code in [-1, 16, i64::MAX, i64::MIN] {
            assert_eq!(rule_of(code, Dialect::Gomocup), None);
        }
    }
}
