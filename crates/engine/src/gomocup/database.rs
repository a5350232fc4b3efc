//! The commands of GUIs about the position database.

use super::coordinates::Coordinates;
use super::sweep::Sweep;
use super::table::{Argument, Arguments, CommandExtent, commands, print};
use super::text::ParseError;
use std::fmt;

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The entries after each move.
    Children,
    /// The entries after each move, and the comment on the position.
    ChildrenAndText,
    /// The entry of the position itself.
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

impl Query {
    const ALL: [Query; 4] = [
        Query::Children,
        Query::ChildrenAndText,
        Query::One,
        Query::Text,
    ];
}

impl Transfer {
    const ALL: [Transfer; 7] = [
        Transfer::FromLibrary,
        Transfer::ToLibrary,
        Transfer::FromText,
        Transfer::ToText,
        Transfer::AllToText,
        Transfer::FromDatabase,
        Transfer::BelowToDatabase,
    ];
}

/// The name of the command says which, in the order of the values.
macro_rules! chosen_by_name {
    ($($type:ident),+) => {
        $(impl Argument for $type {
            fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
                Ok($type::ALL[arguments.index])
            }

            fn index(&self) -> usize {
                *self as usize
            }
        })+
    };
}
chosen_by_name!(Query, Transfer);

/// A mark on a point; an empty one is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The point.
    pub at: Coordinates,
    /// The mark.
    pub text: String,
}

impl Argument for Mark {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let (line, after) = arguments
            .rest
            .split_once('\n')
            .unwrap_or((arguments.rest, ""));
        let (at, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        arguments.rest = after;
        Ok(Mark {
            at: at.parse()?,
            text: text.trim().to_owned(),
        })
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {} {}", self.at, self.text)
    }
}

/// A comment on a position, which is written in quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(pub String);

/// A backslash takes the next character as it is.
impl Argument for Comment {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let text = arguments.rest;
        let none = || ParseError::Quoted(text.chars().take(20).collect());
        let mut inner = text.strip_prefix('"').ok_or_else(none)?.char_indices();
        let mut found = String::new();
        while let Some((at, c)) = inner.next() {
            match c {
                '"' => {
                    arguments.rest = &text[at + 2..];
                    return Ok(Comment(found));
                }
                '\\' => found.extend(inner.next().map(|(_, c)| c)),
                _ => found.push(c),
            }
        }
        Err(none())
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            " \"{}\"",
            self.0.replace('\\', "\\\\").replace('"', "\\\"")
        )
    }
}

impl Argument for Sweep {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let (sweep, rest) = Sweep::read(&arguments.name, arguments.rest)?;
        arguments.rest = rest;
        Ok(sweep)
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {self}")
    }
}

commands! {
    /// A command about the position database. Stones come in the order of play,
    /// black's first.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DatabaseCommand {
        /// Use the database in this file.
        Path ["YXSETDATABASE"] Open(path: String);
        /// Write all changes to the disk.
        Line ["YXSAVEDATABASE"] Save;
        /// Count the broken entries.
        Line ["YXDBCHECK"] Check;
        /// Remove the broken entries.
        Line ["YXDBFIX"] Fix;
        /// Read from this file, or write to it.
        Path [
            "YXLIBTODB",
            "YXDBTOLIB",
            "YXTXTTODB",
            "YXDBTOTXT",
            "YXDBTOTXTALL",
            "YXDBMERGE",
            "YXDBSPLIT"
        ] Transfer(transfer: Transfer, path: String);
        /// Show what is known of a position.
        Block [
            "YXQUERYDATABASEALL",
            "YXQUERYDATABASEALLT",
            "YXQUERYDATABASEONE",
            "YXQUERYDATABASETEXT"
        ] Query(query: Query, stones: Vec<Coordinates>);
        /// Change label (1), value (2) or depth (4), as the mask says.
        Block ["YXEDITTVDDATABASE"] SetValue {
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
        };
        /// Change the mark on a point of the position.
        Block ["YXEDITLABELDATABASE"] SetMark(mark: Mark, stones: Vec<Coordinates>);
        /// Change the comment.
        Block ["YXEDITTEXTDATABASE"] SetText(comment: Comment, stones: Vec<Coordinates>);
        /// Mark the last stone as the best move, or remove that mark.
        Block ["YXCLEARBESTMOVEDATABASE", "YXSETBESTMOVEDATABASE"]
            SetBest(is_best: bool, stones: Vec<Coordinates>);
        /// Remove a position.
        Block ["YXDELETEDATABASEONE"] Remove(stones: Vec<Coordinates>);
        /// Remove positions that follow from a position.
        Block ["YXDELETEDATABASEALL"] RemoveAll(sweep: Sweep, stones: Vec<Coordinates>);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::sweep::Filter;
    use super::*;
    use crate::gomocup::Command;

    fn at(x: i32, y: i32) -> Coordinates {
        Coordinates { x, y }
    }

    #[test]
    fn commands_read_as_guis_write_them() {
        let parse = |text: &str| match text.parse() {
            Ok(Command::Database(command)) => command,
            other => panic!("{text}: {other:?}"),
        };
        let stones = vec![at(7, 7), at(8, 8)];
        assert_eq!(
            parse("yxeditlabeldatabase\n3,4 A b\n7,7\n8,8\ndone"),
            DatabaseCommand::SetMark(
                Mark {
                    at: at(3, 4),
                    text: "A b".to_owned(),
                },
                stones.clone()
            )
        );
        // Yixin-Board puts no line end behind the text.
        assert_eq!(
            parse("yxedittextdatabase\n\"say \\\"hi\\\" \\\\\"7,7\n8,8\ndone"),
            DatabaseCommand::SetText(Comment("say \"hi\" \\".to_owned()), stones.clone())
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
            assert!(text.parse::<Command>().is_err(), "{text}");
        }
    }
}
