//! The numbers by which managers name rules.

use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::Rule;

/// The protocol whose rule codes are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RuleCodes {
    /// Gomocup's: a sum of 1 (exactly five), 2 (continuous game), 4 (renju)
    /// and 8 (caro).
    #[default]
    Gomocup,
    /// Those of Piskvork for Renju: Gomocup's, but 2 is renju.
    PiskvorkForRenju,
    /// Yixin's: 2 is renju, 5 and 6 are freestyle with an opening rule.
    Yixin,
}

/// Yixin's code of freestyle with the swap1 opening.
const SWAP1: i64 = 5;

/// The opening rule that `code` stands for.
pub(super) fn opening_of(code: i64, codes: RuleCodes) -> OpeningRule {
    match (codes, code) {
        (RuleCodes::Yixin, SWAP1) => OpeningRule::Swap1,
        _ => OpeningRule::Free,
    }
}

/// The rule that `code` stands for; `None` if there is none.
pub(super) fn rule_of(code: i64, codes: RuleCodes) -> Option<Rule> {
    match (codes, code) {
        (RuleCodes::Yixin | RuleCodes::PiskvorkForRenju, 2) => return Some(Rule::Renju),
        (RuleCodes::Yixin, SWAP1 | 6) => return Some(Rule::Freestyle),
        (_, 0..16) => (),
        _ => return None,
    }
    // A continuous game is played by the same rule; it begins again after each
    // five. GUIs that let users tick any boxes send sums that no rule has: then
    // the rarer rule wins.
    let has = |bit: i64| code & bit != 0;
    Some(match (has(4), has(8), has(1)) {
        (true, _, _) => Rule::Renju,
        (_, true, true) => Rule::Caro,
        (_, true, false) => Rule::CaroOverline,
        (_, _, true) => Rule::Standard,
        _ => Rule::Freestyle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managers_numbers_mean_what_they_mean_there() {
        use Rule::{Caro, CaroOverline, Freestyle, Renju, Standard};
        for (code, rule) in [
            (0, Freestyle),
            (1, Standard),
            (2, Freestyle),
            (3, Standard),
            (4, Renju),
            (6, Renju),
            (8, CaroOverline),
            (9, Caro),
            (10, CaroOverline),
            (11, Caro),
            (12, Renju),
        ] {
            assert_eq!(rule_of(code, RuleCodes::Gomocup), Some(rule), "{code}");
        }
        for (code, rule) in [
            (0, Freestyle),
            (1, Standard),
            (2, Renju),
            (4, Renju),
            (5, Freestyle),
        ] {
            assert_eq!(rule_of(code, RuleCodes::Yixin), Some(rule), "{code}");
        }
        for (code, rule) in [
            (0, Freestyle),
            (1, Standard),
            (2, Renju),
            (3, Standard),
            (9, Caro),
        ] {
            let codes = RuleCodes::PiskvorkForRenju;
            assert_eq!(rule_of(code, codes), Some(rule), "{code}");
        }
        for code in [-1, 16, i64::MAX, i64::MIN] {
            assert_eq!(rule_of(code, RuleCodes::Gomocup), None);
        }
    }
}
