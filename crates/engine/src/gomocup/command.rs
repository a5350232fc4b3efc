//! Commands of a manager.

use super::coordinates::Coordinates;
use super::database::DatabaseCommand;
use super::info::Info;
use super::table::{Argument, Arguments, CommandExtent, Names, commands, extent_among, print};
use super::text::{ParseError, number};
use std::fmt;
use std::str::FromStr;

/// The owner of a stone in BOARD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoneOwner {
    /// The engine.
    Own = 1,
    /// Its opponent.
    Opponent = 2,
    /// Neither: the stone only fills its point.
    Neither = 3,
}

/// One stone of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The coordinates of the stone.
    pub at: Coordinates,
    /// The owner of the stone.
    pub owner: StoneOwner,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.at, self.owner as u8)
    }
}

impl FromStr for Placement {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (at, owner) = text.rsplit_once(',')?;
            let owner = match owner {
                "1" => StoneOwner::Own,
                "2" => StoneOwner::Opponent,
                "3" => StoneOwner::Neither,
                _ => return None,
            };
            let at = at.parse().ok()?;
            Some(Placement { at, owner })
        };
        parse().ok_or_else(|| ParseError::Placement(text.to_owned()))
    }
}

/// The sides of the board that START and RECTSTART ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The number of columns.
    pub width: i64,
    /// The number of rows.
    pub height: i64,
}

/// START for a square board, RECTSTART for others.
impl Argument for Sides {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let text = arguments.rest;
        let bad = || ParseError::Size(text.to_owned());
        // Numbers with a comma or blanks between.
        let sides = text.split(|c: char| c == ',' || c.is_whitespace());
        let sides = sides.filter(|side| !side.is_empty());
        let sides: Result<Vec<i64>, ParseError> =
            sides.map(|side| number(side).ok_or_else(bad)).collect();
        match (&sides?[..], arguments.index) {
            (&[side], 0) => Ok(Sides {
                width: side,
                height: side,
            }),
            (&[width, height], index) if index == 1 || width == height => {
                Ok(Sides { width, height })
            }
            _ => Err(bad()),
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index() {
            0 => write!(f, " {}", self.width),
            _ => write!(f, " {},{}", self.width, self.height),
        }
    }

    fn index(&self) -> usize {
        usize::from(self.width != self.height)
    }
}

/// The stones of an opening in the order they were played, black's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningStones(pub Vec<Coordinates>);

/// The colours alternate, so none is needed, but some managers add one.
impl Argument for OpeningStones {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        let uncoloured = |token: &str| {
            let at = match token.rsplit_once(',') {
                Some((at, "0" | "1" | "2" | "3")) if at.contains(',') => at,
                _ => token,
            };
            (at.parse()).map_err(|_| ParseError::Coordinates(token.to_owned()))
        };
        arguments.block(uncoloured).map(OpeningStones)
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.print(f)
    }
}

impl Argument for Info {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, ParseError> {
        arguments.rest.parse()
    }

    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {self}")
    }
}

commands! {
    /// A command of the Gomocup protocol or of Yixin's extension to it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Command {
        /// A new game on a board of this size.
        Line ["START", "RECTSTART"] Start(sides: Sides);
        /// A new game on the same board.
        Line ["RESTART"] Restart;
        /// Make the first move.
        Line ["BEGIN"] Begin;
        /// The opponent's move, to be answered.
        Line ["TURN"] Turn(at: Coordinates);
        /// The move that the engine has to make.
        Line ["PLAY"] Play(at: Coordinates);
        /// Remove a stone.
        Line ["TAKEBACK"] TakeBack(at: Coordinates);
        /// A whole position, to be answered with a move.
        Block ["BOARD"] Board(stones: Vec<Placement>);
        /// A whole position, without an answer.
        Block ["YXBOARD"] SetBoard(stones: Vec<Placement>);
        /// A setting.
        Line ["INFO"] Info(info: Info);
        /// Name the engine.
        Line ["ABOUT"] About;
        /// Leave.
        Line ["END"] End;
        /// Give the best move now.
        Line ["YXSTOP", "STOP"] Stop;
        /// List the forbidden points.
        Line ["YXSHOWFORBID"] ShowForbidden;
        /// List the engine's limits. Only GUIs ask for them.
        Line ["YXSHOWINFO"] ShowInfo;
        /// Empty the hash table.
        Line ["YXHASHCLEAR"] ClearHash;
        /// Say how full the hash table is.
        Line ["YXSHOWHASHUSAGE"] ShowHashUsage;
        /// Write the hash table to this file.
        Path ["YXHASHDUMP"] SaveHash(path: String);
        /// Read the hash table from this file.
        Path ["YXHASHLOAD"] LoadHash(path: String);
        /// The next step of the swap2 opening after these stones.
        Block ["SWAP2BOARD"] Swap2(stones: OpeningStones);
        /// A step of the swap2 opening on the board as it is.
        Line ["YXSWAP2STEP1", "YXSWAP2STEP2", "YXSWAP2STEP3"] Swap2Step(step: u8);
        /// This many of the best moves, each with its line; one if there is no number.
        Line ["YXNBEST"] Lines(count: Option<i64>);
        /// List the moves that lose.
        Line ["YXSEARCHDEFEND"] Defences;
        /// Stones after which the value is near the bias.
        Line ["YXBALANCEONE", "YXBALANCETWO"] Balance {
            /// True if two stones are asked for.
            pair: bool,
            /// The value wanted for the side to move; 0 if there is none.
            bias: Option<i64>,
        };
        /// Points that the engine is not to play.
        Block ["YXBLOCK"] Block(points: Vec<Coordinates>);
        /// Points that the engine may play again.
        Block ["YXBLOCKUNDO"] Unblock(points: Vec<Coordinates>);
        /// The engine may play everywhere again.
        Line ["YXBLOCKRESET"] UnblockAll;
    }
    /// A command about the position database.
    Database(DatabaseCommand);
    /// The whole text of a command of other engines and GUIs, which this engine
    /// reads to its end and ignores.
    Foreign(String);
}

