//! What GUIs say about the position database.

use super::command::{block, number_of};
use super::{Coordinates, ParseError};
use std::fmt;
use std::str::FromStr;

/// What is to be told of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// What is known after each move.
    Children,
    /// That, and the position's comment.
    ChildrenAndText,
    /// What is known of the position itself.
    One,
    /// Its comment.
    Text,
}

/// A command about the position database. Stones come in the order of play,
/// black's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// Use the database in this file.
    Open(String),
    /// Have everything on the disk.
    Save,
    /// Tell what is known.
    Query(Query, Vec<Coordinates>),
    /// Change label (1), value (2) or depth (4), as the mask says.
    SetValue {
        /// Which of them, added up.
        mask: i64,
        /// The label's letter as a number; -1 or 0 for none.
        label: i64,
        /// The value.
        value: i64,
        /// The depth.
        depth: i64,
        /// The position.
        stones: Vec<Coordinates>,
    },
    /// Show this on a point of the position.
    SetMark {
        /// The point.
        at: Coordinates,
        /// What to show; nothing takes it away.
        text: String,
        /// The position.
        stones: Vec<Coordinates>,
    },
    /// Change the comment.
    SetText {
        /// The new one.
        text: String,
        /// The position.
        stones: Vec<Coordinates>,
    },
    /// Forget a position.
    Remove(Vec<Coordinates>),
    /// Forget a position and all that follows from it, or those of them that
    /// the filter names: `w`, `l`, `wl` or `nonwl`.
    RemoveAll(String, Vec<Coordinates>),
}

impl Database {
    /// The commands that are one line.
    pub(super) const LINES: &'static [&'static str] = &["YXSAVEDATABASE"];
    /// The commands whose next line is a path.
    pub(super) const PATHS: &'static [&'static str] = &["YXSETDATABASE"];
    /// The commands that go on until DONE.
    pub(super) const BLOCKS: &'static [&'static str] = &[
        "YXQUERYDATABASEALL",
        "YXQUERYDATABASEALLT",
        "YXQUERYDATABASEONE",
        "YXQUERYDATABASETEXT",
        "YXEDITTVDDATABASE",
        "YXEDITLABELDATABASE",
        "YXEDITTEXTDATABASE",
        "YXDELETEDATABASEONE",
        "YXDELETEDATABASEALL",
    ];

    /// Whether a command begins with this word in capitals.
    pub(super) fn has(word: &str) -> bool {
        [Self::LINES, Self::PATHS, Self::BLOCKS]
            .concat()
            .contains(&word)
    }
}

impl FromStr for Database {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let upper = word.to_ascii_uppercase();
        let stones = |text: &str| block(word, text, str::parse);
        Ok(match upper.as_str() {
            "YXSETDATABASE" => Database::Open(rest.to_owned()),
            "YXSAVEDATABASE" => Database::Save,
            "YXQUERYDATABASEALL" => Database::Query(Query::Children, stones(rest)?),
            "YXQUERYDATABASEALLT" => Database::Query(Query::ChildrenAndText, stones(rest)?),
            "YXQUERYDATABASEONE" => Database::Query(Query::One, stones(rest)?),
            "YXQUERYDATABASETEXT" => Database::Query(Query::Text, stones(rest)?),
            "YXEDITTVDDATABASE" => {
                let mut rest = rest;
                let mut next = || {
                    let (first, after) = first_word(rest);
                    rest = after;
                    number_of(word, first)
                };
                let [mask, label, value, depth] = [next()?, next()?, next()?, next()?];
                let stones = stones(rest)?;
                Database::SetValue {
                    mask,
                    label,
                    value,
                    depth,
                    stones,
                }
            }
            "YXEDITLABELDATABASE" => {
                let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
                let (at, text) = first_word(line);
                Database::SetMark {
                    at: at.parse()?,
                    text: text.trim().to_owned(),
                    stones: stones(after)?,
                }
            }
            "YXEDITTEXTDATABASE" => {
                let (text, after) = quoted(rest)?;
                let stones = stones(after)?;
                Database::SetText { text, stones }
            }
            "YXDELETEDATABASEONE" => Database::Remove(stones(rest)?),
            "YXDELETEDATABASEALL" => {
                let (first, after) = first_word(rest);
                if first.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !first.eq_ignore_ascii_case("DONE")
                {
                    Database::RemoveAll(first.to_ascii_lowercase(), stones(after)?)
                } else {
                    Database::RemoveAll(String::new(), stones(rest)?)
                }
            }
            _ => return Err(ParseError::Unknown(word.to_owned())),
        })
    }
}

