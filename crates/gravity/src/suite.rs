//! Test positions: drawn at random, sorted by difficulty.
//!
//! The classes are those of Pascal Pons' benchmark of solvers
//! (<http://blog.gamesolver.org/solving-connect-four/02-test-protocol/>); the
//! positions are our own.

use super::random::Random;
use super::{Limits, Position, Search, Size, Value, Watch};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The positions of the bench, on a board of 7x6: four of every class.
pub const BENCH: [&str; 24] = [
    "616755133742744436174246117217225632633",
    "523244352335335251124657441146721771",
    "655356221272412143142144143576556",
    "412326451413323223545136451276156757",
    "255625657114541777761421524",
    "4334167342512617467351552",
    "7377244433734371624136754",
    "21367164416773152513",
    "773134112565344173",
    "6245154677756441",
    "512312765425153625",
    "1775656127725311757",
    "625657114541",
    "467775644164",
    "343241367",
    "526263662543",
    "27666623724225",
    "714443325",
    "77761421535277",
    "6246316345",
    "1341125653",
    "41731335177",
    "165462451",
    "433416734251",
];

/// The difficulty of a position: the number of stones on the board, and the number of plies until
/// the end with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// More than 28 stones.
    EndEasy,
    /// 15 to 28 stones, fewer than 14 plies to go.
    MiddleEasy,
    /// 15 to 28 stones, 14 plies to go or more.
    MiddleMedium,
    /// At most 14 stones, fewer than 14 plies to go.
    BeginEasy,
    /// At most 14 stones, 14 to 27 plies to go.
    BeginMedium,
    /// At most 14 stones, 28 plies to go or more.
    BeginHard,
}

impl Difficulty {
    /// All classes, the easiest first.
    pub const ALL: [Difficulty; 6] = [
        Difficulty::EndEasy,
        Difficulty::MiddleEasy,
        Difficulty::MiddleMedium,
        Difficulty::BeginEasy,
        Difficulty::BeginMedium,
        Difficulty::BeginHard,
    ];

    /// The class of a position with this value.
    pub fn of(position: &Position, value: Value) -> Difficulty {
        let placed = position.moves().len();
        let plies = match value {
            Value::Win(plies) | Value::Loss(plies) => plies as usize,
            Value::Draw => position.size().points() - placed,
        };
        match (placed, plies) {
            (29.., _) => Difficulty::EndEasy,
            (15.., ..14) => Difficulty::MiddleEasy,
            (15.., _) => Difficulty::MiddleMedium,
            (_, ..14) => Difficulty::BeginEasy,
            (_, ..28) => Difficulty::BeginMedium,
            _ => Difficulty::BeginHard,
        }
    }

    /// Returns true if a board of this size has room for the stones and plies of such positions.
    pub fn fits(self, size: Size) -> bool {
        let plies = match self {
            Difficulty::EndEasy | Difficulty::MiddleEasy | Difficulty::BeginEasy => 1,
            Difficulty::MiddleMedium | Difficulty::BeginMedium => 14,
            Difficulty::BeginHard => 28,
        };
        size.points() >= self.stones().start() + plies
    }

    /// The number of stones on the board for a position of this class. With fewer than eight a
    /// position takes minutes rather than seconds.
    fn stones(self) -> RangeInclusive<usize> {
        match self {
            Difficulty::EndEasy => 29..=40,
            Difficulty::MiddleEasy | Difficulty::MiddleMedium => 15..=28,
            _ => 8..=14,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Difficulty::EndEasy => "end-easy",
            Difficulty::MiddleEasy => "middle-easy",
            Difficulty::MiddleMedium => "middle-medium",
            Difficulty::BeginEasy => "begin-easy",
            Difficulty::BeginMedium => "begin-medium",
            Difficulty::BeginHard => "begin-hard",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Difficulty {
    type Err = DifficultyError;

    fn from_str(text: &str) -> Result<Difficulty, DifficultyError> {
        let named = |class: &Difficulty| class.name() == text;
        Difficulty::ALL
            .into_iter()
            .find(named)
            .ok_or(DifficultyError)
    }
}

/// A class that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifficultyError;

impl fmt::Display for DifficultyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Difficulty::ALL.iter().map(|class| class.name()).collect();
        write!(f, "the classes are {}", names.join(", "))
    }
}

impl std::error::Error for DifficultyError {}

/// A source of random positions; the same seed gives the same positions.
pub struct Suite {
    size: Size,
    random: Random,
}

impl Suite {
    /// Positions on boards of one size.
    pub fn new(size: Size, seed: u64) -> Suite {
        Suite {
            size,
            random: Random::new(seed),
        }
    }

    /// A position with this number of stones after random moves of which none won; on
    /// a board with fewer points, with one stone less than points.
    pub fn position(&mut self, stones: usize) -> Position {
        let stones = stones.min(self.size.points() - 1);
        loop {
            let mut position = Position::new(self.size);
            while position.moves().len() < stones && !position.is_over() {
                let columns: Vec<usize> = position.playable_columns().collect();
                let column = columns[self.random.below(columns.len())];
                // Only columns that can be played are in the list.
                let _ = position.play(column);
            }
            if !position.is_over() {
                return position;
            }
        }
    }

    /// A position of a class and its value, or `None` if the watch ended it. It looks
    /// without end for a class that does not fit the board ([`Difficulty::fits`]).
    pub fn draw(
        &mut self,
        class: Difficulty,
        search: &mut Search,
        watch: Watch,
    ) -> Option<(Position, Value)> {
        let range = class.stones();
        loop {
            let stones = range.start() + self.random.below(range.clone().count());
            let position = self.position(stones);
            let value = search.solve(&position, &Limits::default(), watch).value?;
            if Difficulty::of(&position, value) == class {
                return Some((position, value));
            }
        }
    }
}
