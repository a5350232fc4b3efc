//! The INFO command: settings, few of which are answered.

use super::text::{ParseError, number};
use std::fmt;
use std::str::FromStr;

/// The keys that this engine acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InfoKey {
    /// Milliseconds for a move; 0 is as fast as possible.
    TimeoutTurn,
    /// Milliseconds for a game; 0 is no limit.
    TimeoutMatch,
    /// Milliseconds left for the game.
    TimeLeft,
    /// Milliseconds added after a move.
    TimeIncrement,
    /// Bytes for the whole process; 0 is the usual 350 MiB.
    MaxMemory,
    /// KiB for the transposition table.
    HashSize,
    /// The deepest iteration.
    MaxDepth,
    /// The most nodes of a search.
    MaxNode,
    /// The number of moves after which a game without a five ends.
    MaxMoves,
    /// How such a game ends: 0 drawn, 1 won by black, 2 won by white.
    DrawResult,
    /// The number of search threads.
    ThreadNum,
    /// The code of the rule.
    Rule,
    /// Whether rule 2 means renju, as in Piskvork for Renju, and not a continuous game.
    RuleTwoIsRenju,
    /// Which live output a GUI wants: 1 marks, 2 INFO lines, 3 both.
    ShowDetail,
    /// Whether the engine may ask for the other colour after one stone.
    Swapable,
    /// Whether moves of the position database are played.
    UseDatabase,
    /// Whether the position database must not be changed.
    DatabaseReadonly,
    /// Whether to search on the opponent's time.
    Pondering,
    /// The level to play at, from 0 to 100.
    Strength,
    /// The seed of moves below full strength, and of the choice among moves of a book.
    Seed,
}

/// The prefix of the keys that set parameters of the search.
const TUNE: &str = "tune.";

/// The key of a file with evaluation tables.
const TABLES: &str = "tables";

/// The key of a file with an opening book.
const BOOK: &str = "book";

/// Every key with its name.
const NAMES: [(InfoKey, &str); 20] = [
    (InfoKey::TimeoutTurn, "timeout_turn"),
    (InfoKey::TimeoutMatch, "timeout_match"),
    (InfoKey::TimeLeft, "time_left"),
    (InfoKey::TimeIncrement, "time_increment"),
    (InfoKey::MaxMemory, "max_memory"),
    (InfoKey::HashSize, "hash_size"),
    (InfoKey::MaxDepth, "max_depth"),
    (InfoKey::MaxNode, "max_node"),
    (InfoKey::MaxMoves, "max_moves"),
    (InfoKey::DrawResult, "draw_result"),
    (InfoKey::ThreadNum, "thread_num"),
    (InfoKey::Rule, "rule"),
    (InfoKey::RuleTwoIsRenju, "rule2_is_renju"),
    (InfoKey::ShowDetail, "show_detail"),
    (InfoKey::Swapable, "swapable"),
    (InfoKey::UseDatabase, "usedatabase"),
    (InfoKey::DatabaseReadonly, "database_readonly"),
    (InfoKey::Pondering, "pondering"),
    (InfoKey::Strength, "strength"),
    (InfoKey::Seed, "seed"),
];

impl InfoKey {
    /// The names of all keys.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().map(|(_, name)| name)
    }
}

impl fmt::Display for InfoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(key, _)| key == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// What follows the word INFO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// A key this engine acts on.
    Number(InfoKey, i64),
    /// A parameter of the search by name, for tuning: `tune.NAME VALUE`.
    Tune(String, i32),
    /// A file with evaluation tables.
    Tables(String),
    /// A file with an opening book.
    Book(String),
    /// Any other key and the rest of its line.
    Other(String, String),
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Info::Number(key, value) => write!(f, "{key} {value}"),
            Info::Tune(name, value) => write!(f, "{TUNE}{name} {value}"),
            Info::Tables(file) => write!(f, "{TABLES} {file}"),
            Info::Book(file) => write!(f, "{BOOK} {file}"),
            Info::Other(key, value) if value.is_empty() => f.write_str(key),
            Info::Other(key, value) => write!(f, "{key} {value}"),
        }
    }
}

impl FromStr for Info {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        if let Some(name) = name.strip_prefix(TUNE)
            && let Some(value) = number(value)
        {
            let value = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
            return Ok(Info::Tune(name.to_owned(), value));
        }
        if name.eq_ignore_ascii_case(TABLES) && !value.is_empty() {
            return Ok(Info::Tables(value.to_owned()));
        }
        if name.eq_ignore_ascii_case(BOOK) && !value.is_empty() {
            return Ok(Info::Book(value.to_owned()));
        }
        let known = NAMES
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name));
        let Some(&(key, name)) = known else {
            return Ok(Info::Other(name.to_owned(), value.to_owned()));
        };
        match number(value) {
            Some(number) => Ok(Info::Number(key, number)),
            None => Err(ParseError::Number {
                of: format!("INFO {name}"),
                text: value.to_owned(),
            }),
        }
    }
}
