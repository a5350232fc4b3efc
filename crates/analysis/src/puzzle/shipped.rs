//! The puzzles that come with the crate.

use quincunx_engine::rules::Rule;

/// The puzzles of freestyle, one per line. Lines that begin with `#` are comments. The other
/// files have the same form.
pub const FREESTYLE: &str = include_str!("../../puzzles/freestyle.txt");
/// The puzzles of the standard rule.
pub const STANDARD: &str = include_str!("../../puzzles/standard.txt");
/// The puzzles of renju.
pub const RENJU: &str = include_str!("../../puzzles/renju.txt");
/// The puzzles of caro.
pub const CARO: &str = include_str!("../../puzzles/caro.txt");
/// Puzzles of freestyle whose right move wins by threes and fours, beginning with those that
/// are the easiest to check. The other files have only wins by fours.
pub const THREES: &str = include_str!("../../puzzles/threes.txt");

/// All sets of puzzles with their names.
pub const SETS: [(&str, &str); 5] = [
    ("freestyle", FREESTYLE),
    ("standard", STANDARD),
    ("renju", RENJU),
    ("caro", CARO),
    ("threes", THREES),
];

/// The rules that have puzzles.
pub const RULES: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

/// The puzzles of wins by fours that come with the crate for a rule.
pub const fn shipped(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Freestyle => Some(FREESTYLE),
        Rule::Standard => Some(STANDARD),
        Rule::Renju => Some(RENJU),
        Rule::Caro => Some(CARO),
        Rule::CaroOverline => None,
    }
}
