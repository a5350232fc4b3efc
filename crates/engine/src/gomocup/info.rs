//! The INFO command: settings, few of which are answered.

use super::text::{ParseError, number};
use std::fmt;
use std::str::FromStr;

/// Declares the keys of INFO whose values are numbers. An entry is `name key`.
macro_rules! keys {
    (
        $(#[$meta:meta])*
        pub enum $Keys:ident {
            $($(#[$doc:meta])* $name:literal $key:ident;)*
        }
    ) => {
        $(#[$meta])*
        pub enum $Keys {
            $($(#[$doc])* $key,)*
        }

        impl $Keys {
            /// The keys with their names.
            const NAMES: &[($Keys, &'static str)] = &[$(($Keys::$key, $name)),*];
        }
    };
}

keys! {
    /// The keys that this engine acts on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum InfoKey {
        /// Milliseconds for a move; 0 is as fast as possible.
        "timeout_turn" TimeoutTurn;
        /// Milliseconds for a game; 0 is no limit.
        "timeout_match" TimeoutMatch;
        /// Milliseconds left for the game.
        "time_left" TimeLeft;
        /// Milliseconds added after a move.
        "time_increment" TimeIncrement;
        /// Bytes for the whole process; 0 is the usual 350 MiB.
        "max_memory" MaxMemory;
        /// KiB for the transposition table.
        "hash_size" HashSize;
        /// The deepest iteration.
        "max_depth" MaxDepth;
        /// The most nodes of a search.
        "max_node" MaxNode;
        /// The number of moves after which a game without a five ends.
        "max_moves" MaxMoves;
        /// The end of such a game: 0 drawn, 1 won by black, 2 won by white.
        "draw_result" DrawResult;
        /// The number of search threads.
        "thread_num" ThreadNum;
        /// The code of the rule.
        "rule" Rule;
        /// Whether rule 2 means renju, as in Piskvork for Renju, and not a continuous game.
        "rule2_is_renju" RuleTwoIsRenju;
        /// The live output that a GUI wants: 1 marks, 2 INFO lines, 3 both.
        "show_detail" ShowDetail;
        /// Whether the engine may ask for the other colour after one stone.
        "swapable" Swapable;
        /// Whether moves of the position database are played.
        "usedatabase" UseDatabase;
        /// Whether the position database must not be changed.
        "database_readonly" DatabaseReadonly;
        /// Whether to search on the opponent's time.
        "pondering" Pondering;
        /// The level to play at, from 0 to 100.
        "strength" Strength;
        /// The seed of moves below full strength, and of the choice among moves of a book.
        "seed" Seed;
    }
}

/// The prefix of the keys that set parameters of the search.
const TUNE: &str = "tune.";

/// The key of a file with evaluation tables.
const TABLES: &str = "tables";

/// The key of a file with an opening book.
const BOOK: &str = "book";

impl InfoKey {
    /// The names of all keys.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().map(|(_, name)| *name)
    }
}

impl fmt::Display for InfoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(key, _)| key == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// A setting: the text behind the word INFO.
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
        let mut keys = InfoKey::NAMES.iter();
        let known = keys.find(|(_, known)| known.eq_ignore_ascii_case(name));
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
