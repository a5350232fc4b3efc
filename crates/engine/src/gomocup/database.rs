//! What GUIs say about the position database.

use super::coordinates::Coordinates;
use super::sweep::Sweep;
use super::text::{ParseError, block, number_of};
use std::fmt;
use std::str::FromStr;

/// What to tell of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// What is known after each move.
    Children,
    /// What is known after each move, and the comment on the position.
    ChildrenAndText,
    /// What is known of the position itself.
    One,
    /// The comment on the position.
    Text,
}

/// The direction and the format of an import or export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Read positions from a RenLib library.
    FromLibrary,
    /// Write the positions of this rule and board to a RenLib library.
    ToLibrary,
    /// Read positions from text.
    FromText,
    /// Write the positions of this rule and board as text.
    ToText,
    /// Write all positions as text.
    AllToText,
    /// Read positions from another database.
    FromDatabase,
    /// Write the positions that follow from the one on the board to another
    /// database.
    BelowToDatabase,
}

/// The commands that transfer positions.
const TRANSFERS: [(&str, Transfer); 7] = [
    ("YXLIBTODB", Transfer::FromLibrary),
    ("YXDBTOLIB", Transfer::ToLibrary),
    ("YXTXTTODB", Transfer::FromText),
    ("YXDBTOTXT", Transfer::ToText),
    ("YXDBTOTXTALL", Transfer::AllToText),
    ("YXDBMERGE", Transfer::FromDatabase),
    ("YXDBSPLIT", Transfer::BelowToDatabase),
];

/// A command about the position database. Stones come in the order of play,
/// black's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseCommand {
    /// Use the database in this file.
    Open(String),
    /// Write all changes to the disk.
    Save,
    /// Count the broken entries.
    Check,
    /// Remove the broken entries.
    Fix,
    /// Read from this file, or write to it.
    Transfer(Transfer, String),
    /// Tell what is known of a position.
    Query(Query, Vec<Coordinates>),
    /// Change label (1), value (2) or depth (4), as the mask says.
    SetValue {
        /// The sum of the parts to be changed.
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
    /// Change the mark on a point of the position.
    SetMark {
        /// The point.
        at: Coordinates,
        /// The mark; an empty one is removed.
        text: String,
        /// The position.
        stones: Vec<Coordinates>,
    },
    /// Change the comment.
    SetText {
        /// The comment.
        text: String,
        /// The position.
        stones: Vec<Coordinates>,
    },
    /// Mark the last stone as the best move, or remove that mark.
    SetBest(bool, Vec<Coordinates>),
    /// Remove a position.
    Remove(Vec<Coordinates>),
    /// Remove positions that follow from a position.
    RemoveAll(Sweep, Vec<Coordinates>),
}

impl DatabaseCommand {
    /// The commands that are one line.
    pub(super) const LINES: &'static [&'static str] = &["YXSAVEDATABASE", "YXDBCHECK", "YXDBFIX"];
    /// The commands whose next line is a path.
    pub(super) const PATHS: &'static [&'static str] = &[
        "YXSETDATABASE",
        "YXLIBTODB",
        "YXDBTOLIB",
        "YXTXTTODB",
        "YXDBTOTXT",
        "YXDBTOTXTALL",
        "YXDBMERGE",
        "YXDBSPLIT",
    ];
    /// The commands that go on until DONE.
    pub(super) const BLOCKS: &'static [&'static str] = &[
        "YXQUERYDATABASEALL",
        "YXQUERYDATABASEALLT",
        "YXQUERYDATABASEONE",
        "YXQUERYDATABASETEXT",
        "YXEDITTVDDATABASE",
        "YXEDITLABELDATABASE",
        "YXEDITTEXTDATABASE",
        "YXSETBESTMOVEDATABASE",
        "YXCLEARBESTMOVEDATABASE",
        "YXDELETEDATABASEONE",
        "YXDELETEDATABASEALL",
    ];

    /// Whether a command begins with this word in capitals.
    pub(super) fn has(word: &str) -> bool {
        let lists = [Self::LINES, Self::PATHS, Self::BLOCKS];
        lists.iter().any(|list| list.contains(&word))
    }
}

impl FromStr for DatabaseCommand {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let upper = word.to_ascii_uppercase();
        let stones = |text: &str| block(word, text, str::parse);
        if let Some(&(_, transfer)) = TRANSFERS.iter().find(|(name, _)| *name == upper) {
            return Ok(DatabaseCommand::Transfer(transfer, rest.to_owned()));
        }
        Ok(match upper.as_str() {
            "YXSETDATABASE" => DatabaseCommand::Open(rest.to_owned()),
            "YXSAVEDATABASE" => DatabaseCommand::Save,
            "YXDBCHECK" => DatabaseCommand::Check,
            "YXDBFIX" => DatabaseCommand::Fix,
            "YXQUERYDATABASEALL" => DatabaseCommand::Query(Query::Children, stones(rest)?),
            "YXQUERYDATABASEALLT" => DatabaseCommand::Query(Query::ChildrenAndText, stones(rest)?),
            "YXQUERYDATABASEONE" => DatabaseCommand::Query(Query::One, stones(rest)?),
            "YXQUERYDATABASETEXT" => DatabaseCommand::Query(Query::Text, stones(rest)?),
            "YXEDITTVDDATABASE" => {
                let mut rest = rest;
                let mut next = || {
                    let (first, after) = first_word(rest.trim_start());
                    rest = after;
                    number_of(word, first)
                };
                let [mask, label, value, depth] = [next()?, next()?, next()?, next()?];
                let stones = stones(rest)?;
                DatabaseCommand::SetValue {
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
                DatabaseCommand::SetMark {
                    at: at.parse()?,
                    text: text.trim().to_owned(),
                    stones: stones(after)?,
                }
            }
            "YXEDITTEXTDATABASE" => {
                let (text, after) = quoted(rest)?;
                let stones = stones(after)?;
                DatabaseCommand::SetText { text, stones }
            }
            "YXSETBESTMOVEDATABASE" => DatabaseCommand::SetBest(true, stones(rest)?),
            "YXCLEARBESTMOVEDATABASE" => DatabaseCommand::SetBest(false, stones(rest)?),
            "YXDELETEDATABASEONE" => DatabaseCommand::Remove(stones(rest)?),
            "YXDELETEDATABASEALL" => {
                let (sweep, after) = Sweep::read(word, rest)?;
                DatabaseCommand::RemoveAll(sweep, stones(after)?)
            }
            _ => return Err(ParseError::Unknown(word.to_owned())),
        })
    }
}

