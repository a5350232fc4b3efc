//! Commands of a manager.

use super::coordinates::Coordinates;
use super::database::DatabaseCommand;
use super::info::Info;
use super::text::{ParseError, block, number, number_of};
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

/// A command of the Gomocup protocol or of Yixin's extension to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// START or RECTSTART: a new game on a board of this size.
    Start {
        /// The number of columns.
        width: i64,
        /// The number of rows.
        height: i64,
    },
    /// RESTART: a new game on the same board.
    Restart,
    /// BEGIN: make the first move.
    Begin,
    /// TURN: the opponent's move, to be answered.
    Turn(Coordinates),
    /// PLAY: the move that the engine has to make.
    Play(Coordinates),
    /// TAKEBACK: remove a stone.
    TakeBack(Coordinates),
    /// BOARD: a whole position, to be answered with a move.
    Board(Vec<Placement>),
    /// YXBOARD: a whole position, without an answer.
    SetBoard(Vec<Placement>),
    /// INFO: a setting.
    Info(Info),
    /// ABOUT: tell who the engine is.
    About,
    /// END: leave.
    End,
    /// STOP or YXSTOP: give the best move now.
    Stop,
    /// YXSHOWFORBID: tell the forbidden points.
    ShowForbidden,
    /// YXSHOWINFO: tell the engine's limits. Only GUIs ask for them.
    ShowInfo,
    /// YXHASHCLEAR: empty the hash table.
    ClearHash,
    /// YXSHOWHASHUSAGE: tell how full the hash table is.
    ShowHashUsage,
    /// YXHASHDUMP: write the hash table to this file.
    SaveHash(String),
    /// YXHASHLOAD: read the hash table from this file.
    LoadHash(String),
    /// SWAP2BOARD: the next step of the swap2 opening after these stones, black's
    /// first.
    Swap2(Vec<Coordinates>),
    /// YXSWAP2STEP1 to 3: a step of the swap2 opening on the board as it is.
    Swap2Step(u8),
    /// YXNBEST: this many of the best moves, each with its line.
    Lines(i64),
    /// YXSEARCHDEFEND: tell which moves lose.
    Defences,
    /// YXBALANCEONE and YXBALANCETWO: stones after which the value is near the
    /// bias.
    Balance {
        /// Whether two stones are asked for.
        pair: bool,
        /// The value wanted for the side to move.
        bias: i64,
    },
    /// YXBLOCK: points that the engine is not to play.
    Block(Vec<Coordinates>),
    /// YXBLOCKUNDO: points that the engine may play again.
    Unblock(Vec<Coordinates>),
    /// YXBLOCKRESET: the engine may play everywhere again.
    UnblockAll,
    /// A command about the position database.
    Database(DatabaseCommand),
    /// The whole text of a command of other engines and GUIs, which this engine
    /// reads to its end and ignores.
    Foreign(String),
}

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

/// Foreign commands of one line.
const FOREIGN_LINES: &[&str] = &[
    "RELOADCONFIG",
    "YXBLOCKPATHRESET",
    "YXFORBID",
    "YXDRAW",
    "YXRESIGN",
    "YXPRINTFEATURE",
    "YXSOOSORVSTEP1",
];

/// Foreign commands that go on until DONE.
pub(super) const FOREIGN_BLOCKS: &[&str] = &[
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
    "YXSOOSORVSTEP2",
    "YXSOOSORVSTEP3",
    "YXSOOSORVSTEP4",
    "YXSOOSORVSTEP5",
    "YXSOOSORVSTEP6",
];

/// Foreign commands whose next line is a path.
const FOREIGN_PATHS: &[&str] = &["YXDBTOPOS"];

/// The commands of one line that the engine obeys.
const OWN_LINES: &[&str] = &[
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "PLAY",
    "TAKEBACK",
    "INFO",
    "ABOUT",
    "END",
    "STOP",
    "YXSTOP",
    "YXSHOWFORBID",
    "YXSHOWINFO",
    "YXHASHCLEAR",
    "YXSHOWHASHUSAGE",
    "YXSWAP2STEP1",
    "YXSWAP2STEP2",
    "YXSWAP2STEP3",
    "YXNBEST",
    "YXSEARCHDEFEND",
    "YXBALANCEONE",
    "YXBALANCETWO",
    "YXBLOCKRESET",
];