/// The commands of other engines and GUIs.
const FOREIGN: &[Names] = &[
    (
        &[
            "RELOADCONFIG",
            "YXBLOCKPATHRESET",
            "YXFORBID",
            "YXDRAW",
            "YXRESIGN",
            "YXPRINTFEATURE",
            "YXSOOSORVSTEP1",
        ],
        CommandExtent::Line,
    ),
    (
        &[
            "YXBLOCKPATH",
            "YXBLOCKPATHUNDO",
            "YXSOOSORVSTEP2",
            "YXSOOSORVSTEP3",
            "YXSOOSORVSTEP4",
            "YXSOOSORVSTEP5",
            "YXSOOSORVSTEP6",
        ],
        CommandExtent::Block,
    ),
    (&["YXDBTOPOS"], CommandExtent::Path),
];

/// Returns whether this word begins a command of other engines and GUIs.
pub(super) fn is_foreign(word: &str) -> bool {
    extent_among(FOREIGN, word).is_some()
}

impl CommandExtent {
    /// The extent of the command with this first word; `None` if there is no such
    /// command.
    pub fn of(word: &str) -> Option<CommandExtent> {
        let tables = [Command::NAMES, DatabaseCommand::NAMES, FOREIGN];
        tables.iter().find_map(|names| extent_among(names, word))
    }
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut arguments = Arguments::new(word, rest);
        if let Some(command) = Command::read(&mut arguments)? {
            return Ok(command);
        }
        if let Some(command) = DatabaseCommand::read(&mut arguments)? {
            return Ok(Command::Database(command));
        }
        match word {
            _ if is_foreign(word) => Ok(Command::Foreign(text.to_owned())),
            _ if word.eq_ignore_ascii_case("DONE") => Err(ParseError::Done),
            _ => Err(ParseError::Unknown(word.to_owned())),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gomocup::{Comment, InfoKey, Query, Transfer};
    use proptest::prelude::*;

    fn coordinates() -> impl Strategy<Value = Coordinates> {
        (-2..30i32, any::<i32>()).prop_map(|(x, y)| Coordinates { x, y })
    }

    fn stones() -> impl Strategy<Value = Vec<Placement>> {
        let owner = prop_oneof![
            Just(StoneOwner::Own),
            Just(StoneOwner::Opponent),
            Just(StoneOwner::Neither)
        ];
        let stone = (coordinates(), owner).prop_map(|(at, owner)| Placement { at, owner });
        proptest::collection::vec(stone, 0..9)
    }

    fn points() -> impl Strategy<Value = Vec<Coordinates>> {
        proptest::collection::vec(coordinates(), 0..6)
    }

    fn commands() -> impl Strategy<Value = Command> {
        let keys = prop_oneof![
            Just(InfoKey::TimeoutTurn),
            Just(InfoKey::Rule),
            Just(InfoKey::MaxNode)
        ];
        prop_oneof![
            (any::<i64>(), any::<i64>())
                .prop_map(|(width, height)| Command::Start(Sides { width, height })),
            Just(Command::Restart),
            Just(Command::Begin),
            coordinates().prop_map(Command::Turn),
            coordinates().prop_map(Command::Play),
            coordinates().prop_map(Command::TakeBack),
            stones().prop_map(Command::Board),
            stones().prop_map(Command::SetBoard),
            (keys, any::<i64>()).prop_map(|(key, value)| Command::Info(Info::Number(key, value))),
            ("[a-z_]{1,9}x", "[!-@]{0,9}").prop_map(|(k, v)| Command::Info(Info::Other(k, v))),
            Just(Command::About),
            Just(Command::End),
            Just(Command::Stop),
            Just(Command::ShowForbidden),
            Just(Command::ShowInfo),
            Just(Command::ClearHash),
            Just(Command::ShowHashUsage),
            points().prop_map(|stones| Command::Swap2(OpeningStones(stones))),
            (1..=3u8).prop_map(Command::Swap2Step),
            any::<Option<i64>>().prop_map(Command::Lines),
            Just(Command::Defences),
            (any::<bool>(), any::<Option<i64>>())
                .prop_map(|(pair, bias)| Command::Balance { pair, bias }),
            points().prop_map(Command::Block),
            points().prop_map(Command::Unblock),
            Just(Command::UnblockAll),
            points()
                .prop_map(|stones| Command::Database(DatabaseCommand::Query(Query::One, stones))),
            ("[A-Za-z\"\\\\]([ -~]{0,9}[!-~])?", points()).prop_map(|(text, stones)| {
                Command::Database(DatabaseCommand::SetText(Comment(text), stones))
            }),
            Just(Command::Database(DatabaseCommand::Fix)),
            Just(Command::Database(DatabaseCommand::Transfer(
                Transfer::BelowToDatabase,
                "a path".to_owned()
            ))),
            Just(Command::Foreign("YXBLOCKPATH\n1,2\nDONE".to_owned())),
            Just(Command::Foreign("yxdbtopos\na path".to_owned())),
            "[a-z./\\\\]([ -@a-z]{0,9}[!-@])?".prop_map(Command::SaveHash),
            "[a-z./\\\\]([ -@a-z]{0,9}[!-@])?".prop_map(Command::LoadHash),
        ]
    }

    proptest! {
        #[test]
        fn commands_round_trip(command in commands()) {
            let text = command.to_string();
            prop_assert_eq!(text.parse::<Command>().unwrap(), command.clone());
            let other_case = text.to_ascii_lowercase();
            if !matches!(command, Command::Foreign(_) | Command::Database(_)) {
                prop_assert_eq!(other_case.parse::<Command>().unwrap(), command);
            }
        }

        #[test]
        fn any_text_parses_or_is_refused(text in "\\PC*") {
            let _ = text.parse::<Command>();
        }
    }

    #[test]
    fn sizes_come_in_several_ways() {
        let start = |width, height| Ok(Command::Start(Sides { width, height }));
        assert_eq!("START 15".parse(), start(15, 15));
        assert_eq!("start 20 20".parse(), start(20, 20));
        assert_eq!("RECTSTART 20,15".parse(), start(20, 15));
        assert_eq!("RECTSTART 20, 15".parse(), start(20, 15));
        for text in [
            "START",
            "START x",
            "START 1 2 3",
            "START 15 20",
            "RECTSTART 15",
            "RECTSTART 15,20,15",
            "RECTSTART 20;15",
            "START 1.5",
        ] {
            assert!(
                matches!(text.parse::<Command>(), Err(ParseError::Size(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn swap2_stones_may_have_a_colour() {
        let at = |x, y| Coordinates { x, y };
        let stones = vec![at(7, 7), at(8, 8), at(6, 9)];
        for text in [
            "SWAP2BOARD 7,7 8,8 6,9 DONE",
            "swap2board 7,7,1 8,8,2 6,9,1 done",
        ] {
            assert_eq!(
                text.parse(),
                Ok(Command::Swap2(OpeningStones(stones.clone()))),
                "{text}"
            );
        }
        for text in [
            "SWAP2BOARD 7 DONE",
            "SWAP2BOARD 7,7,9 DONE",
            "SWAP2BOARD 1,1,1,1 DONE",
        ] {
            let parsed = text.parse::<Command>();
            assert!(matches!(parsed, Err(ParseError::Coordinates(_))), "{text}");
        }
    }

    #[test]
    fn refusals_have_a_reason() {
        let refusal = |text: &str| text.parse::<Command>().unwrap_err().to_string();
        assert_eq!(refusal("FOO 1"), "command 'FOO'");
        assert_eq!(
            refusal("TURN 7"),
            "'7' is no point: expected x,y such as 7,7"
        );
        assert_eq!(refusal("BOARD 7,7,1"), "BOARD without DONE");
        assert!(refusal("BOARD 7,7,4 DONE").starts_with("'7,7,4' is no stone"));
        assert_eq!(refusal("INFO rule x"), "INFO rule needs a number, not 'x'");
    }
}
