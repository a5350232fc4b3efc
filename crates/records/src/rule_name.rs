//! The names that other programs have for the rules.

use quincunx_engine::rules::Rule;

/// What a file says of the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RuleName {
    Known(Rule),
    /// No rule of this program, as far as the name tells.
    Unknown(String),
}

/// Opening rules of renju; the first of them is the federation that has made most.
const RENJU_OPENINGS: [&str; 10] = [
    "rif",
    "soos",
    "taraguchi",
    "yamaguchi",
    "tarannikov",
    "sakata",
    "joosorv",
    "jõõsõrv",
    "連珠",
    "连珠",
];

/// Names of the plain game, which say nothing of overlines.
const GOMOKU: [&str; 6] = ["gomoku", "fiveinarow", "swap2", "swap", "五子棋", "omok"];

impl RuleName {
    /// Gomocup's numbers and names such as `Freestyle15_1`, the names of this program,
    /// and those that begin with a rule or with an opening rule of it.
    pub(crate) fn of(text: &str) -> RuleName {
        let text = text.trim();
        let name: String = text
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect();
        match known(&name) {
            Some(rule) => RuleName::Known(rule),
            None => RuleName::Unknown(text.replace(['\r', '\n'], " ")),
        }
    }
}

fn known(name: &str) -> Option<Rule> {
    let rule = match name {
        "0" => return Some(Rule::Freestyle),
        "1" => return Some(Rule::Standard),
        "4" => return Some(Rule::Renju),
        "8" | "carooverline" => return Some(Rule::CaroOverline),
        "9" => return Some(Rule::Caro),
        _ if name.starts_with("free") => Rule::Freestyle,
        _ if name.starts_with("standard") || name.starts_with("exactlyfive") => Rule::Standard,
        _ if name.starts_with("renju") => Rule::Renju,
        _ if RENJU_OPENINGS
            .iter()
            .any(|opening| name.starts_with(opening)) =>
        {
            Rule::Renju
        }
        _ if name.starts_with("caro") => Rule::Caro,
        _ => {
            let rest = GOMOKU.iter().find_map(|plain| name.strip_prefix(plain))?;
            let is_plain = rest.chars().all(|c| c.is_ascii_digit()) || rest == "rules";
            return if is_plain {
                Some(Rule::Freestyle)
            } else {
                known(rest)
            };
        }
    };
    // A name of two rules says neither.
    let names = [
        (Rule::Freestyle, "freestyle"),
        (Rule::Standard, "standard"),
        (Rule::Renju, "renju"),
        (Rule::Caro, "caro"),
    ];
    let others = names.iter().filter(|(other, _)| *other != rule);
    let is_clear = !others.into_iter().any(|(_, other)| name.contains(other));
    is_clear.then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_name_the_rules_too() {
        for rule in Rule::ALL {
            assert_eq!(RuleName::of(rule.name()), RuleName::Known(rule));
        }
        for (text, rule) in [
            ("0", Rule::Freestyle),
            ("4", Rule::Renju),
            ("Gomoku", Rule::Freestyle),
            ("Free-style", Rule::Freestyle),
            ("Freestyle15_1", Rule::Freestyle),
            ("Standard_1", Rule::Standard),
            ("Gomoku (standard)", Rule::Standard),
            ("Swap2", Rule::Freestyle),
            ("Swap2, renju", Rule::Renju),
            ("RIF", Rule::Renju),
            ("Renju (Taraguchi-10)", Rule::Renju),
            ("Taraguchi-10", Rule::Renju),
            ("Soosõrv-8", Rule::Renju),
        ] {
            assert_eq!(RuleName::of(text), RuleName::Known(rule), "{text}");
        }
        for text in [
            "",
            "Japanese",
            "5",
            "unknown",
            "Standard renju",
            "Gomoku-Narabe",
        ] {
            assert_eq!(RuleName::of(text), RuleName::Unknown(text.to_owned()));
        }
    }
}
