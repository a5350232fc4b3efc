//! Games of many files: as a record with a name, or as no more than its moves, because a file may
//! have more games than there is memory for positions.

use quincunx_engine::game::{Game, GameResult};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_records::{GameRecord, ReplayError};

/// A game and the name of its place, such as `a.sgf 2`.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The name.
    pub name: String,
    /// The game.
    pub record: GameRecord,
}

/// A game as its moves.
#[derive(Clone, Debug)]
pub struct GameMoves {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The moves with their colours, those that were set up first.
    pub moves: Box<[(Color, Point)]>,
    /// The number of stones that were set up.
    pub set_up: usize,
    /// The colour of the first move after these.
    pub first: Color,
    /// The result, if it is known.
    pub result: Option<GameResult>,
}

impl GameMoves {
    /// Returns the moves of a record, which are under `rule` where the record has none.
    ///
    /// # Errors
    /// Returns an error if the record is not a game.
    pub fn of(record: &GameRecord, rule: Rule) -> Result<GameMoves, ReplayError> {
        let game = record.replay(rule)?;
        let position = game.position();
        Ok(GameMoves {
            rule: position.rule(),
            size: position.size(),
            moves: position.moves().collect(),
            set_up: record.setup.len(),
            first: record.first,
            result: game.result(),
        })
    }

    /// Returns the game as a record.
    pub fn record(&self) -> GameRecord {
        let mut game = Game::from_position(self.end());
        if let Some(result) = self.result {
            game.end(result);
        }
        GameRecord::of(&game)
    }

    /// Returns the position that the game led to.
    pub fn end(&self) -> Position {
        let mut position = Position::new(self.rule, self.size);
        for &(color, point) in &self.moves {
            match point {
                Point::NONE => position.pass(),
                point => position.place(color, point),
            }
        }
        if self.moves.len() == self.set_up {
            position.set_side(self.first);
        }
        position
    }

    /// Adds the rule, the board and the moves to a checksum of games, and which of the moves
    /// were set up.
    pub(super) fn add_to(&self, sum: &mut crc32fast::Hasher) {
        let moves = self.moves.iter();
        let moves: String = moves
            .map(|(color, point)| format!("{color}{point}"))
            .collect();
        let set_up = match self.set_up {
            0 => String::new(),
            count => format!("{count} {} ", self.first),
        };
        sum.update(format!("{} {} {set_up}{moves}\n", self.size, self.rule).as_bytes());
    }
}
