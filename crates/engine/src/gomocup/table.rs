//! The table of commands: a macro that makes of one entry a command's variant, its names, its
//! extent, and how its arguments are read and printed.

use super::coordinates::Coordinates;
use super::text::{ParseError, number_of};
use std::fmt;
use std::str::FromStr;

/// The extent of a command in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandExtent {
    /// The command is one line.
    Line,
    /// The command goes on until the word DONE.
    Block,
    /// The command is two lines; the second is a path.
    Path,
}

/// The names of a command, the first of which is printed if no argument chooses another, and
/// its extent.
pub(super) type Names = (&'static [&'static str], CommandExtent);

/// The text behind the name of a command.
pub(super) struct Arguments<'t> {
    /// The name, in capitals.
    pub(super) name: String,
    /// The place of the name among those of its command.
    pub(super) index: usize,
    /// The text that is not read yet.
    pub(super) rest: &'t str,
}

/// An argument of a command.
pub(super) trait Argument {
    /// Reads the argument.
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError>
    where
        Self: Sized;

    /// Prints the argument, with what separates it from the text before it.
    fn print(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    /// The place of the name that the argument stands for, where it has no text of its own.
    fn index(&self) -> usize {
        0
    }
}

/// Declares an enum of commands. An entry is `extent [names] variant`, with the names and the
/// types of its arguments.
macro_rules! commands {
    (
        $(#[$meta:meta])*
        pub enum $Commands:ident {
            $(
                $(#[$doc:meta])*
                $extent:ident [$($name:literal),+] $variant:ident
                $(($($argument:ident: $type:ty),+))?
                $({$($(#[$field_doc:meta])* $field:ident: $field_type:ty),+ $(,)?})?;
            )*
        }
        $(
            $(#[$other_doc:meta])*
            $other:ident($other_type:ty);
        )*
    ) => {
        $(#[$meta])*
        pub enum $Commands {
            $(
                $(#[$doc])*
                $variant $(($($type),+))? $({$($(#[$field_doc])* $field: $field_type),+})?,
            )*
            $($(#[$other_doc])* $other($other_type),)*
        }

        impl $Commands {
            /// The names and the extent of every command.
            pub(super) const NAMES: &'static [$crate::gomocup::table::Names] =
                &[$((&[$($name),+], CommandExtent::$extent)),*];

            /// Reads a command. `None` if no command has this name.
            pub(super) fn read(arguments: &mut Arguments<'_>) -> Result<Option<Self>, ParseError> {
                Ok(Some(match arguments.name.as_str() {
                    $($($name)|+ => {
                        let mut names = [$($name),+].iter();
                        let index = names.position(|name| *name == arguments.name);
                        arguments.index = index.unwrap_or_default();
                        $Commands::$variant
                            $(($(<$type as Argument>::read(arguments)?),+))?
                            $({$($field: <$field_type as Argument>::read(arguments)?),+})?
                    })*
                    _ => return Ok(None),
                }))
            }
        }

        impl fmt::Display for $Commands {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($Commands::$variant $(($($argument),+))? $({$($field),+})? => print(
                        f,
                        &[$($name),+],
                        &[$($($argument),+)? $($($field),+)?],
                    ),)*
                    $($Commands::$other(command) => command.fmt(f),)*
                }
            }
        }
    };
}
pub(super) use commands;

/// Prints a command that has these names.
pub(super) fn print(
    f: &mut fmt::Formatter<'_>,
    names: &[&str],
    arguments: &[&dyn Argument],
) -> fmt::Result {
    let index = arguments
        .iter()
        .map(|argument| argument.index())
        .sum::<usize>();
    f.write_str(names.get(index).copied().unwrap_or_default())?;
    arguments.iter().try_for_each(|argument| argument.print(f))
}

/// Returns whether one of the commands has this name, in any case.
pub(super) fn extent_among(names: &[Names], word: &str) -> Option<CommandExtent> {
    let has = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(word));
    let found = names.iter().find(|(names, _)| has(names));
    found.map(|(_, extent)| *extent)
}

impl<'t> Arguments<'t> {
    /// The text behind a name.
    pub(super) fn new(name: &str, rest: &'t str) -> Arguments<'t> {
        Arguments {
            name: name.to_ascii_uppercase(),
            index: 0,
            rest: rest.trim(),
        }
    }

    /// Takes the next word.
    pub(super) fn word(&mut self) -> &'t str {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        word
    }

    /// Takes the items before the word DONE.
    pub(super) fn block<T>(
        &mut self,
        read: impl Fn(&str) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        loop {
            match self.word() {
                "" => return Err(ParseError::Unfinished(self.name.clone())),
                word if word.eq_ignore_ascii_case("DONE") => return Ok(items),
                word => items.push(read(word)?),
            }
        }
    }
}

/// Coordinates as the only argument.
impl Argument for Coordinates {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        arguments.rest.parse()
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {self}")
    }
}

/// A number and more behind it.
impl Argument for i64 {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let word = arguments.word();
        number_of(&arguments.name, word)
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {self}")
    }
}

/// A number as the only argument, which may be left out.
impl Argument for Option<i64> {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        match arguments.rest {
            "" => Ok(None),
            text => number_of(&arguments.name, text).map(Some),
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.map_or(Ok(()), |number| write!(f, " {number}"))
    }
}

/// A path on the line after the name.
impl Argument for String {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        Ok(arguments.rest.to_owned())
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// The second of two names.
impl Argument for bool {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        Ok(arguments.index == 1)
    }

    fn index(&self) -> usize {
        usize::from(*self)
    }
}

/// The number of the name, from one.
impl Argument for u8 {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        Ok(arguments.index as u8 + 1)
    }

    fn index(&self) -> usize {
        usize::from(*self).wrapping_sub(1)
    }
}

/// Items up to the word DONE.
impl<T: FromStr<Err = ParseError> + fmt::Display> Argument for Vec<T> {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        arguments.block(str::parse)
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|item| write!(f, "\n{item}"))?;
        f.write_str("\nDONE")
    }
}