/// The first word and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// A text in quotation marks, where a backslash takes the next character as it
/// is, and what follows it.
fn quoted(text: &str) -> Result<(String, &str), ParseError> {
    let none = || ParseError::Quoted(text.chars().take(20).collect());
    let mut inner = text.strip_prefix('"').ok_or_else(none)?.char_indices();
    let mut found = String::new();
    while let Some((at, c)) = inner.next() {
        match c {
            '"' => return Ok((found, &text[at + 2..])),
            '\\' => found.extend(inner.next().map(|(_, c)| c)),
            _ => found.push(c),
        }
    }
    Err(none())
}

/// The text as [`quoted`] reads it.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\"",
            self.0.replace('\\', "\\\\").replace('"', "\\\"")
        )
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, stones) = match self {
            Database::Open(path) => return write!(f, "YXSETDATABASE\n{path}"),
            Database::Save => return f.write_str("YXSAVEDATABASE"),
            Database::Query(query, stones) => {
                let word = match query {
                    Query::Children => "ALL",
                    Query::ChildrenAndText => "ALLT",
                    Query::One => "ONE",
                    Query::Text => "TEXT",
                };
                (format!("YXQUERYDATABASE{word}"), stones)
            }
            Database::SetValue {
                mask,
                label,
                value,
                depth,
                stones,
            } => {
                let head = format!("YXEDITTVDDATABASE {mask} {label} {value} {depth}");
                (head, stones)
            }
            Database::SetMark { at, text, stones } => {
                (format!("YXEDITLABELDATABASE {at} {text}"), stones)
            }
            Database::SetText { text, stones } => {
                (format!("YXEDITTEXTDATABASE {}", Quoted(text)), stones)
            }
            Database::Remove(stones) => ("YXDELETEDATABASEONE".to_owned(), stones),
            Database::RemoveAll(filter, stones) => {
                (format!("YXDELETEDATABASEALL {filter}"), stones)
            }
        };
        writeln!(f, "{head}")?;
        for stone in stones {
            writeln!(f, "{stone}")?;
        }
        f.write_str("DONE")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn at(x: i32, y: i32) -> Coordinates {
        Coordinates { x, y }
    }

    #[test]
    fn commands_read_as_guis_write_them() {
        let parse = |text: &str| text.parse::<Database>().unwrap();
        let stones = vec![at(7, 7), at(8, 8)];
        assert_eq!(
            parse("yxeditlabeldatabase\n3,4 A b\n7,7\n8,8\ndone"),
            Database::SetMark {
                at: at(3, 4),
                text: "A b".to_owned(),
                stones: stones.clone(),
            }
        );
        // Yixin-Board puts no line end behind the text.
        assert_eq!(
            parse("yxedittextdatabase\n\"say \\\"hi\\\" \\\\\"7,7\n8,8\ndone"),
            Database::SetText {
                text: "say \"hi\" \\".to_owned(),
                stones: stones.clone(),
            }
        );
        assert_eq!(
            parse("yxedittvddatabase\n1 119 0 0\n7,7\n8,8\ndone"),
            Database::SetValue {
                mask: 1,
                label: 119,
                value: 0,
                depth: 0,
                stones: stones.clone(),
            }
        );
        for (text, filter) in [("nonwl\n", "nonwl"), ("", "")] {
            let text = format!("yxdeletedatabaseall {text} 7,7 8,8 done");
            assert_eq!(
                parse(&text),
                Database::RemoveAll(filter.to_owned(), stones.clone())
            );
        }
    }

    #[test]
    fn bad_ones_are_refused() {
        for text in [
            "YXEDITTEXTDATABASE none DONE",
            "YXEDITTEXTDATABASE \"open 7,7 DONE",
            "YXEDITTVDDATABASE 1 2 DONE",
            "YXEDITTVDDATABASE DONE",
            "YXEDITLABELDATABASE here DONE",
            "YXQUERYDATABASEALL 7 DONE",
            "YXQUERYDATABASEALL 7,7",
        ] {
            assert!(text.parse::<Database>().is_err(), "{text}");
        }
    }
}