/// The commands that the engine obeys and whose next line is a path.
const OWN_PATHS: &[&str] = &["YXHASHDUMP", "YXHASHLOAD"];

/// The commands that the engine obeys and that go on until DONE.
const OWN_BLOCKS: &[&str] = &["BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO"];

impl CommandExtent {
    /// The extent of the command with this first word; `None` if there is no such
    /// command.
    pub fn of(word: &str) -> Option<CommandExtent> {
        let among = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(word));
        if among(OWN_LINES) || among(DatabaseCommand::LINES) || among(FOREIGN_LINES) {
            Some(CommandExtent::Line)
        } else if among(OWN_BLOCKS) || among(DatabaseCommand::BLOCKS) || among(FOREIGN_BLOCKS) {
            Some(CommandExtent::Block)
        } else if among(OWN_PATHS) || among(DatabaseCommand::PATHS) || among(FOREIGN_PATHS) {
            Some(CommandExtent::Path)
        } else {
            None
        }
    }
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        Ok(match word.to_ascii_uppercase().as_str() {
            "START" => match sides(rest)?[..] {
                [side] => start(side, side),
                [width, height] if width == height => start(width, height),
                _ => return Err(ParseError::Size(rest.to_owned())),
            },
            "RECTSTART" => match sides(rest)?[..] {
                [width, height] => start(width, height),
                _ => return Err(ParseError::Size(rest.to_owned())),
            },
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(rest.parse()?),
            "PLAY" => Command::Play(rest.parse()?),
            "TAKEBACK" => Command::TakeBack(rest.parse()?),
            "BOARD" => Command::Board(block(word, rest, str::parse)?),
            "YXBOARD" => Command::SetBoard(block(word, rest, str::parse)?),
            "INFO" => Command::Info(rest.parse()?),
            "ABOUT" => Command::About,
            "END" => Command::End,
            "STOP" | "YXSTOP" => Command::Stop,
            "YXSHOWFORBID" => Command::ShowForbidden,
            "YXSHOWINFO" => Command::ShowInfo,
            "YXHASHCLEAR" => Command::ClearHash,
            "YXSHOWHASHUSAGE" => Command::ShowHashUsage,
            "YXHASHDUMP" => Command::SaveHash(rest.to_owned()),
            "YXHASHLOAD" => Command::LoadHash(rest.to_owned()),
            "SWAP2BOARD" => Command::Swap2(block(word, rest, uncoloured)?),
            "YXSWAP2STEP1" => Command::Swap2Step(1),
            "YXSWAP2STEP2" => Command::Swap2Step(2),
            "YXSWAP2STEP3" => Command::Swap2Step(3),
            "YXNBEST" => Command::Lines(argument(word, rest, 1)?),
            "YXSEARCHDEFEND" => Command::Defences,
            "YXBALANCEONE" => balance(word, rest, false)?,
            "YXBALANCETWO" => balance(word, rest, true)?,
            "YXBLOCK" => Command::Block(block(word, rest, str::parse)?),
            "YXBLOCKUNDO" => Command::Unblock(block(word, rest, str::parse)?),
            "YXBLOCKRESET" => Command::UnblockAll,
            "DONE" => return Err(ParseError::Done),
            word if DatabaseCommand::has(word) => Command::Database(text.parse()?),
            _ if CommandExtent::of(word).is_some() => Command::Foreign(text.to_owned()),
            _ => return Err(ParseError::Unknown(word.to_owned())),
        })
    }
}

/// Numbers with a comma or blanks between.
fn sides(text: &str) -> Result<Vec<i64>, ParseError> {
    text.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|side| !side.is_empty())
        .map(|side| number(side).ok_or_else(|| ParseError::Size(text.to_owned())))
        .collect()
}

fn start(width: i64, height: i64) -> Command {
    Command::Start { width, height }
}

