//! The names that other programs have for the rules.

use quincunx_engine::rules::Rule;

/// The rule as a file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RuleName {
    Known(Rule),
    /// A name of no rule of this program.
    Unknown(String),
}

/// Names that begin those of a rule, without the spaces between their words.
const RULES: [(Rule, &[&str]); 4] = [
    (Rule::Freestyle, &["freestyle", "freegomoku"]),
    (Rule::Standard, &["standard", "exactlyfive", "exactly5"]),
    (Rule::Renju, &["renju"]),
    (Rule::Caro, &["caro"]),
];

/// Opening rules of renju; the first of them is the federation that has made most.
const RENJU_OPENINGS: [&str; 11] = [
    "rif",
    "soos",
    "soosõrv",
    "soosorv",
    "soosyrv",
    "taraguchi",
    "yamaguchi",
    "tarannikov",
    "sakata",
    "joosorv",
    "jõõsõrv",
];

/// Names of renju that are written without spaces behind them.
const RENJU_SIGNS: [&str; 3] = ["renju", "連珠", "连珠"];

/// Names of the plain game, which do not decide about overlines.
const GOMOKU: [&str; 4] = ["gomoku", "fiveinarow", "swap", "五子棋"];

impl RuleName {
    /// Gomocup's numbers and names such as `Freestyle15_1`, the names of this program,
    /// and those that begin with the words of a rule or of an opening rule of it.
    pub(crate) fn of(text: &str) -> RuleName {
        let text = text.trim();
        match known(&words(text)) {
            Some(rule) => RuleName::Known(rule),
            None => RuleName::Unknown(text.replace(['\r', '\n'], " ")),
        }
    }
}

/// The words and numbers of a text, in small letters. A capital begins a word behind a small
/// letter.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let goes_on = before.is_alphanumeric()
            && before.is_ascii_digit() == c.is_ascii_digit()
            && !(before.is_lowercase() && c.is_uppercase());
        before = c;
        if !c.is_alphanumeric() {
            continue;
        }
        if !goes_on {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// The words behind those that make up a name.
fn behind<'w>(words: &'w [String], name: &str) -> Option<&'w [String]> {
    let mut rest = name;
    for (index, word) in words.iter().enumerate() {
        rest = rest.strip_prefix(word.as_str())?;
        if rest.is_empty() {
            return words.get(index + 1..);
        }
    }
    None
}

/// The words after the name of the plain game, which name the variant.
fn behind_gomoku(mut words: &[String]) -> &[String] {
    let is_filler =
        |word: &&String| word.as_str() == "rules" || word.chars().all(|c| c.is_ascii_digit());
    while let Some(rest) = GOMOKU.iter().find_map(|plain| behind(words, plain)) {
        words = &rest[rest.iter().take_while(is_filler).count()..];
    }
    words
}

fn known(words: &[String]) -> Option<Rule> {
    match &*words.concat() {
        "0" => return Some(Rule::Freestyle),
        "1" => return Some(Rule::Standard),
        "4" => return Some(Rule::Renju),
        "8" => return Some(Rule::CaroOverline),
        "9" => return Some(Rule::Caro),
        _ => {}
    }
    let others = behind_gomoku(words);
    let is_free = match others {
        [] => !words.is_empty(),
        [first, rest @ ..] => first == "free" && behind_gomoku(rest).is_empty(),
    };
    if is_free {
        return Some(Rule::Freestyle);
    }
    let words = others;
    let name = words.concat();
    let begins = |names: &[&str]| names.iter().any(|name| behind(words, name).is_some());
    let rule = if name == "carooverline" {
        return Some(Rule::CaroOverline);
    } else if let Some((rule, _)) = RULES.iter().find(|(_, names)| begins(names)) {
        *rule
    } else if begins(&RENJU_OPENINGS) || RENJU_SIGNS.iter().any(|it| name.starts_with(it)) {
        Rule::Renju
    } else {
        return None;
    };
    // A name of two rules says neither.
    let others = RULES.iter().filter(|(other, _)| *other != rule);
    let mut names = others.flat_map(|(_, names)| *names);
    (!names.any(|other| name.contains(other))).then_some(rule)
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
            ("Gomoku (Free)", Rule::Freestyle),
            ("Free", Rule::Freestyle),
            ("Swap2", Rule::Freestyle),
            ("Free swap2", Rule::Freestyle),
            ("swap2, free", Rule::Freestyle),
            ("Swap2, renju", Rule::Renju),
            ("renjuclassic", Rule::Renju),
            ("RIF", Rule::Renju),
            ("Renju (Taraguchi-10)", Rule::Renju),
            ("Taraguchi-10", Rule::Renju),
            ("Soosõrv-8", Rule::Renju),
            ("FreeStyle", Rule::Freestyle),
            ("Free", Rule::Freestyle),
            ("Free Gomoku", Rule::Freestyle),
            ("five in a row", Rule::Freestyle),
            ("Gomoku, exactly 5", Rule::Standard),
            ("RenjuRules", Rule::Renju),
            ("連珠規則", Rule::Renju),
            ("Caro rules", Rule::Caro),
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
            // Only whole words count.
            "Free opening, exactly 5",
            "Free Gomoku exactly five",
            "Freedom",
            "Riffles club rules",
            "Carolina tournament",
            "Omok",
        ] {
            assert_eq!(RuleName::of(text), RuleName::Unknown(text.to_owned()));
        }
    }
}
