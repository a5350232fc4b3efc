//! Warnings about a file that was read nevertheless, by kind and position, for front ends that
//! translate them.

use super::lines::TextPosition;
use quincunx_engine::game::GameResult;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::fmt;

/// The most warnings of a file, the first of all.
const MOST: usize = 20;

/// A warning about a file that was read nevertheless: something was skipped, added or assumed.
/// Quotations from the file are shortened to one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind of the warning.
    pub kind: WarningKind,
    /// Its place, where it has one.
    pub place: Option<TextPosition>,
}

/// A kind of warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// The game is one of several in the file.
    Game {
        /// Its number, from one.
        number: usize,
        /// The number of games or positions in the file.
        count: usize,
    },
    /// The position is one of several in the file.
    Position {
        /// Its number, from one.
        number: usize,
        /// The number of games or positions in the file.
        count: usize,
    },
    /// The usual end of such files is missing.
    Cut,
    /// The parenthesis that ends the only tree is missing.
    Parenthesis,
    /// A text that belongs to no game was skipped; this is its start.
    Skipped(String),
    /// Several lines are read as one position. Lines count from one.
    Joined {
        /// The first of them.
        from: usize,
        /// The last of them.
        to: usize,
    },
    /// All lines of a text are one game.
    OneGame,
    /// The file names no board: this one is taken.
    NoBoard(BoardSize),
    /// The file names no rule: this one is taken.
    NoRule(Rule),
    /// The rule is not known.
    UnknownRule {
        /// Its name in the file.
        name: String,
        /// The rule that is taken.
        rule: Rule,
    },
    /// The side to move is unknown. This colour is assumed.
    NoTurn(Color),
    /// This value of `GM` is of another game; the file is read as Gomoku or Renju all the same.
    OtherGame(String),
    /// A property of the game has a second value, which is ignored.
    SecondValue {
        /// The property.
        name: String,
        /// The second value.
        value: String,
    },
    /// An unknown property has points, which may be stones. None is played.
    UnknownPoints {
        /// The property.
        name: String,
        /// Its first value.
        value: String,
    },
    /// A word in place of a move is ignored.
    NoStone {
        /// The property.
        name: String,
        /// The word.
        value: String,
    },
    /// The players changed colours in the opening, which the moves do not show.
    Swap,
    /// The result is not understood.
    UnknownResult(String),
    /// The result in the file differs from the one on the board.
    OtherResult {
        /// The result in the file.
        named: GameResult,
        /// The result on the board, which is taken.
        decided: GameResult,
    },
    /// White moves first, although no property says so.
    WhiteFirst,
    /// A colour moves twice: the other passes.
    OutOfTurn {
        /// The number of further moves out of turn.
        more: usize,
    },
    /// A variation has no moves.
    NoMoves {
        /// The move that it follows; nothing at the start.
        after: Option<Point>,
        /// True for the main line, which the next variation replaces.
        is_main_line: bool,
    },
    /// The number of moves after the end of a game that were left out.
    LeftOut(usize),
    /// The encoding that the file names is not known.
    UnknownEncoding(String),
    /// The file names this encoding, but is UTF-8.
    OtherEncoding(String),
    /// The file is read as Latin-1, for this reason.
    Latin1(&'static str),
    /// Some characters are invalid in this encoding.
    Damaged(String),
    /// The number of warnings that are not listed.
    More(usize),
}

impl From<WarningKind> for Warning {
    fn from(kind: WarningKind) -> Warning {
        Warning { kind, place: None }
    }
}

impl From<Warning> for String {
    fn from(warning: Warning) -> String {
        warning.to_string()
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "{place}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarningKind::Game { number, count } => write!(f, "game {number} of {count}"),
            WarningKind::Position { number, count } => write!(f, "position {number} of {count}"),
            WarningKind::Cut => f.write_str("the file may be cut short: its usual end is missing"),
            WarningKind::Parenthesis => f.write_str("the last parenthesis is missing"),
            WarningKind::Skipped(start) => write!(f, "skipped '{start}'"),
            WarningKind::Joined { from, to } => {
                write!(f, "lines {from} to {to} are read as one position")
            }
            WarningKind::OneGame => f.write_str("all lines are read as the moves of one game"),
            WarningKind::NoBoard(size) => write!(f, "the file names no board: {size} is taken"),
            WarningKind::NoRule(rule) => write!(f, "the file names no rule: {rule} is taken"),
            WarningKind::UnknownRule { name, rule } => {
                write!(f, "the rule '{name}' is not known: {rule} is taken")
            }
            WarningKind::NoTurn(color) => {
                write!(f, "the file does not say who is to move: {color} is taken")
            }
            WarningKind::OtherGame(value) => {
                write!(f, "GM[{value}] is another game: read as Gomoku or Renju")
            }
            WarningKind::SecondValue { name, value } => {
                let what = match name.as_str() {
                    "RU" => "rule",
                    "RE" => "result",
                    _ => "player",
                };
                write!(
                    f,
                    "{name}[{value}] is another {what}: the first one is taken"
                )
            }
            WarningKind::UnknownPoints { name, value } => {
                write!(f, "{name}[{value}] is not known: no stone is played for it")
            }
            WarningKind::NoStone { name, value } => {
                write!(f, "{name}[{value}] is no stone: no move is made for it")
            }
            WarningKind::Swap => f.write_str(
                "the players swapped colours in the opening: the stones are black and white in turn",
            ),
            WarningKind::UnknownResult(value) => {
                write!(f, "the result '{value}' is not understood")
            }
            WarningKind::OtherResult { named, decided } => {
                write!(f, "the file says: {named}; the stones decide: {decided}")
            }
            WarningKind::WhiteFirst => f.write_str("white moves first"),
            WarningKind::OutOfTurn { more } => {
                f.write_str("a colour moves out of turn: the other passes")?;
                match more {
                    0 => Ok(()),
                    _ => write!(f, ", and {more} times more"),
                }
            }
            WarningKind::NoMoves {
                after,
                is_main_line,
            } => {
                match after {
                    Some(point) => write!(f, "after {point}: ")?,
                    None => f.write_str("after the start: ")?,
                }
                f.write_str(match is_main_line {
                    true => "the main line ends here: the variation that follows is taken for it",
                    false => "a variation has no moves",
                })
            }
            WarningKind::LeftOut(count) => {
                write!(f, "left out {count} moves after the end of a game")
            }
            WarningKind::UnknownEncoding(name) => write!(f, "CA[{name}] is no known encoding"),
            WarningKind::OtherEncoding(encoding) => {
                write!(f, "CA says {encoding}, but this is UTF-8")
            }
            WarningKind::Latin1(why) => write!(f, "{why}: read as Latin-1"),
            WarningKind::Damaged(encoding) => write!(f, "some characters are not {encoding}"),
            WarningKind::More(count) => write!(f, "and {count} remarks more"),
        }
    }
}