/// A stone of SWAP2BOARD. The colours alternate, so none is needed, but some
/// managers add one.
fn uncoloured(token: &str) -> Result<Coordinates, ParseError> {
    let at = match token.rsplit_once(',') {
        Some((at, "0" | "1" | "2" | "3")) if at.contains(',') => at,
        _ => token,
    };
    (at.parse()).map_err(|_| ParseError::Coordinates(token.to_owned()))
}

/// A number that may be left out.
fn argument(word: &str, text: &str, default: i64) -> Result<i64, ParseError> {
    if text.is_empty() {
        return Ok(default);
    }
    number_of(word, text)
}

fn balance(word: &str, text: &str, pair: bool) -> Result<Command, ParseError> {
    let bias = argument(word, text, 0)?;
    Ok(Command::Balance { pair, bias })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start { width, height } if width == height => write!(f, "START {width}"),
            Command::Start { width, height } => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(at) => write!(f, "TURN {at}"),
            Command::Play(at) => write!(f, "PLAY {at}"),
            Command::TakeBack(at) => write!(f, "TAKEBACK {at}"),
            Command::Board(stones) => write_block(f, "BOARD", stones),
            Command::SetBoard(stones) => write_block(f, "YXBOARD", stones),
            Command::Info(info) => write!(f, "INFO {info}"),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::Stop => f.write_str("YXSTOP"),
            Command::ShowForbidden => f.write_str("YXSHOWFORBID"),
            Command::ShowInfo => f.write_str("YXSHOWINFO"),
            Command::ClearHash => f.write_str("YXHASHCLEAR"),
            Command::ShowHashUsage => f.write_str("YXSHOWHASHUSAGE"),
            Command::SaveHash(path) => write!(f, "YXHASHDUMP\n{path}"),
            Command::LoadHash(path) => write!(f, "YXHASHLOAD\n{path}"),
            Command::Swap2(stones) => write_block(f, "SWAP2BOARD", stones),
            Command::Swap2Step(step) => write!(f, "YXSWAP2STEP{step}"),
            Command::Lines(count) => write!(f, "YXNBEST {count}"),
            Command::Defences => f.write_str("YXSEARCHDEFEND"),
            Command::Balance { pair: false, bias } => write!(f, "YXBALANCEONE {bias}"),
            Command::Balance { pair: true, bias } => write!(f, "YXBALANCETWO {bias}"),
            Command::Block(points) => write_block(f, "YXBLOCK", points),
            Command::Unblock(points) => write_block(f, "YXBLOCKUNDO", points),
            Command::UnblockAll => f.write_str("YXBLOCKRESET"),
            Command::Database(database) => write!(f, "{database}"),
            Command::Foreign(text) => f.write_str(text),
        }
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, word: &str, items: &[impl fmt::Display]) -> fmt::Result {
    writeln!(f, "{word}")?;
    for item in items {
        writeln!(f, "{item}")?;
    }
    f.write_str("DONE")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gomocup::{InfoKey, Query, Transfer};
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
                .prop_map(|(width, height)| Command::Start { width, height }),
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
            points().prop_map(Command::Swap2),
            (1..=3u8).prop_map(Command::Swap2Step),
            any::<i64>().prop_map(Command::Lines),
            Just(Command::Defences),
            (any::<bool>(), any::<i64>()).prop_map(|(pair, bias)| Command::Balance { pair, bias }),
            points().prop_map(Command::Block),
            points().prop_map(Command::Unblock),
            Just(Command::UnblockAll),
            points()
                .prop_map(|stones| Command::Database(DatabaseCommand::Query(Query::One, stones))),
            ("[A-Za-z\"\\\\]([ -~]{0,9}[!-~])?", points()).prop_map(|(text, stones)| {
                Command::Database(DatabaseCommand::SetText { text, stones })
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
        let start = |width, height| Ok(Command::Start { width, height });
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
            assert_eq!(text.parse(), Ok(Command::Swap2(stones.clone())), "{text}");
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
    fn refusals_say_why() {
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