/// The first word and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// A text in quotation marks, and what follows it. A backslash takes the next
/// character as it is.
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

impl fmt::Display for DatabaseCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, stones) = match self {
            DatabaseCommand::Open(path) => return write!(f, "YXSETDATABASE\n{path}"),
            DatabaseCommand::Save => return f.write_str("YXSAVEDATABASE"),
            DatabaseCommand::Check => return f.write_str("YXDBCHECK"),
            DatabaseCommand::Fix => return f.write_str("YXDBFIX"),
            DatabaseCommand::Transfer(transfer, path) => {
                let named = TRANSFERS.iter().find(|(_, known)| known == transfer);
                let word = named.map_or("", |(word, _)| word);
                return write!(f, "{word}\n{path}");
            }
            DatabaseCommand::Query(query, stones) => {
                let word = match query {
                    Query::Children => "ALL",
                    Query::ChildrenAndText => "ALLT",
                    Query::One => "ONE",
                    Query::Text => "TEXT",
                };
                (format!("YXQUERYDATABASE{word}"), stones)
            }
            DatabaseCommand::SetValue {
                mask,
                label,
                value,
                depth,
                stones,
            } => {
                let head = format!("YXEDITTVDDATABASE {mask} {label} {value} {depth}");
                (head, stones)
            }
            DatabaseCommand::SetMark { at, text, stones } => {
                (format!("YXEDITLABELDATABASE {at} {text}"), stones)
            }
            DatabaseCommand::SetText { text, stones } => {
                (format!("YXEDITTEXTDATABASE {}", Quoted(text)), stones)
            }
            DatabaseCommand::SetBest(true, stones) => ("YXSETBESTMOVEDATABASE".to_owned(), stones),
            DatabaseCommand::SetBest(false, stones) => {
                ("YXCLEARBESTMOVEDATABASE".to_owned(), stones)
            }
            DatabaseCommand::Remove(stones) => ("YXDELETEDATABASEONE".to_owned(), stones),
            DatabaseCommand::RemoveAll(sweep, stones) => {
                (format!("YXDELETEDATABASEALL {sweep}"), stones)
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
    use super::super::sweep::Filter;
    use super::*;

    fn at(x: i32, y: i32) -> Coordinates {
        Coordinates { x, y }
    }

    #[test]
    fn commands_read_as_guis_write_them() {
        let parse = |text: &str| text.parse::<DatabaseCommand>().unwrap();
        let stones = vec![at(7, 7), at(8, 8)];
        assert_eq!(
            parse("yxeditlabeldatabase\n3,4 A b\n7,7\n8,8\ndone"),
            DatabaseCommand::SetMark {
                at: at(3, 4),
                text: "A b".to_owned(),
                stones: stones.clone(),
            }
        );
        // Yixin-Board puts no line end behind the text.
        assert_eq!(
            parse("yxedittextdatabase\n\"say \\\"hi\\\" \\\\\"7,7\n8,8\ndone"),
            DatabaseCommand::SetText {
                text: "say \"hi\" \\".to_owned(),
                stones: stones.clone(),
            }
        );
        for numbers in ["\n1 119 0 0\n", " 1  119\t 0  0  "] {
            assert_eq!(
                parse(&format!("yxedittvddatabase{numbers}7,7\n8,8\ndone")),
                DatabaseCommand::SetValue {
                    mask: 1,
                    label: 119,
                    value: 0,
                    depth: 0,
                    stones: stones.clone(),
                }
            );
        }
        for text in ["nonwl\n7,7\n8,8\ndone", "NONWL 7,7 8,8 done"] {
            let sweep = Sweep {
                filter: Filter::NotWonOrLost,
                recursive: false,
            };
            assert_eq!(
                parse(&format!("yxdeletedatabaseall {text}")),
                DatabaseCommand::RemoveAll(sweep, stones.clone())
            );
        }
        assert_eq!(
            parse("yxlibtodb\n/a b/c.lib"),
            DatabaseCommand::Transfer(Transfer::FromLibrary, "/a b/c.lib".to_owned())
        );
    }

    #[test]
    fn bad_ones_are_refused() {
        for text in [
            "YXEDITTEXTDATABASE none DONE",
            "YXEDITTEXTDATABASE \"open 7,7 DONE",
            "YXEDITTVDDATABASE 1 2 DONE",
            "YXEDITTVDDATABASE DONE",
            "YXEDITLABELDATABASE here DONE",
            "YXDELETEDATABASEALL wrong 7,7 DONE",
            "YXQUERYDATABASEALL 7 DONE",
            "YXQUERYDATABASEALL 7,7",
        ] {
            assert!(text.parse::<DatabaseCommand>().is_err(), "{text}");
        }
    }
}