/// The first warnings, and the number of those left out.
pub fn first_warnings<R: From<Warning>>(mut warnings: Vec<R>) -> Vec<R> {
    let more = warnings.len().saturating_sub(MOST);
    if more > 0 {
        warnings.truncate(MOST);
        warnings.push(Warning::from(WarningKind::More(more)).into());
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::game::Termination;

    /// Scripts may rely on these sentences: a change of one is a change of the interface.
    const SAID: &str = "\
game 1 of 2
position 2 of 3
the file may be cut short: its usual end is missing
the last parenthesis is missing
skipped 'x'
lines 1 to 2 are read as one position
all lines are read as the moves of one game
the file names no board: 15 is taken
the file names no rule: renju is taken
the rule 'x' is not known: freestyle is taken
the file does not say who is to move: white is taken
GM[x] is another game: read as Gomoku or Renju
RU[x] is another rule: the first one is taken
RE[x] is another result: the first one is taken
PW[x] is another player: the first one is taken
X[hh,ii] is not known: no stone is played for it
W[swap] is no stone: no move is made for it
the players swapped colours in the opening: the stones are black and white in turn
the result 'x' is not understood
the file says: white wins (resignation); the stones decide: black wins (five in a row)
white moves first
a colour moves out of turn: the other passes
a colour moves out of turn: the other passes, and 2 times more
after the start: a variation has no moves
after h8: the main line ends here: the variation that follows is taken for it
left out 1 moves after the end of a game
CA[x] is no known encoding
CA says x, but this is UTF-8
it is not UTF-8 either: read as Latin-1
some characters are not x
and 30 remarks more";

    fn no_moves(after: Option<&str>, is_main_line: bool) -> WarningKind {
        WarningKind::NoMoves {
            after: after.and_then(|point| point.parse().ok()),
            is_main_line,
        }
    }

    #[test]
    fn warnings_have_a_cause_and_a_position() {
        let x = || "x".to_owned();
        let second = |name: &str| WarningKind::SecondValue {
            name: name.to_owned(),
            value: x(),
        };
        let kinds = [
            WarningKind::Game {
                number: 1,
                count: 2,
            },
            WarningKind::Position {
                number: 2,
                count: 3,
            },
            WarningKind::Cut,
            WarningKind::Parenthesis,
            WarningKind::Skipped(x()),
            WarningKind::Joined { from: 1, to: 2 },
            WarningKind::OneGame,
            WarningKind::NoBoard(BoardSize::default()),
            WarningKind::NoRule(Rule::Renju),
            WarningKind::UnknownRule {
                name: x(),
                rule: Rule::Freestyle,
            },
            WarningKind::NoTurn(Color::White),
            WarningKind::OtherGame(x()),
            second("RU"),
            second("RE"),
            second("PW"),
            WarningKind::UnknownPoints {
                name: "X".to_owned(),
                value: "hh,ii".to_owned(),
            },
            WarningKind::NoStone {
                name: "W".to_owned(),
                value: "swap".to_owned(),
            },
            WarningKind::Swap,
            WarningKind::UnknownResult(x()),
            WarningKind::OtherResult {
                named: GameResult::win(Color::White, Termination::Resignation),
                decided: GameResult::win(Color::Black, Termination::Five),
            },
            WarningKind::WhiteFirst,
            WarningKind::OutOfTurn { more: 0 },
            WarningKind::OutOfTurn { more: 2 },
            no_moves(None, false),
            no_moves(Some("h8"), true),
            WarningKind::LeftOut(1),
            WarningKind::UnknownEncoding(x()),
            WarningKind::OtherEncoding(x()),
            WarningKind::Latin1("it is not UTF-8 either"),
            WarningKind::Damaged(x()),
            WarningKind::More(30),
        ];
        assert_eq!(
            kinds.each_ref().map(WarningKind::to_string).join("\n"),
            SAID
        );
        let warning = Warning {
            kind: WarningKind::Cut,
            place: Some(TextPosition { line: 2, column: 6 }),
        };
        let said = "line 2, column 6: the file may be cut short: its usual end is missing";
        assert_eq!(warning.to_string(), said);
    }
}
