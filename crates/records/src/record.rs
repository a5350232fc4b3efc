//! A game as files keep it: players, date and result, and every move with what
//! was said about it.

use super::date::Date;
use super::warning::{Warning, WarningKind};
use core::time::Duration;
use quincunx_engine::game::{Game, GameResult, MoveError, SetUp, SetUpError};
pub(crate) use quincunx_engine::position::notation::MOST_MOVES;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// The game in a file. It may have illegal moves, which [`GameRecord::replay`] finds.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The rule, where the file names one.
    pub rule: Option<Rule>,
    /// The name that the file gives the rule, if it is unknown.
    pub unknown_rule: Option<String>,
    /// The board.
    pub size: BoardSize,
    /// The player of the black stones.
    pub black: String,
    /// The player of the white stones.
    pub white: String,
    /// The name of the game.
    pub name: String,
    /// A comment about the game as a whole.
    pub comment: String,
    /// The day it was played on.
    pub date: Option<Date>,
    /// The result, where the file names one.
    pub result: Option<GameResult>,
    /// Stones that stood on the board before the first move.
    pub setup: Vec<(Color, Point)>,
    /// The colour to move after the set-up.
    pub first: Color,
    /// The moves.
    pub moves: Vec<RecordedMove>,
}

/// A move of a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The colour that moved.
    pub color: Color,
    /// The point; a pass is [`Point::NONE`].
    pub point: Point,
    /// The time the move took.
    pub time: Option<Duration>,
    /// A comment about the move.
    pub comment: String,
}

/// The recorded moves are not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The stones of the start are impossible.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// A move may not be made.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, from one.
        number: usize,
        /// The error.
        error: MoveError,
    },
}

impl RecordedMove {
    /// A move without a comment.
    pub fn new(color: Color, point: Point) -> RecordedMove {
        RecordedMove {
            color,
            point,
            time: None,
            comment: String::new(),
        }
    }
}

impl GameRecord {
    /// A record without moves.
    pub fn new(rule: Option<Rule>, size: BoardSize) -> GameRecord {
        GameRecord {
            rule,
            unknown_rule: None,
            size,
            black: String::new(),
            white: String::new(),
            name: String::new(),
            comment: String::new(),
            date: None,
            result: None,
            setup: Vec::new(),
            first: Color::Black,
            moves: Vec::new(),
        }
    }

    /// The record of a game, its opening included among the moves.
    pub fn of(game: &Game) -> GameRecord {
        let moves = game.opening().chain(game.moves());
        GameRecord {
            result: game.result(),
            moves: moves
                .map(|(color, point)| RecordedMove::new(color, point))
                .collect(),
            ..GameRecord::new(Some(game.rule()), game.size())
        }
    }

    /// The position before the first move, under `rule` where the record names none.
    pub fn start(&self, rule: Rule) -> SetUp {
        SetUp {
            rule: self.rule.unwrap_or(rule),
            size: self.size,
            stones: self.setup.clone(),
            first: self.first,
        }
    }

    /// The game, under `rule` where the record names none. Where two moves of
    /// the same colour follow each other, a pass comes in between. The result is
    /// the one that the stones decide, else the recorded one.
    ///
    /// # Errors
    /// When a stone or a move is impossible, or moves come after the end.
    pub fn replay(&self, rule: Rule) -> Result<Game, ReplayError> {
        let mut game = Game::from_position(self.start(rule).position()?);
        for (index, played) in self.moves.iter().enumerate() {
            let wrong = |error| ReplayError::Move {
                number: index + 1,
                error,
            };
            if played.color != game.side() {
                game.pass().map_err(wrong)?;
            }
            let made = match played.point {
                Point::NONE => game.pass(),
                point => game.play_or_lose(point),
            };
            match made {
                // It was made, and lost the game.
                Ok(()) | Err(MoveError::Forbidden(..)) => {}
                Err(error) => return Err(wrong(error)),
            }
        }
        if let Some(result) = self.result {
            game.end(result);
        }
        Ok(game)
    }

    /// Takes the result over that the stones decide, if they do and the rule is known: six in
    /// a row win under one and not under another.
    pub(super) fn settle(&mut self) {
        if let Some(rule) = self.rule
            && let Ok(game) = self.replay(rule)
        {
            self.result = game.result();
        }
    }
}

/// The side to move where only the stones that are set up show it, and a warning if they do not.
pub(super) fn unnamed_turn(setup: &[(Color, Point)]) -> (Color, Option<Warning>) {
    let white = setup.iter().filter(|stone| stone.0 == Color::White).count();
    let black = setup.len() - white;
    let first = if black == white + 1 {
        Color::White
    } else {
        Color::Black
    };
    let warning = (black != white).then(|| WarningKind::NoTurn(first).into());
    (first, warning)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The points of the moves, such as `h8i9`.
    pub(crate) fn moves(record: &GameRecord) -> String {
        (record.moves.iter())
            .map(|played| played.point.to_string())
            .collect()
    }
}
